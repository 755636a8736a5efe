# make fuzz SEEDS=N FIRST=SEED: random programs of waits, natively and under the library.
SEEDS   ?= 1000
FIRST   ?= 1
CONFIGS ?= observe,timer,exact
FUZZ_SRC := $(sort $(wildcard tests/fuzz/*.c))
FUZZ_CFLAGS := $(filter-out -MMD -MP,$(TEST_CFLAGS))

$(BUILD)/fuzz/waits: $(FUZZ_SRC) $(wildcard tests/fuzz/*.h) tests/fuzz/fuzz.mk Makefile
	mkdir -p $(@D)
	$(CC) $(CFLAGS) $(FUZZ_CFLAGS) -o $@ $(FUZZ_SRC) -lutil

$(BUILD)/fuzz/libearly.so: tests/fuzz/broken/early.c tests/fuzz/fuzz.mk Makefile
	mkdir -p $(@D)
	$(CC) $(CFLAGS) $(FUZZ_CFLAGS) -fPIC -shared -o $@ $<

check-build: $(BUILD)/fuzz/waits $(BUILD)/fuzz/libearly.so

fuzz: all $(BUILD)/fuzz/waits
	BUILD=$(BUILD) tests/fuzz/fuzz --seeds $(SEEDS) --first $(FIRST) --configs $(CONFIGS) \
	  --without '$(WITHOUT)' $(FUZZ_ARGS)

.PHONY: fuzz
