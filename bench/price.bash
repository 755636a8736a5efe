# Sections about what the library costs: calls that don't wait, start-up, CPU time.

# stats_file PATH: an empty statistics file, as the command makes it
stats_file() {
    rm -f "$1"
    "$BUILD/hrtimeout" run --stats "$1" -- true >/dev/null
}

# best COLUMN FILE: for each operation of cost's lines the smallest figure of a column
best() {
    awk -v column="$1" '{ if (!($1 in least) || $column < least[$1]) least[$1] = $column }
        END { for (op in least) print op, least[op] }' "$2"
}

section_cost() {
    echo "ns a call that doesn't wait: libc's function in the same process, then as bound in each mode"
    local data=$DATA/cost modes="observe timer exact100" config
    rm -f "$data".*
    if stats_file "$DATA/cost-stats" 2>/dev/null; then
        modes="$modes timer+stats"
    else
        echo "(no statistics file could be made: the column is left out)"
    fi
    for _ in 1 2 3 4 5; do
        for config in $modes; do
            if [ "$config" = timer+stats ]; then
                HRTIMEOUT_STATS=$DATA/cost-stats with timer "$BENCH/cost" >>"$data.$config"
            else
                with "$config" "$BENCH/cost" >>"$data.$config"
            fi
        done
    done
    # Each mode is set against libc's figure from its own processes.
    for config in $modes; do
        best 2 "$data.$config" | sort >"$data.$config.own"
        best 3 "$data.$config" | sort | join "$data.$config.own" - |
            awk -v config="$config" '{ print $1, config, $2, $3 }'
    done >"$data.all"
    cost_table "$data.all" "$modes" "$(awk '!seen[$1]++ { print $1 }' "$data.timer")"
    cost_must "$data.all" zero: 1.03
    cost_must "$data.all" ready:poll: 1.05
    cost_must "$data.all" ready:epoll_wait: 1.05
    cost_must "$data.all" ready:select: 1.15
    must "timer, clock_nanosleep of a past time, ns" "$(cost_of "$data.all" past:clock_nanosleep)" '<=' 100
    must "timer, nanosleep({0,0}) against sched_yield" \
        "$(quotient "$(cost_of "$data.all" nothing:nanosleep)" "$(cost_of "$data.all" sched_yield)")" '<=' 1.2
}

# cost_table ALL MODES OPS: a row for each operation, in the order measured
cost_table() {
    awk -v modes="$2" -v ops="$3" '
        { own[$1, $2] = $3; bound[$1, $2] = $4 }
        END { n = split(modes, mode, " "); m = split(ops, op, "\n"); printf "%-24s %9s", "call", "libc"
              for (i = 1; i <= n; i++) printf " %11s ratio", mode[i]
              print ""
              for (j = 1; j <= m; j++) {
                  printf "%-24s %9.0f", op[j], own[op[j], "timer"]
                  for (i = 1; i <= n; i++) printf " %11.0f %5.3f", bound[op[j], mode[i]], bound[op[j], mode[i]] / own[op[j], mode[i]]
                  print "" } }' "$1"
}

# cost_of ALL OP: ns in timer mode
cost_of() {
    awk -v op="$2" '$1 == op && $2 == "timer" { print $4 }' "$1"
}

# cost_must ALL PREFIX LIMIT: the worst ratio in timer mode of the operations that begin so
cost_must() {
    must "timer, $2* against libc, worst" "$(awk -v prefix="$2" '
        $2 == "timer" && index($1, prefix) == 1 && $4 / $3 > worst { worst = $4 / $3 }
        END { printf "%.3f", worst }' "$1")" '<=' "$3"
}

section_startup() {
    local rounds=1000 faketime variants=("$BENCH/empty.so")
    for faketime in /usr/lib/*/faketime/libfaketime.so.1; do
        [ ! -e "$faketime" ] || variants+=("$faketime")
    done
    echo "/bin/true from fork to wait, $rounds times each in turns, us"
    taskset -c "$(last_cpu)" "$BENCH/startup" "$rounds" /bin/true "${variants[@]}" "$BENCH_LIB" >"$DATA/startup"
    awk 'NR == 1 { base = $2; median = $3; printf "%-20s %14s %7s %9s %7s\n", "preloaded", "lower quartile", "ratio", "median", "ratio" }
        { sub(".*/", "", $1); printf "%-20s %14.1f %7.3f %9.1f %7.3f\n", $1, $2 / 1000, $2 / base, $3 / 1000, $3 / median }' "$DATA/startup"
    must "start-up with the library against without" \
        "$(awk 'NR == 1 { base = $2 } END { printf "%.3f", $2 / base }' "$DATA/startup")" '<=' 1.12
}

# The last of the CPUs this process may use.
last_cpu() {
    taskset -cp $$ | awk -F '[ ,-]' '{ print $NF }'
}

section_budget() {
    echo "nanosleep with a budget of 5 %: time spun and thread CPU in % of elapsed, three turns of a second"
    local data=$DATA/budget ns spun
    stats_file "$data-stats" || { echo "(no statistics file could be made)"; return; }
    printf '%8s %10s %10s %10s %12s\n' "asked us" "spun %" "exact CPU" "timer CPU" "median late"
    for ns in 20000 200000 1000000; do
        stats_file "$data-stats"
        for _ in 1 2 3; do
            HRTIMEOUT_STATS=$data-stats sample -c timer,exact5 -r 1 -w 0 \
                -n $((1000000000 / (ns + 40000))) "nanosleep:$ns"
        done >"$data"
        spun=$("$BENCH/spun" "$data-stats" |
            awk -v elapsed="$(awk '$3 == "exact5" { sum += $4 * ($2 + $6) } END { print sum }' "$data")" '{ printf "%.2f", 100 * $1 / elapsed }')
        awk -v spun="$spun" -v ns="$ns" '{ cpu[$3] += $11 / 30; late[$3] += $7 / 3000 }
            END { printf "%8g %10s %10.1f %10.1f %12.2f\n", ns / 1000, spun, cpu["exact5"], cpu["timer"], late["exact5"] }' "$data"
        must "$((ns / 1000)) us, spun %" "$spun" '<=' 5
    done
    must "1 ms, thread CPU above timer mode's, %" \
        "$(awk '{ cpu[$3] += $11 / 30 } END { printf "%.1f", cpu["exact5"] - cpu["timer"] }' "$data")" '<=' 6
}

# counted MS: how far a process gets that only counts
counted() {
    taskset -c "$(last_cpu)" "$BENCH/share" "$1"
}

# share_of CONFIG NS PIN: counts of a process alone and beside a sleeper on the same CPU; PIN =
# start when the sleeper is on that CPU from its start, else it moves there once it runs
share_of() {
    local config=$1 ns=$2 pin=$3 cpu pid alone wrapper=()
    cpu=$(last_cpu)
    [ "$pin" != start ] || wrapper=(taskset -c "$cpu")
    alone=$(counted 200)
    with "$config" "${wrapper[@]}" "$BENCH/share" 260 "$ns" "$cpu" >/dev/null &
    pid=$!
    echo "$alone $(counted 200)"
    wait "$pid"
}

section_share() {
    echo "a counting process beside a sleeper on the same CPU: % of what it counted alone just before, median of 7"
    local data=$DATA/share config ns pin
    : >"$data"
    for _ in 1 2 3 4 5 6 7; do
        for ns in 100000 1000000; do
            for config in native timer exact5 exact100; do
                echo "$ns $config later $(share_of "$config" "$ns" later)" >>"$data"
            done
            echo "$ns exact5 start $(share_of exact5 "$ns" start)" >>"$data"
        done
    done
    # The middle of seven, in the order measured.
    awk '!seen[$1, $2, $3]++ { print $1, $2, $3 }' "$data" | while read -r ns config pin; do
        awk -v row="$ns $config $pin" '$1 " " $2 " " $3 == row { print row, 100 * $5 / $4 }' "$data" | sort -k 4,4n | sed -n 4p
    done >"$data.kept"
    awk 'BEGIN { printf "%8s  %-9s %-20s %6s\n", "asked us", "sleeper", "on that CPU", "kept %" }
        { printf "%8g  %-9s %-20s %6.1f\n", $1 / 1000, $2, $3 == "start" ? "from its start" : "moved there later", $4 }' "$data.kept"
    for ns in 100000 1000000; do
        must "exact5, $((ns / 1000)) us, the other keeps %" \
            "$(awk -v ns="$ns" '$1 == ns && $2 == "exact5" && $3 == "later" { printf "%.1f", $4 }' "$data.kept")" '>=' 85
    done
}

section_loaded() {
    echo "lateness beside two processes a CPU that only count: a mode that can't help mustn't hurt"
    local data=$DATA/loaded hogs=() i
    for ((i = 0; i < 2 * $(nproc); i++)); do
        "$BENCH/share" 60000 >/dev/null &
        hogs+=($!)
    done
    sample -c native,timer,exact5,exact100 -n 40 -r 15 nanosleep:1000000 select:2000000 poll:5000000 >"$data"
    kill "${hogs[@]}"
    wait "${hogs[@]}" 2>/dev/null || :
    lateness_table "$data"
}

trade_table() {
    awk 'BEGIN { printf "%-9s %8s %9s %9s %9s %9s %7s\n", "margin", "asked us", "margin us", "median", "p90", "p99", "CPU %" }
        { printf "%-9s %8g %9s %9.2f %9.2f %9.2f %7.1f\n", $1, $2 / 1000, $3 == "" ? "" : $3 == "-" ? "-" : sprintf("%.1f", $3 / 1000), $4 / 1000, $5 / 1000, $6 / 1000, $7 / 10 }' "$1"
}

# trades DATA NS [NAME...]: trade's lines with the asked ns put in, then the library's own
trades() {
    local data=$1 ns=$2
    shift 2
    "$BENCH/trade" "$ns" "$@" | awk -v ns="$ns" '{ $1 = $1 " " ns; print }' >>"$data"
    sample -c timer,exact5,exact100 -n 100 -r 10 -w 300 "nanosleep:$ns" |
        awk '{ print $3, $2, "-", $7, $8, $9, $11 }' >>"$data"
}

section_quantiles() {
    echo "1 ms sleeps that wake early and spin, with margins at several quantiles of the thread's own wake-ups"
    : >"$DATA/quantiles"
    trades "$DATA/quantiles" 1000000 none q50 q75 q90 q95 q99
    trade_table "$DATA/quantiles"
}

section_peer() {
    echo "a fixed margin of 125 us, spun with sched_yield, against the library"
    local ns
    : >"$DATA/peer"
    for ns in 20000 200000 1000000 5000000; do
        trades "$DATA/peer" "$ns" fixed125
    done
    trade_table "$DATA/peer"
    if chrt -f 50 true 2>/dev/null; then
        echo "native under SCHED_FIFO:"
        chrt -f 50 "$BENCH/sample" -c native nanosleep:20000 nanosleep:200000 nanosleep:1000000 >"$DATA/fifo"
        lateness_table "$DATA/fifo"
    else
        echo "SCHED_FIFO is refused on this machine: not measured"
    fi
}
