# make coverage: what of shim/ make check runs, by gcov. COVERAGE_TESTS names single bats files.
coverage:
	rm -rf $(BUILD)/coverage
	@sh tools/deps build test
	$(MAKE) --no-print-directory -s BUILD=$(BUILD)/coverage CFLAGS='-O0 -g --coverage -fprofile-update=atomic' check-build
	BUILD=$(BUILD)/coverage bash tests/run $(COVERAGE_TESTS) || echo 'coverage: some tests failed'
	tests/coverage/coverage $(BUILD)/coverage

.PHONY: coverage
