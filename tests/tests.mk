# make check: builds the test programs and runs everything; the last line is the tally.
TEST_PROGS := $(patsubst tests/prog/%.c,$(BUILD)/tests/%,$(wildcard tests/prog/*.c))
UNIT_PROGS := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/*.c))
TEST_CFLAGS := $(COMMON) -Itests -Ishim -pthread

-include $(filter-out tests/tests.mk,$(wildcard tests/*/*.mk))

# A program's own flags, where it needs some: tests/prog/NAME.flags holds them.
$(BUILD)/tests/%: tests/prog/%.c Makefile tests/tests.mk | $(BUILD)/tests
	$(CC) $(CFLAGS) $(TEST_CFLAGS) -o $@ $< $$(cat tests/prog/$*.flags 2>/dev/null)

# Unit tests see the library's inside: they link its objects, not the shared object.
$(BUILD)/unit/%: tests/unit/%.c $(SHIM_OBJ) Makefile tests/tests.mk | $(BUILD)/unit
	$(CC) $(CFLAGS) $(TEST_CFLAGS) -o $@ $< $(SHIM_OBJ)

$(BUILD)/tests $(BUILD)/unit:
	mkdir -p $@

check-build: all $(TEST_PROGS) $(UNIT_PROGS)

# A sub-make, since the dependencies must be there before the Makefile looks for them.
check:
	@sh tools/deps build test abi deb
	@$(MAKE) --no-print-directory check-build
	@BUILD=$(BUILD) bash tests/run

.PHONY: check check-build
-include $(wildcard $(BUILD)/tests/*.d) $(wildcard $(BUILD)/unit/*.d)
