# make daemons: the compatibility table. `make check` runs the light ones by daemons.bats.
DAEMONS := $(patsubst tests/daemons/%.bash,%,$(sort $(wildcard tests/daemons/*.bash)))

daemons:
	@sh tools/deps build test daemons
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) bash tests/daemons/run --table $(DAEMONS)

.PHONY: daemons
