# make libfuzz LIBFUZZ_SECONDS=N: clang's coverage-guided fuzzer on what reads untrusted bytes and
# on the arithmetic, N seconds each, from the corpus in the tree.
LIBFUZZ_SECONDS ?= 60
LIBFUZZ_DIR     := tests/libfuzzer
LIBFUZZ_FLAGS   := -O1 -g -std=gnu11 -D_GNU_SOURCE -DVERSION='"fuzz"' -DLIBDIR='"/usr/local/lib"' \
                   -Ishim -Icmd -I$(LIBFUZZ_DIR) -Wall -Wextra -Werror \
                   -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all

LIBFUZZ_SRC_deadline := shim/deadline.c
LIBFUZZ_SRC_policy   := shim/policy.c
LIBFUZZ_SRC_stats    := $(filter-out shim/init.c,$(wildcard shim/*.c))
LIBFUZZ_SRC_elf      := $(addprefix cmd/,elf_file.c grid.c) $(LIBFUZZ_DIR)/messages.c
LIBFUZZ_SRC_report   := $(wildcard cmd/report.c cmd/render*.c cmd/histogram.c cmd/grid.c) \
                        $(LIBFUZZ_DIR)/messages.c
LIBFUZZ_LIBS_elf     := $(CMD_LIBS)
LIBFUZZ_LIBS_report  := $(CMD_LIBS)

# A target whose sources aren't there yet isn't built.
LIBFUZZ_NAMES := $(foreach n,deadline policy stats elf report,$(if $(LIBFUZZ_SRC_$n),$n))
LIBFUZZ_PROGS := $(LIBFUZZ_NAMES:%=$(BUILD)/libfuzzer/%)

.SECONDEXPANSION:
$(LIBFUZZ_PROGS): $(BUILD)/libfuzzer/%: $(LIBFUZZ_DIR)/%.c $(LIBFUZZ_DIR)/input.h $$(LIBFUZZ_SRC_$$*) \
                  $(wildcard shim/*.h cmd/*.h) $(LIBFUZZ_DIR)/libfuzzer.mk
	mkdir -p $(@D)
	clang $(LIBFUZZ_FLAGS) -o $@ $< $(LIBFUZZ_SRC_$*) $(LIBFUZZ_LIBS_$*)

check-build: $(LIBFUZZ_PROGS)

libfuzz: $(LIBFUZZ_PROGS)
	BUILD=$(BUILD) $(LIBFUZZ_DIR)/libfuzz $(LIBFUZZ_SECONDS) $(LIBFUZZ_NAMES)

.PHONY: libfuzz
