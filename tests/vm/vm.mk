# make vm: Debian's stock kernel in software emulation, for what this machine's kernel may not have:
# 32-bit programs, fentry-capable 6.1. Root, one to five minutes; not part of make check.
vm:
	@sh tools/deps build vm
	@$(MAKE) -s --no-print-directory all
	@BUILD=$(BUILD) bash tests/vm/run

.PHONY: vm
