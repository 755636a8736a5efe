# make libfuzz LIBFUZZ_SECONDS=N: clang's coverage-guided fuzzer on what reads untrusted bytes and
# on the arithmetic, N seconds each, from the corpus in the tree.
LIBFUZZ_SECONDS ?= 60
LIBFUZZ_DIR     := tests/libfuzzer
LIBFUZZ_OUT     := $(BUILD)/libfuzzer
LIBFUZZ_CHECKS  := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
LIBFUZZ_FLAGS   := -O1 -g -std=gnu11 -D_GNU_SOURCE -DVERSION='"fuzz"' -DLIBDIR='"/usr/local/lib"' \
                   -Ishim -Icmd -I$(LIBFUZZ_DIR) -Wall -Wextra -Werror -MMD -MP \
                   -fsanitize=fuzzer-no-link $(LIBFUZZ_CHECKS)

# What each target is made of beside its own file. `parser` is what most of the command needs;
# `world`, which stands in for the files that it would read, goes to all.
LIBFUZZ_parser   := cmd/grid $(LIBFUZZ_DIR)/messages
LIBFUZZ_world    := $(LIBFUZZ_DIR)/world $(LIBFUZZ_DIR)/heap
LIBFUZZ_render   := cmd/render cmd/render_json cmd/render_openmetrics cmd/histogram cmd/report \
                    $(LIBFUZZ_DIR)/formats
LIBFUZZ_check    := $(addprefix cmd/,check check_elf check_file check_process elf_file needed ld_cache \
                    launch proc number stats_map) shim/policy $(LIBFUZZ_render)

# `stats` goes without the wrappers: the fuzzer's own thread sleeps, and would be counted.
LIBFUZZ_OF_deadline     := shim/deadline
LIBFUZZ_OF_policy       := shim/policy
LIBFUZZ_OF_stats        := $(basename $(filter-out shim/init.c shim/%_wrap.c,$(wildcard shim/*.c)))
LIBFUZZ_OF_elf          := cmd/elf_file $(LIBFUZZ_parser)
LIBFUZZ_OF_report       := $(LIBFUZZ_render) $(LIBFUZZ_parser)
LIBFUZZ_OF_stats_map    := cmd/stats_map $(LIBFUZZ_render) $(LIBFUZZ_parser)
LIBFUZZ_OF_ld_cache     := cmd/ld_cache
LIBFUZZ_OF_number       := cmd/number
LIBFUZZ_OF_options      := cmd/launch cmd/launch_options cmd/stats_map shim/policy \
                           $(LIBFUZZ_parser)
LIBFUZZ_OF_attach_state := cmd/attach_state cmd/proc cmd/number $(LIBFUZZ_parser)
LIBFUZZ_OF_proc         := cmd/proc cmd/number $(LIBFUZZ_parser)
LIBFUZZ_OF_process      := $(LIBFUZZ_check) $(LIBFUZZ_parser)
LIBFUZZ_OF_file         := $(LIBFUZZ_OF_process)
LIBFUZZ_OF_unit         := cmd/service_properties cmd/service_judge $(LIBFUZZ_OF_process)
LIBFUZZ_OF_dropin       := cmd/service_properties cmd/service_dropin cmd/launch cmd/stats_map \
                           shim/policy $(LIBFUZZ_parser)
LIBFUZZ_OF_system       := $(basename $(wildcard cmd/explain*.c)) cmd/proc cmd/number \
                           $(LIBFUZZ_render) $(LIBFUZZ_parser)
LIBFUZZ_OF_slack        := $(addprefix cmd/,slack_view slack_show slack_verdict slack_textfile \
                           slack_samples) $(LIBFUZZ_render) $(LIBFUZZ_parser)
LIBFUZZ_OF_target       := cmd/slack_target $(LIBFUZZ_parser)

LIBFUZZ_NAMES := deadline policy stats elf report stats_map ld_cache number options attach_state \
                 proc process file unit dropin system $(if $(BPF_MISSING),,slack target)
LIBFUZZ_PROGS := $(LIBFUZZ_NAMES:%=$(LIBFUZZ_OUT)/%)

# The objects of the command and the targets call what world.c and heap.c have in place of libc's;
# these two themselves and the library don't.
LIBFUZZ_SYMBOLS := $(LIBFUZZ_DIR)/world.symbols
LIBFUZZ_KEPT := $(LIBFUZZ_world:%=$(LIBFUZZ_OUT)/obj/%.o) $(LIBFUZZ_OUT)/obj/shim/%

$(LIBFUZZ_OUT)/obj/%.o: %.c $(LIBFUZZ_SYMBOLS) $(LIBFUZZ_DIR)/libfuzzer.mk
	mkdir -p $(@D)
	clang $(LIBFUZZ_FLAGS) -c -o $@ $<
	$(if $(filter $(LIBFUZZ_KEPT),$@),,objcopy --redefine-syms=$(LIBFUZZ_SYMBOLS) $@)

.SECONDEXPANSION:
$(LIBFUZZ_PROGS): $(LIBFUZZ_OUT)/%: $(LIBFUZZ_OUT)/obj/$(LIBFUZZ_DIR)/%.o \
                  $$(foreach o,$$(LIBFUZZ_world) $$(LIBFUZZ_OF_$$*),$(LIBFUZZ_OUT)/obj/$$o.o)
	clang -fsanitize=fuzzer $(LIBFUZZ_CHECKS) -o $@ $^ \
	  $(if $(filter cmd/elf_file,$(LIBFUZZ_OF_$*)),$(shell pkg-config --libs libelf))

check-build: $(LIBFUZZ_PROGS)

libfuzz: $(LIBFUZZ_PROGS)
	BUILD=$(BUILD) $(LIBFUZZ_DIR)/libfuzz $(LIBFUZZ_SECONDS) $(LIBFUZZ_NAMES)

-include $(wildcard $(LIBFUZZ_OUT)/obj/*/*.d $(LIBFUZZ_OUT)/obj/*/*/*.d)
.PHONY: libfuzz
