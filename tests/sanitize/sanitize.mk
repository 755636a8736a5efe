# make sanitize SANITIZE_SEEDS=N PARTS='unit library programs inside valgrind beside'
SANITIZE_SEEDS ?= 300
PARTS ?=

sanitize: check-build
	@sh tools/deps build test
	BUILD=$(BUILD) SANITIZE_SEEDS=$(SANITIZE_SEEDS) tests/sanitize/sanitize $(PARTS)

.PHONY: sanitize
