# hrtimeout run --report: what it tells, and that it is as good as not there.
load lib.bash
bats_require_minimum_version 1.5.0

setup() {
    T=$(mktemp -d)
    unset HRTIMEOUT_MODE HRTIMEOUT_STATS
}

teardown() {
    rm -rf "$T"
}

report() { # report ARGUMENT...: the report as JSON in $T/r.json, output and status in the usual places
    run "$HRTIMEOUT" run --report=json --report-file "$T/r.json" "$@"
}

@test "run without --report becomes the program" {
    run bash -c 'echo $$; exec "$0" run sh -c "echo \$\$"' "$HRTIMEOUT"
    [ "${lines[0]}" = "${lines[1]}" ]
}

@test "the report counts each way to end" {
    report perl -e 'select(undef, undef, undef, 0.01) for 1..7; pipe(R, W); my $v = "";
        vec($v, fileno(W), 1) = 1; select(undef, my $w = $v, undef, 1) for 1..3;
        select(undef, undef, undef, 0) for 1..5;'
    [ "$status" = 0 ]
    [ -z "$output" ]
    jq -e '.calls | map(select(.call == "select"))[0] | .timeout == 7 and .ready == 3 and
        .zero == 5 and .early == 0 and .lateness.count == 7 and .waits == 15' "$T/r.json"
    jq -e '.run[0] | .processes == 1 and .mode == "timer" and .elapsed_ns > 70000000' "$T/r.json"
    jq -e '.library[0] | .call == "select" and .stages >= 7' "$T/r.json"
}

@test "children and threads add up" {
    report "$PROG/family"
    jq -e '.run[0].processes == 1 and (.calls[0] | .call == "nanosleep" and .timeout == 30)' "$T/r.json"
    report sh -c 'for i in 1 2 3; do sleep 0.01; done'
    jq -e '.run[0].processes == 4 and .calls[0].timeout == 3' "$T/r.json"
}

@test "a program killed by SIGKILL still has its report, and we die the same way" {
    report perl -e 'select(undef, undef, undef, 0.01) for 1..4; kill 9, $$'
    [ "$status" = 137 ]
    jq -e '.calls[0].timeout == 4' "$T/r.json"
    bash -c '"$1" run --report-file "$2" sh -c "kill -SEGV \$\$" & wait $!; echo $?' - \
        "$HRTIMEOUT" "$T/r" > "$T/out" 2>/dev/null
    [ "$(cat "$T/out")" = 139 ]
}

@test "two runs at once don't mix" {
    "$HRTIMEOUT" run --report=json --report-file "$T/a" perl -e 'select(undef,undef,undef,0.01) for 1..20' &
    "$HRTIMEOUT" run --report=json --report-file "$T/b" perl -e 'select(undef,undef,undef,0.01) for 1..9'
    wait
    [ "$(jq .calls[0].timeout "$T/a")" = 20 ]
    [ "$(jq .calls[0].timeout "$T/b")" = 9 ]
}

@test "the exit status is the program's own" {
    for code in 0 1 42 125 255; do
        report sh -c "exit $code"
        [ "$status" = $code ]
    done
    run -127 "$HRTIMEOUT" run --report-file "$T/r" /nonexistent
    touch "$T/data"
    report "$T/data"
    [ "$status" = 126 ]
    # also where the caller ignores SIGCHLD, which loses statuses
    run timeout -s KILL 60 perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' "$HRTIMEOUT" run \
        --report-file "$T/r" /usr/bin/python3 -c 'import signal, sys
sys.exit(9 if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN else 1)'
    [ "$status" = 9 ]
}

@test "a program that can't be started has no report" {
    run -127 "$HRTIMEOUT" run --report-file "$T/r" /nonexistent
    [ ! -s "$T/r" ]
    [ "${#lines[@]}" = 1 ]
}

wait_for_file() {
    for _ in $(seq 500); do
        [ -e "$1" ] && return 0
        sleep 0.02
    done
    return 1
}

@test "signals sent to us reach the program" {
    for signal in TERM HUP INT USR1 USR2 ALRM; do
        rm -f "$T/up"
        # bash -c, since a shell's background jobs have SIGINT ignored
        perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$HRTIMEOUT" run --report-file "$T/r" perl -e '
            $SIG{$ARGV[0]} = sub { exit 77 }; open F, ">", $ARGV[1]; close F;
            select(undef, undef, undef, 0.1) for 1..200' "$signal" "$T/up" &
        wait_for_file "$T/up"
        kill -"$signal" $!
        status=0
        wait $! || status=$?
        [ "$status" = 77 ] || { echo "$signal: $status"; return 1; }
    done
}

state() { # the state letter of a process
    local text
    text=$(cat "/proc/$1/stat") && text=${text##*) } && echo "${text%% *}"
}

wait_for_state() {
    for _ in $(seq 500); do
        case $(state "$1") in $2) return 0 ;; esac
        sleep 0.02
    done
    echo "process $1 is $(state "$1"), not $2"
    return 1
}

@test "we stop and go on with the program" {
    "$HRTIMEOUT" run --report-file "$T/r" perl -e 'open F, ">", "$ARGV[0]/pid.new"; print F $$; close F;
        rename "$ARGV[0]/pid.new", "$ARGV[0]/pid"; select(undef, undef, undef, 60)' "$T" &
    wait_for_file "$T/pid"
    kill -STOP "$(cat "$T/pid")"
    wait_for_state $! T
    kill -CONT $! # a shell's fg tells the whole group; telling us alone is enough
    wait_for_state $! '[SR]'
    wait_for_state "$(cat "$T/pid")" '[SR]'
    kill -TERM $!
    status=0
    wait $! || status=$?
    [ "$status" = 143 ]
}

@test "no descriptor of ours is in the program" {
    want=$(native "$PROG/fd_list")
    [ "$(native "$HRTIMEOUT" run "$PROG/fd_list")" = "$want" ]
    [ "$(native "$HRTIMEOUT" run --report-file "$T/r" "$PROG/fd_list")" = "$want" ]
    [ "$(native "$HRTIMEOUT" run --report "$PROG/fd_list" 2> "$T/err")" = "$want" ]
}

@test "nobody can shrink the statistics under a program" {
    run "$HRTIMEOUT" run --report-file "$T/r" perl -e '
        truncate($ENV{HRTIMEOUT_STATS}, 0) and print "shrunk"; print "$!\n";
        truncate($ENV{HRTIMEOUT_STATS}, 1 << 20) and print "grown"; print "$!\n"'
    [ "$status" = 0 ]
    [ "${lines[0]}" = "Operation not permitted" ]
    [ "${lines[1]}" = "Operation not permitted" ]
}

@test "where the statistics can't be opened the program runs as ever" {
    cp "$LIB" "$T" && chmod 755 "$T" # for other users to load
    export HRTIMEOUT_LIBRARY=$T/libhrtimeout.so
    for inner in "unshare --user --map-root-user" "unshare --pid --fork" \
        "setpriv --reuid nobody --regid nogroup --clear-groups" "env HRTIMEOUT_STATS=/dev/zero" \
        "env HRTIMEOUT_STATS=$T"; do
        $inner true 2>/dev/null || continue
        run --separate-stderr "$HRTIMEOUT" run --report-file "$T/r" $inner perl -e '
            select(undef, undef, undef, 0.01); print "ran\n"; exit 6'
        [ "$status" = 6 ]
        [ "$output" = ran ]
        [ -z "$stderr" ]
        grep -q "^hrtimeout: " "$T/r"
    done
}

@test "the report in all formats, on stderr and in a file" {
    for format in table json openmetrics; do
        "$HRTIMEOUT" run --report=$format sh -c 'sleep 0.01; echo out' > "$T/out" 2> "$T/err"
        [ "$(cat "$T/out")" = out ]
        "$HRTIMEOUT" run --report=$format --report-file "$T/r" sh -c 'sleep 0.01; echo out' > "$T/out" 2> "$T/none"
        [ "$(cat "$T/out")" = out ]
        [ ! -s "$T/none" ]
        [ "$(grep -c . "$T/r")" -ge 4 ]
        # the same lines but for times
        diff <(sed 's/[0-9].*//; s/  */ /g; s/^ $//' "$T/err" | sort -u) <(sed 's/[0-9].*//; s/  */ /g; s/^ $//' "$T/r" | sort -u)
    done
}

@test "the table" {
    "$HRTIMEOUT" run --report-file "$T/r" perl -e 'select(undef, undef, undef, 0.002) for 1..100'
    cat "$T/r"
    grep -q '^hrtimeout: perl -e .*: 1 process, .* CPU, mode timer$' "$T/r"
    grep -Eq '^call +waits +timeout +median +90th +99th +max$' "$T/r"
    grep -Eq '^select +100 +100 +[0-9.]+ [num]?s ' "$T/r"
    grep -q '^lateness of select$' "$T/r"
    # the histogram's counts are all 100 waits
    sed -n 's/^.* \([0-9]*\) |[# ]*|$/\1/p' "$T/r" > "$T/counts"
    [ "$(awk '{ n += $1 } END { print n }' "$T/counts")" = 100 ]
}

@test "OpenMetrics holds to the format, also with odd arguments" {
    "$HRTIMEOUT" run --report=openmetrics --report-file "$T/r" sh -c 'sleep 0.01 # "q" \ back
        # nl é'
    python3 "$ROOT/tests/openmetrics.py" < "$T/r" > "$T/samples"
    grep -q '^hrtimeout_waits_total{call="nanosleep",end="timeout"} 1$' "$T/samples"
    grep -q '^hrtimeout_lateness_seconds_count{call="nanosleep"} 1$' "$T/samples"
    grep -q '^hrtimeout_lateness_seconds_bucket{call="nanosleep",le="17.179869183"} 1$' "$T/samples"
    grep -q '^hrtimeout_lateness_seconds_bucket{call="nanosleep",le="0.000001023"} 0$' "$T/samples"
    grep -q '^hrtimeout_processes_total{command="sh -c sleep 0.01 # \\"q\\" \\\\ back\\n .*",mode="timer"} 2$' "$T/samples"
}

@test "the format's checker finds faults" {
    good='# TYPE a counter
a_total{x="1"} 1
# EOF'
    python3 "$ROOT/tests/openmetrics.py" <<< "$good"
    ! python3 "$ROOT/tests/openmetrics.py" <<< "${good/_total/}"
    ! python3 "$ROOT/tests/openmetrics.py" <<< "${good/\"1\"/\"1}"
    ! python3 "$ROOT/tests/openmetrics.py" <<< "${good%# EOF}"
    ! python3 "$ROOT/tests/openmetrics.py" <<< "${good/a_total/b_total}"
}

@test "JSON parses, also with odd arguments" {
    report sh -c 'exit 0 # "q" \ back	tab' $'\xff\xfe' $'\x01'
    python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$T/r.json"
    jq -e '.run[0].command | test("\"q\"") and test("\ufffd") and test("\u0001")' "$T/r.json"
}

# percentiles_near MODE: the report's median and 90th percentile of each call are within 12 % of the
# program's own, and 3 us for what lies between its clock reading and ours.
percentiles_near() {
    report --mode $1 "$PROG/own_late" 150 2000
    [ "${#lines[@]}" = 2 ] || { echo "no figures"; return 1; }
    while read -r call median p90; do
        jq -e --argjson m "$median" --argjson p "$p90" --arg c "$call" '
            def near($a; $b): (($a - $b) | fabs) <= 0.12 * $b + 3000;
            .calls[] | select(.call == $c).lateness | near(.median_ns; $m) and near(.p90_ns; $p)' \
            "$T/r.json" >/dev/null || { echo "$1 $call $median $p90"; cat "$T/r.json"; return 1; }
    done <<< "$output"
}

# A program that loses the CPU between the two readings differs by that; a wrong bucket always does.
@test "percentiles are within 12 % of the program's own" {
    local mode round
    for mode in observe timer; do
        for round in 1 2 3 4 5; do
            [ $round = 1 ] || echo "$mode: once more"
            ! percentiles_near $mode || break
            [ $round -lt 5 ]
        done
    done
}

@test "counting costs at most 5 % of a zero-timeout poll" {
    percent=$(python3 "$ROOT/tests/by_turns.py" 1500 "$HRTIMEOUT" run "$PROG/zero_cost" -- \
        "$HRTIMEOUT" run --report-file "$T/r" "$PROG/zero_cost")
    echo "with --report: $percent % of the time without"
    # it did count
    grep -q '^poll  *451500 ' "$T/r"
    [ "${percent%.*}" -lt 105 ]
}

@test "--stats keeps counting in a file that report shows" {
    for _ in 1 2; do "$HRTIMEOUT" run --stats "$T/s" sleep 0.01; done
    "$HRTIMEOUT" report --format json "$T/s" | jq -e '.run[0].processes == 2 and .calls[0].timeout == 2'
    "$HRTIMEOUT" run --stats "$T/s" --report=json --report-file "$T/r.json" sleep 0.01
    jq -e '.run[0].processes == 3 and .calls[0].timeout == 3' "$T/r.json"
    "$HRTIMEOUT" report -f openmetrics "$T/s" | python3 "$ROOT/tests/openmetrics.py" > "$T/samples"
    [ -s "$T/samples" ]
}

# told STATUS WORDS COMMAND...: one line on stderr before the program, which then runs as it would
# have run without us; with a report or not
told() {
    local want=$1 words=$2 lines
    shift 2
    for option in --eintr=return --report-file="$T/r" --quiet; do
        run --separate-stderr "$HRTIMEOUT" run $option "$@"
        [ "$status" = "$want" ] || { echo "$*: exit $status, '$stderr'"; return 1; }
        lines=1
        [ $option = --quiet ] && lines=0
        [ "${#stderr_lines[@]}" = $lines ] && [[ $lines = 0 || $stderr == hrtimeout:*"$words"* ]] ||
            { echo "$*: '$stderr'"; return 1; }
    done
}

@test "a program that isn't reached: one line says why, and it runs as ever" {
    printf 'int main(void) { return 3; }' > "$T/s.c"
    gcc -static -o "$T/static" "$T/s.c" || skip "no static libc"
    told 3 static "$T/static"
    printf '#!%s/static\n' "$T" > "$T/script" && chmod +x "$T/script"
    told 3 "run by $T/static; static" "$T/script"
    gcc -o "$T/plain" "$T/s.c"
    cp "$T/plain" "$T/setuid" && chmod u+s "$T/setuid"
    told 3 set-uid "$T/setuid"
    gcc -fsanitize=address -o "$T/asan" "$T/s.c" && told 3 AddressSanitizer "$T/asan"
    # a 32-bit program can only be read here, not run, and how that fails is the machine's
    python3 "$ROOT/tests/make_elf.py" "$T/prog32" --bits 32 --machine 3 --interp /lib/ld-linux.so.2 \
        --needed libc.so.6 --import poll
    run --separate-stderr "$HRTIMEOUT" run "$T/prog32"
    [ "${stderr_lines[0]}" = "hrtimeout: $T/prog32 isn't reached: no 32-bit x86 hrtimeout library is installed" ]
    [[ $stderr != *"wrong ELF class"* ]]
    # its timer slack is set all the same
    printf '#include <stdio.h>\n#include <sys/prctl.h>
        int main(void) { printf("%%d\\n", prctl(PR_GET_TIMERSLACK)); }' > "$T/p.c"
    gcc -static -o "$T/slack" "$T/p.c"
    [ "$("$HRTIMEOUT" run --quiet "$T/slack")" = 1 ]
    # and the report says that nothing was counted
    "$HRTIMEOUT" run --quiet --report-file "$T/r" "$T/slack"
    grep -q "0 processes.*hrtimeout check" "$T/r"
}

@test "a program that is reached: not a word" {
    cp /bin/sleep "$T/sleep"
    printf 'sleep 0' > "$T/script" && chmod +x "$T/script"
    for command in "/usr/bin/python3 -c 1" "$T/script" "sleep 0" "$T/sleep 0" "env sleep 0"; do
        run "$HRTIMEOUT" run $command
        [ "$status" = 0 ]
        [ -z "$output" ]
    done
}

@test "--only and --skip choose programs" {
    report --only sleep sh -c 'sleep 0.01; perl -e "select(undef, undef, undef, 0.01)"'
    [ "$(jq -r '[.calls[].call] | join(" ")' "$T/r.json")" = nanosleep ]
    report --skip sleep,sh sh -c 'sleep 0.01; perl -e "select(undef, undef, undef, 0.01)"'
    [ "$(jq -r '[.calls[].call] | join(" ")' "$T/r.json")" = select ]
}
