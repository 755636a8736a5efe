# make mutants MUTANTS='NAME...': the library broken in one line at a time; every one must be noticed.
mutants:
	@sh tools/deps build test
	tests/mutants/mutants $(MUTANTS)

.PHONY: mutants
