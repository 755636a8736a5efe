# hrtimeout: build, install, check, demo, bench. `make help` lists the targets.
VERSION := 0.1.0
BUILD   ?= build
PREFIX  ?= /usr/local
# Where the library goes. A package for two widths sets LIBDIR=/usr/lib/x86_64-linux-gnu and
# RUNLIB='/usr/$$LIB', so that the loader picks the right one for each program.
LIBDIR  ?= $(PREFIX)/lib
RUNLIB  ?= $(LIBDIR)
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
# Where services look for settings; an install into a home of its own leaves /etc alone.
SYSCONFDIR ?= $(if $(filter /usr /usr/local,$(PREFIX)),/etc,$(PREFIX)/etc)
COMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
INSTALL ?= install

CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Werror
COMMON  := -std=gnu11 -D_GNU_SOURCE -U_FORTIFY_SOURCE $(WARN) -MMD -MP
# Unwind tables and -fexceptions: a cancelled thread unwinds through the wrappers.
SHIM_CFLAGS := $(COMMON) -fPIC -fvisibility=hidden -ftls-model=initial-exec -fexceptions \
               -fasynchronous-unwind-tables -fno-math-errno
# No start files: their weak symbols would be looked up at every program start.
SHIM_LDFLAGS := -shared -nostartfiles -Wl,-soname,libhrtimeout.so -Wl,-z,defs -Wl,-z,now \
                -Wl,-z,relro -Wl,-Bsymbolic -Wl,-z,noexecstack -Wl,-z,noseparate-code -Wl,-O1 -Wl,--hash-style=gnu
CMD_CFLAGS := $(COMMON) -Ishim -DVERSION='"$(VERSION)"' -DLIBDIR='"$(RUNLIB)"'

SHIM_OBJ := $(patsubst shim/%.c,$(BUILD)/shim/%.o,$(sort $(wildcard shim/*.c)))
# What the command shares with the library.
CMD_SHIM := $(BUILD)/shim/policy.o
CMD_OBJ  := $(patsubst cmd/%.c,$(BUILD)/cmd/%.o,$(sort $(wildcard cmd/*.c)))
CMD_LIBS := $(shell pkg-config --libs libelf 2>/dev/null || echo -lelf)

all: $(BUILD)/libhrtimeout.so $(BUILD)/hrtimeout

-include bpf/bpf.mk

$(BUILD)/shim/%.o: shim/%.c Makefile | $(BUILD)/shim
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SHIM_CFLAGS) -c -o $@ $<

$(BUILD)/cmd/%.o: cmd/%.c Makefile | $(BUILD)/cmd
	$(CC) $(CPPFLAGS) $(CFLAGS) $(CMD_CFLAGS) -c -o $@ $<

# Anonymous: a named version node would silently switch interposition off.
$(BUILD)/exports.map: shim/symbols.h Makefile | $(BUILD)/shim
	{ echo '{ global:'; \
	  printf '#include <features.h>\n#define WRAP(n, v) n;\n#define ALIAS(n, o) n;\n#include "shim/symbols.h"\n' | \
	  $(CC) $(CPPFLAGS) -I. -E -P -x c - | grep ';'; echo 'local: *; };'; } > $@

$(BUILD)/libhrtimeout.so: $(SHIM_OBJ) $(BUILD)/exports.map
	$(CC) $(CFLAGS) $(SHIM_LDFLAGS) $(LDFLAGS) -Wl,--version-script=$(BUILD)/exports.map \
	  -o $@ $(SHIM_OBJ) $(SHIM_LIBS)

$(BUILD)/hrtimeout: $(CMD_OBJ) $(CMD_SHIM)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(CMD_OBJ) $(CMD_SHIM) $(CMD_LIBS)

$(BUILD)/shim $(BUILD)/cmd:
	mkdir -p $@

install: all
	$(INSTALL) -d $(DESTDIR)$(LIBDIR) $(DESTDIR)$(BINDIR)
	$(INSTALL) -m 644 $(BUILD)/libhrtimeout.so $(DESTDIR)$(LIBDIR)/libhrtimeout.so
	$(INSTALL) -m 755 $(BUILD)/hrtimeout $(DESTDIR)$(BINDIR)/hrtimeout
	$(INSTALL) -d $(DESTDIR)$(COMPDIR) $(DESTDIR)$(ZSHDIR)
	$(INSTALL) -m 644 completions/hrtimeout.bash $(DESTDIR)$(COMPDIR)/hrtimeout
	$(INSTALL) -m 644 completions/_hrtimeout $(DESTDIR)$(ZSHDIR)/_hrtimeout
	$(INSTALL) -d $(DESTDIR)$(SYSCONFDIR)/default $(DESTDIR)$(SYSCONFDIR)/hrtimeout/profiles
	$(INSTALL) -m 644 config/profiles/*.conf $(DESTDIR)$(SYSCONFDIR)/hrtimeout/profiles/
	[ -e $(DESTDIR)$(SYSCONFDIR)/default/hrtimeout ] || \
	  $(INSTALL) -m 644 config/hrtimeout.default $(DESTDIR)$(SYSCONFDIR)/default/hrtimeout
	for page in man/*.[1-8]; do \
	  [ -e "$$page" ] || continue; section=$${page##*.}; \
	  $(INSTALL) -d $(DESTDIR)$(MANDIR)/man$$section && \
	  $(INSTALL) -m 644 $$page $(DESTDIR)$(MANDIR)/man$$section/ || exit 1; done

# Installs what is missing by apt when root; else says what to install.
deps:
	@sh tools/deps build test

-include tests/tests.mk
-include bench/bench.mk

tidy:
	clang-tidy --quiet shim/*.c -- $(filter-out -MMD -MP,$(SHIM_CFLAGS))
	clang-tidy --quiet cmd/*.c -- $(filter-out -MMD -MP,$(CMD_CFLAGS))

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf $(BUILD)

help:
	@echo 'make            build/libhrtimeout.so and build/hrtimeout'
	@echo 'make demo       stock programs natively and under the library, side by side'
	@echo 'make check      all tests; last line: N passed, N failed, N skipped'
	@echo 'make abi        the same behaviour on i386, armhf, aarch64 and musl'
	@echo 'make deb        Debian packages in build/deb, checked by lintian'
	@echo 'make bench      lateness, cost and start-up, native against the library'
	@echo 'make install    PREFIX=/usr/local DESTDIR='
	@echo 'make deps       what apt has to bring for these'
	@echo
	@echo 'make fuzz       random programs of waits, natively and under the library (SEEDS= FIRST=)'
	@echo 'make stress     storms of threads, signals and children (STRESS_SECONDS=)'
	@echo 'make mutants    the library broken in many ways: do the tests notice?'
	@echo 'make sanitize   address, undefined behaviour and thread sanitizer, valgrind'
	@echo 'make libfuzz    coverage-guided fuzzing of what parses'
	@echo 'make peers      other projects own tests, natively and under the library'
	@echo 'make daemons    real daemons natively and under the library, compared'
	@echo 'make coverage   lines and branches of shim/ that the tests run'
	@echo 'make probe-cost what the probe costs each system call'
	@echo 'make vm         the probe and 32-bit programs on a stock kernel in qemu'
	@echo 'make tidy       clang-tidy;  make format: clang-format'

-include $(SHIM_OBJ:.o=.d) $(CMD_OBJ:.o=.d)
.PHONY: all install deps tidy format clean help
.DELETE_ON_ERROR:
