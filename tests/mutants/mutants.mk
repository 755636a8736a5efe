# make mutants MUTANTS='NAME...': the library broken in one line at a time; every one must be noticed.
mutants:
	@sh tools/deps build test
	tests/mutants/mutants $(MUTANTS)

# What a mutant is tried by: not the fuzzers that compile all of it once more, and of the other ABIs
# only what the tests of filters need.
.SECONDEXPANSION:
mutants-build: all $(TEST_PROGS) $(UNIT_PROGS) $(BUILD)/fuzz/waits $$(PRELOAD_LIBS) $$(PRELOAD_TLS) \
               abi-lib-musl abi-progs-musl

.PHONY: mutants mutants-build
