# Sections about when waits end. Lateness is return minus deadline; all tables are in us.
# sample's columns: call ns config count min mean p50 p90 p99 max cpu_permille switches_permille
SLEEPS=(nanosleep usleep clock_nanosleep clock_absolute thrd_sleep)
WAITS=(select pselect poll ppoll epoll_wait epoll_pwait epoll_pwait2)

sample() {
    "$BENCH/sample" "$@"
}

lateness_table() {
    awk 'BEGIN { printf "%-16s %8s  %-9s %9s %9s %9s %9s %7s\n", "call", "asked us", "config", "median", "p90", "p99", "max", "CPU %" }
        { if (last != "" && last != $1 " " $2) print ""; last = $1 " " $2
          printf "%-16s %8g  %-9s %9.2f %9.2f %9.2f %9.1f %7.1f\n", $1, $2 / 1000, $3, $7 / 1000, $8 / 1000, $9 / 1000, $10 / 1000, $11 / 10 }' "$1"
}

# worst DATA COLUMN CONFIG NAME...: the largest figure (ns) of the calls, in us
worst() {
    local data=$1 column=$2 config=$3
    shift 3
    awk -v column="$column" -v config="$config" -v names=" $* " \
        '$3 == config && index(names, " " $1 " ") && $column > worst { worst = $column } END { printf "%.3f", worst / 1000 }' "$data"
}

# worst_ratio DATA CONFIG BASE NAME...: the largest median against the same call's under BASE
worst_ratio() {
    local data=$1 config=$2 base=$3
    shift 3
    awk -v config="$config" -v base="$base" -v names=" $* " '
        index(names, " " $1 " ") { median[$1, $2, $3] = $7; seen[$1 SUBSEP $2] }
        END { for (s in seen) { r = median[s, config] / median[s, base]; if (r > worst) worst = r }
              printf "%.4g", worst }' "$data"
}

section_jitter() {
    echo "nanosleep, elapsed us: what was asked, the longest, the shortest, the largest error"
    local data=$DATA/jitter ns
    sample -c native,native1,timer,exact100 -n 100 -r 10 -w 300 \
        nanosleep:1000 nanosleep:10000 nanosleep:100000 nanosleep:1000000 >"$data"
    awk 'BEGIN { printf "%8s  %-9s %9s %9s %9s %9s %9s %9s\n", "asked us", "config", "max", "min", "error", "mean", "median", "p99" }
        { printf "%8g  %-9s %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f\n", $2 / 1000, $3, ($2 + $10) / 1000,
            ($2 + $5) / 1000, $10 / 1000, ($2 + $6) / 1000, ($2 + $7) / 1000, ($2 + $9) / 1000 }' "$data"
    echo "native1 is native with 1 ns of timer slack"
    must "timer, median lateness against native with 1 ns slack, worst" \
        "$(worst_ratio "$data" timer native1 nanosleep)" '<=' 1.05
    must "timer, median lateness against native, worst" \
        "$(worst_ratio "$data" timer native nanosleep)" '<=' 0.65
    must "exact, 1 us asked, mean us" \
        "$(of "$data" nanosleep 1000 exact100 6 | awk '{ printf "%.3f", ($1 + 1000) / 1000 }')" '<=' 1.3
}

section_sweep() {
    local data=$DATA/sweep us points=()
    for us in 1 2 5 10 {20..2000..20}; do points+=("select:${us}000"); done
    sample -c native,timer,exact100 -n 15 -r 2 -w 10 "${points[@]}" >"$data"
    awk '{ us = $2 / 1000; late[us, $3] = $7 / 1000; if (us != last) order[++n] = us; last = us }
        END { print "# select: us asked, median lateness in us: native timer exact"
              for (i = 1; i <= n; i++) { us = order[i]
                  printf "%d %.3f %.3f %.3f\n", us, late[us, "native"], late[us, "timer"], late[us, "exact100"] } }' \
        "$data" >"$BENCH/sweep.dat"
    awk '/^#/ || $1 <= 20 || $1 % 200 == 0' "$BENCH/sweep.dat"
    if command -v gnuplot >/dev/null; then
        gnuplot -e "data='$BENCH/sweep.dat'; picture='$BENCH/sweep.png'" bench/sweep.gp
        echo "all points: $BENCH/sweep.dat, drawn in $BENCH/sweep.png"
    else
        echo "all points: $BENCH/sweep.dat (no gnuplot, no picture)"
    fi
}

section_calls() {
    local data=$DATA/calls call ns points=()
    for call in "${SLEEPS[@]}" "${WAITS[@]}"; do
        for ns in 20000 200000 1000000 5000000; do
            case $call:$ns in
            poll:*00000 | epoll_wait:*00000 | epoll_pwait:*00000) [ "$ns" -ge 1000000 ] || continue ;;
            poll:* | epoll_wait:* | epoll_pwait:*) continue ;;
            esac
            points+=("$call:$ns")
        done
    done
    sample -c native,timer,exact5,exact100 -n 25 -r 6 -w 50 "${points[@]}" >"$data"
    lateness_table "$data"
    must "exact, sleeps, median us, worst" "$(worst "$data" 7 exact100 "${SLEEPS[@]}")" '<=' 0.5
    must "exact, sleeps, p90 us, worst" "$(worst "$data" 8 exact100 "${SLEEPS[@]}")" '<=' 2
    must "exact, sleeps, median against native, worst" "$(worst_ratio "$data" exact100 native "${SLEEPS[@]}")" '<=' 0.005
    must "exact, descriptors, median us, worst" "$(worst "$data" 7 exact100 "${WAITS[@]}")" '<=' 2
    must "exact, descriptors, median against native, worst" "$(worst_ratio "$data" exact100 native "${WAITS[@]}")" '<=' 0.0333
    must "exact, CPU % of a core in 1 ms nanosleeps" \
        "$(of "$data" nanosleep 1000000 exact100 11 | awk '{ print $1 / 10 }')" '<=' 5
}

# long_waits NICE DATA CALL...: waits of 1 s, all at the same time, their starts spread out
long_waits() {
    local nice=$1 data=$2 call pids=()
    shift 2
    for call; do
        nice -n "$nice" "$BENCH/sample" -p -c native,timer,exact5 -n 4 -r 4 -w 2 "$call:1000000000" >"$data.$call" &
        pids+=($!)
        sleep 0.08
    done
    wait "${pids[@]}"
    for call; do cat "$data.$call"; done >"$data"
}

section_long() {
    echo "waits of 1 s with an idle descriptor; wake-ups are voluntary context switches a wait"
    local nice data calls=(select poll ppoll epoll_wait)
    for nice in 0 5; do
        data=$DATA/long.$nice
        long_waits "$nice" "$data" "${calls[@]}"
        awk -v nice="$nice" 'BEGIN { printf "%-11s %4s  %-7s %9s %9s %9s %8s\n", "call", "nice", "config", "median", "p90", "max", "wake-ups" }
            { printf "%-11s %4d  %-7s %9.2f %9.2f %9.1f %8.2f\n", $1, nice, $3, $7 / 1000, $8 / 1000, $10 / 1000, $12 / 1000 }' "$data"
        must "timer, nice $nice, median against native, worst" \
            "$(worst_ratio "$data" timer native "${calls[@]}")" '<=' "$([ "$nice" = 0 ] && echo 0.125 || echo 0.0333)"
        must "timer, nice $nice, wake-ups a wait, worst" "$(worst "$data" 12 timer "${calls[@]}")" '<=' 2
        must "exact5, nice $nice, median us, worst" "$(worst "$data" 7 exact5 "${calls[@]}")" '<=' 10
    done
}

section_pace() {
    echo "programs that keep a rhythm by sleeping; steps in us"
    local data=$DATA/pace what config
    : >"$data"
    for what in loop replay frames; do
        for _ in 1 2 3; do
            for config in native timer exact5 exact100; do
                echo "$what $config $(with "$config" "$BENCH/pace" "$what")" >>"$data"
            done
        done
    done
    # The middle one of three runs by elapsed time, in the order measured.
    for what in loop replay frames; do
        for config in native timer exact5 exact100; do
            grep "^$what $config " "$data" | sort -k 3,3n | sed -n 2p
        done
    done >"$data.median"
    awk 'BEGIN { printf "%-7s %-9s %9s %9s %10s %10s %10s %10s\n", "what", "config", "took ms", "ideal ms", "mean", "p1", "median", "p99" }
        { printf "%-7s %-9s %9.2f %9.2f %10.2f %10.2f %10.2f %10.2f\n", $1, $2, $3 / 1e6, $4 / 1e6, $5 / 1e3, $6 / 1e3, $7 / 1e3, $8 / 1e3 }' "$data.median"
    for config in exact5 exact100; do
        must "$config, 1 kHz loop against ideal" "$(pace_ratio "$data.median" loop "$config")" '<=' 1.005
        must "$config, 2000-packet replay against ideal" "$(pace_ratio "$data.median" replay "$config")" '<=' 1.01
        must "$config, the same, never below ideal" "$(pace_ratio "$data.median" replay "$config")" '>=' 1
        must "$config, 60 Hz limiter, median frame's distance from 16.67 ms, ms" \
            "$(awk -v config="$config" '$1 == "frames" && $2 == config { d = $7 / 1e6 - 1000 / 60; printf "%.4f", d < 0 ? -d : d }' "$data.median")" '<=' 0.05
    done
}

# pace_ratio DATA WHAT CONFIG: elapsed over ideal
pace_ratio() {
    awk -v what="$2" -v config="$3" '$1 == what && $2 == config { printf "%.5f", $3 / $4 }' "$1"
}

section_early() {
    local waits=${BENCH_EARLY:-1000000} config
    echo "$waits waits of all calls, 0.5 us to 200 ms, in each mode; least is the smallest lateness in ns"
    for config in observe timer exact100; do
        with "$config" "$BENCH/early" "$waits" 400 >"$DATA/early.$config" || :
        awk -v config="$config" '{ waits += $2; early += $3; if (NR == 1 || $4 < least) least = $4 }
            END { printf "%-9s %8d waits, %d early, least %d ns\n", config, waits, early, least }' "$DATA/early.$config"
        must "$config, early waits" "$(awk '{ n += $3 } END { print n + 0 }' "$DATA/early.$config")" '<=' 0
    done
}
