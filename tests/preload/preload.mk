# Small libraries that stand beside ours in LD_PRELOAD, or that a program loads.
PRELOAD_LIBS := $(patsubst tests/preload/%.c,$(BUILD)/preload/%.so,$(wildcard tests/preload/*.c))
# The same source many times: each its own library with thread-local storage of its own.
PRELOAD_TLS  := $(foreach n,$(shell seq 30),$(BUILD)/preload/tls_$(n).so)

$(BUILD)/preload/%.so: tests/preload/%.c Makefile tests/preload/preload.mk | $(BUILD)/preload
	$(CC) $(CFLAGS) $(TEST_CFLAGS) -fPIC -shared -o $@ $<

$(BUILD)/preload/tls_%.so: $(BUILD)/preload/tls.so
	cp $< $@

$(BUILD)/preload:
	mkdir -p $@

check-build: $(PRELOAD_LIBS) $(PRELOAD_TLS)
-include $(wildcard $(BUILD)/preload/*.d)
