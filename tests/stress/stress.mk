# make stress STRESS_SECONDS=N: storms of threads, signals, children and more; 60 s unless told.
STRESS_SECONDS ?= 60
STRESS_SRC := $(sort $(wildcard tests/stress/*.c))

$(BUILD)/stress/storm: $(STRESS_SRC) tests/stress/storm.h tests/stress/stress.mk Makefile
	mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(TEST_CFLAGS)) -o $@ $(STRESS_SRC)

check-build: $(BUILD)/stress/storm

stress: all $(BUILD)/stress/storm
	BUILD=$(BUILD) STRESS_SECONDS=$(STRESS_SECONDS) tests/stress/stress

.PHONY: stress
