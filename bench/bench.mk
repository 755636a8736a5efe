# make bench: lateness, CPU use, cost and start-up, native against the library in the same run.
# bench/run SECTION... runs some of it alone.
BENCH        := $(BUILD)/bench
BENCH_PROGS  := waiter sample cost startup pace share trade early spun
BENCH_CFLAGS := $(COMMON) -Ishim -Ibench -pthread

$(BENCH)/obj/%.o: bench/%.c Makefile bench/bench.mk | $(BENCH)/obj
	$(CC) $(CPPFLAGS) $(CFLAGS) $(BENCH_CFLAGS) -c -o $@ $<

$(BENCH)/waiter $(BENCH)/sample $(BENCH)/early: $(BENCH)/obj/calls.o
$(BENCH)/waiter $(BENCH)/sample $(BENCH)/startup $(BENCH)/pace $(BENCH)/trade: $(BENCH)/obj/series.o
$(BENCH)/cost: $(BENCH)/obj/cost_ops.o

$(addprefix $(BENCH)/,$(BENCH_PROGS)): $(BENCH)/%: $(BENCH)/obj/%.o
	$(CC) $(CFLAGS) -pthread -o $@ $^ -lm

# What start-up costs when a preload does nothing at all.
$(BENCH)/empty.so: bench/empty.c bench/bench.mk | $(BENCH)/obj
	$(CC) $(CFLAGS) -shared -fPIC -nostartfiles -o $@ $<

$(BENCH)/obj:
	mkdir -p $@

bench-build: all $(addprefix $(BENCH)/,$(BENCH_PROGS)) $(BENCH)/empty.so

bench:
	@sh tools/deps build bench
	@$(MAKE) -s --no-print-directory bench-build
	@BUILD=$(BUILD) bash bench/run

.PHONY: bench bench-build
-include $(wildcard $(BENCH)/obj/*.d)

# make demo: stock Debian programs natively and under the library, side by side; under a minute.
demo:
	@sh tools/deps build demo
	@$(MAKE) -s --no-print-directory all
	@BUILD=$(BUILD) bash bench/demo/run

.PHONY: demo
