# The probe. Optional: without clang, bpftool or libbpf everything else is built, and said so.
CLANG      ?= clang
BPFTOOL    ?= bpftool
PKG_CONFIG ?= pkg-config

# bpftool is in /usr/sbin, which not everybody has in PATH.
BPF_TOOL := $(shell command -v $(BPFTOOL) || PATH=$$PATH:/usr/sbin:/sbin command -v $(BPFTOOL))
BPF_MISSING := $(strip $(if $(shell command -v $(CLANG)),,clang) $(if $(BPF_TOOL),,bpftool) \
                       $(if $(shell $(PKG_CONFIG) --exists 'libbpf >= 1.0' && echo yes),,libbpf-dev))

ifneq ($(BPF_MISSING),)
$(info left out: hrtimeout slack, the probe; it needs $(BPF_MISSING) (make deps installs them))
CMD_OBJ := $(filter-out $(BUILD)/cmd/slack%.o,$(CMD_OBJ))
else
CMD_OBJ := $(filter-out $(BUILD)/cmd/no_slack.o,$(CMD_OBJ))
CMD_LIBS += $(shell $(PKG_CONFIG) --libs libbpf)
CMD_CFLAGS += -isystem $(BUILD)/bpf $(shell $(PKG_CONFIG) --cflags libbpf)

BPF_CFLAGS := -target bpf -mcpu=v3 -g -O2 -std=gnu11 -ffreestanding -Wall -Wextra -Werror \
              -Wno-unused-parameter -DHRTIMEOUT_STATS_READER

$(BUILD)/bpf/slack.bpf.o: bpf/slack.bpf.c $(wildcard bpf/*.h) shim/stats.h bpf/bpf.mk | $(BUILD)/bpf
	$(CLANG) $(BPF_CFLAGS) -c -o $@ $<

$(BUILD)/bpf/slack.skel.h: $(BUILD)/bpf/slack.bpf.o
	{ echo '// NOLINTBEGIN' && $(BPF_TOOL) gen skeleton $< name slack_bpf && \
	  echo '// NOLINTEND'; } > $@

$(patsubst cmd/%.c,$(BUILD)/cmd/%.o,$(wildcard cmd/slack*.c)): $(BUILD)/bpf/slack.skel.h

$(BUILD)/bpf:
	mkdir -p $@
endif

# For tests/probe_prometheus.bats: unpacked, not installed, since installing would start daemons.
PROMETHEUS := $(BUILD)/prometheus
check-build: $(PROMETHEUS)/done
$(PROMETHEUS)/done: bpf/bpf.mk
	rm -rf $(PROMETHEUS) && mkdir -p $(PROMETHEUS)
	-cd $(PROMETHEUS) && apt-get -qq download prometheus prometheus-node-exporter 2>/dev/null && \
	  for package in *.deb; do dpkg -x $$package . || exit 1; done && rm -f *.deb && \
	  touch done

# What the attached probe costs other calls, here and now.
$(BUILD)/cost: bpf/cost.c bpf/bpf.mk | $(BUILD)/cmd
	$(CC) $(CFLAGS) $(COMMON) -o $@ $<

probe-cost: all $(BUILD)/cost
	@BUILD=$(BUILD) bash bpf/cost.sh

.PHONY: probe-cost

install: install-probe
install-probe:
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)$(PREFIX)/share/hrtimeout
	$(INSTALL) -m 644 config/systemd/hrtimeout.service config/systemd/hrtimeout-textfile.service \
	  config/systemd/hrtimeout-textfile.timer $(DESTDIR)$(PREFIX)/lib/systemd/system/
	$(INSTALL) -m 644 config/grafana/hrtimeout.json $(DESTDIR)$(PREFIX)/share/hrtimeout/grafana.json

.PHONY: install-probe
