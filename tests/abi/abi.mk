# make abi: the library and the behaviour programs for every other ABI, in build/ABI/, and what the
# programs say with and without the library. armhf and aarch64 run under qemu-user; i386 does where
# the kernel can't run it; musl is x86-64 and runs as it is.
ABI_BUILD := $(BUILD)/abi
ABI_SETS  := i386 i386/time64 armhf armhf/time64 aarch64 musl
ABI_NAMES := $(filter-out %/time64,$(ABI_SETS))

abi_cc_i386    := i686-linux-gnu-gcc
abi_cc_armhf   := arm-linux-gnueabihf-gcc
abi_cc_aarch64 := aarch64-linux-gnu-gcc
abi_cc_musl    := musl-gcc

# Each program names its own loader and libc, so that it runs without a file system of its own.
abi_root = -Wl,--dynamic-linker=/usr/$(1)/lib/$(2),-rpath,/usr/$(1)/lib,--disable-new-dtags
abi_flags_i386    := $(call abi_root,i686-linux-gnu,ld-linux.so.2)
abi_flags_armhf   := $(call abi_root,arm-linux-gnueabihf,ld-linux-armhf.so.3)
abi_flags_aarch64 := $(call abi_root,aarch64-linux-gnu,ld-linux-aarch64.so.1)
# musl-gcc knows no kernel headers.
abi_kernel_musl   := -idirafter /usr/include \
                     -idirafter /usr/include/$(shell $(CC) -print-multiarch)
abi_flags_musl    := -include tests/abi/musl.h $(abi_kernel_musl)

# The tests compare times with what only 64 bits can hold.
abi_test_flags = -O2 -g -Wno-type-limits $(abi_flags_$(firstword $(subst /, ,$(1)))) \
                 $(if $(filter %/time64,$(1)),-D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64)

# What tests/abi/programs and the bats files run, less what a libc lacks.
ABI_PROGS      := read_only slack_seen $(sort $(shell sed -n 's/^\([a-z_]*\).*/\1/p' tests/abi/programs))
abi_lacks_musl := aliases cancelled fortified odd_stacks
abi_progs = $(filter-out $(abi_lacks_$(1)),$(ABI_PROGS))

abi-lib-%:
	@$(MAKE) --no-print-directory CC=$(abi_cc_$*) BUILD=$(ABI_BUILD)/$* \
	  CFLAGS='-O2 -g $(abi_kernel_$*)' $(ABI_BUILD)/$*/libhrtimeout.so

# Sub-makes that share no file. In a target's name + stands for the / of a set's.
abi-progs-%:
	@$(MAKE) --no-print-directory CC=$(abi_cc_$(firstword $(subst +, ,$*))) \
	  BUILD=$(ABI_BUILD)/$(subst +,/,$*) CFLAGS='$(call abi_test_flags,$(subst +,/,$*))' \
	  $(foreach p,$(call abi_progs,$*),$(ABI_BUILD)/$(subst +,/,$*)/tests/$(p))

# By hand and in full; make check compares the same in the timer and exact modes.
abi: abi-build
	@failed=; for set in $(ABI_SETS); do \
	  BUILD=$(BUILD) bash tests/abi/compare $$set observe timer exact || failed=1; \
	done; [ -z "$$failed" ]

abi-build: $(ABI_NAMES:%=abi-lib-%) $(foreach s,$(ABI_SETS),abi-progs-$(subst /,+,$(s)))

.PHONY: abi abi-build

# Only on x86-64: it names that machine's first version of libc.
$(ABI_BUILD)/old_program: tests/abi/old_program.c
	mkdir -p $(@D)
	$(CC) $(CFLAGS) $(TEST_CFLAGS) -MF /dev/null -nostartfiles -o $@ $<

check-build: abi-build $(ABI_BUILD)/old_program
