# The command's manners: help, bad input, compare, explain, completion, manual pages.
load lib.bash
bats_require_minimum_version 1.5.0

setup() {
    T=$(mktemp -d)
    unset HRTIMEOUT_MODE HRTIMEOUT_STATS
}

teardown() {
    rm -rf "$T"
}

subcommands() {
    "$HRTIMEOUT" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'
}

refused() { # refused ARGUMENT...: one line on stderr, nothing on stdout, 125
    run --separate-stderr "$HRTIMEOUT" "$@"
    [ "$status" = 125 ] && [ -z "$output" ] && [ "${#stderr_lines[@]}" = 1 ] &&
        [[ ${stderr_lines[0]} == hrtimeout* ]] ||
        { echo "$*: exit $status, '$output', '$stderr'"; return 1; }
}

@test "bad input is refused in one line" {
    refused nonsense
    refused run
    refused run --nonsense true
    refused run --mode fast true
    refused run --slack 0 true
    refused run --slack 1x true
    refused run --cpu 101 true
    refused run --report=xml true
    refused run --report-file /nonexistent/file true
    refused run --stats /nonexistent/file true
    refused run --mode
    HRTIMEOUT_MODE=fast refused run true
    HRTIMEOUT_CPU=0 refused run --report true
    HRTIMEOUT_LIBRARY=/nonexistent/library refused run true
    HRTIMEOUT_LIBRARY="/a b/library" refused run true
    refused report
    refused report /nonexistent
    refused report /etc/passwd
    refused report --format xml /etc/passwd
    refused compare
    refused compare -n 0 -- true
    refused compare -n 3x -- true
    refused compare --plot "$T/x.gif" -- true
    refused compare --stats "$T/s" -- true
    refused check
    refused check /nonexistent
    refused check --pid 0
    refused check --pid -1
    refused check --pid abc
    refused check --pid 4194305
    refused check "$T"
    refused attach
    refused attach abc
    refused attach 4194305
    refused attach --slack 0 $$
    refused attach --slack -5 $$
    refused attach 1 2
    refused detach
    refused detach abc
    refused explain me
}

@test "help is on stdout, exit 0, with examples" {
    for subcommand in $(subcommands); do
        run --separate-stderr "$HRTIMEOUT" "$subcommand" --help
        [ "$status" = 0 ]
        [ -z "$stderr" ]
        [[ $output == "Usage: hrtimeout $subcommand "* ]] || [[ $output == "Usage: hrtimeout $subcommand"* ]]
        [[ $subcommand == detach || $output == *Examples:*hrtimeout\ $subcommand* ]]
    done
    run -125 "$HRTIMEOUT"
    run -0 "$HRTIMEOUT" --version
    [[ $output == "hrtimeout "[0-9]* ]]
}

@test "full disk: output that can't be written is no success" {
    run -125 sh -c '"$0" check /bin/sleep > /dev/full' "$HRTIMEOUT"
    run -125 sh -c '"$0" explain --json > /dev/full' "$HRTIMEOUT"
    # but the program's own status stays what it was
    run -3 "$HRTIMEOUT" run --report-file /dev/full sh -c 'exit 3'
}

@test "compare shows both sides and the ratio" {
    run --separate-stderr "$HRTIMEOUT" compare -n 2 -- perl -e '
        print "not shown\n"; select(undef, undef, undef, 0.002) for 1..50'
    echo "$output"
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [[ $output != *"not shown"* ]]
    [[ ${lines[0]} =~ ^lateness\ +observe\ +timer\ +ratio$ ]]
    [[ ${lines[1]} =~ ^select\ +timeouts\ +100\ +100$ ]]
    [[ ${lines[2]} =~ ^\ +median\ +[0-9.]+\ [num]?s\ +[0-9.]+\ [num]?s\ +[0-9.]+\ x$ ]]
    [[ $output == *"each run"*CPU*time* ]]
}

@test "compare takes the mode, and gives the slack to one side only" {
    run "$HRTIMEOUT" compare -n 1 --json --mode exact --slack 777 -- perl -e '
        open F, ">>", $ARGV[0]; open S, "<", "/proc/self/timerslack_ns";
        print F "$ENV{HRTIMEOUT_MODE} ", <S>; select(undef, undef, undef, 0.001)' "$T/log"
    [ "$status" = 0 ]
    [ "$(cat "$T/log")" = "observe 50000
exact 777" ]
    jq -e '[.runs[].mode] == ["observe", "exact"] and (.calls | length) == 2 and
        all(.calls[]; .call == "select" and .lateness.count == 1)' <<< "$output"
}

@test "compare stops when the command fails, with its status" {
    run -4 --separate-stderr "$HRTIMEOUT" compare -n 5 -- sh -c 'echo x >> "$0"; exit 4' "$T/log"
    [ "$(wc -l < "$T/log")" = 1 ]
    [ "$stderr" = "hrtimeout: compare: the command failed; stopped" ]
    run -127 "$HRTIMEOUT" compare -- /nonexistent
    [ "${#lines[@]}" = 1 ]
}

@test "compare draws both distributions" {
    command -v gnuplot || skip "gnuplot isn't installed (it is only recommended)"
    for kind in svg png; do
        "$HRTIMEOUT" compare -n 1 --plot "$T/it's.$kind" -- \
            perl -e 'select(undef, undef, undef, 0.001) for 1..50' "quote ' and \$(dollar)" > "$T/out"
        [ "$(wc -c < "$T/it's.$kind")" -gt 2000 ]
    done
    grep -q 'observe, median' "$T/it's.svg"
    grep -q 'timer, median' "$T/it's.svg"
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$T/it's.svg"
    [ "$(head -c 8 "$T/it's.png" | od -An -c | tr -d ' ')" = '211PNG\r\n032\n' ]
}

@test "without gnuplot the package is named, before anything runs" {
    run -125 env PATH="$T" "$HRTIMEOUT" compare --plot "$T/x.svg" -- /bin/sh -c ": > '$T/ran'"
    [ "$output" = "hrtimeout: --plot needs gnuplot: install the package gnuplot-nox" ]
    [ ! -e "$T/ran" ]
}

@test "explain has a value and a meaning for each fact" {
    "$HRTIMEOUT" explain --json > "$T/facts"
    jq -e '.facts | length >= 12 and all(.value != "" and (.meaning | endswith(".") or contains("/sys/fs/bpf")))' "$T/facts"
    for what in "clock source" vDSO "high-resolution timers" "timer slack" "proportional slack" \
        "wake-up latency" epoll_pwait2 "system call filter" "CPU quota" "idle states" "kernel BTF" bpffs; do
        jq -e --arg w "$what" 'any(.facts[]; .what == $w)' "$T/facts"
    done
    jq -e '.facts[] | select(.what == "timer slack") | .number == 50000 and .unit == "ns"' "$T/facts"
    # the clock costs something, and less than a context switch
    jq -e '.facts[] | select(.what == "clock source") | .number > 0 and .number < 100000' "$T/facts"
    run -0 "$HRTIMEOUT" explain
    [ "$(grep -c '^    ' <<< "$output")" = "$(jq '.facts | length' "$T/facts")" ]
}

@test "explain finds a CPU quota" {
    group=/sys/fs/cgroup/cpu/hrtimeout-test-$$
    [ -e /sys/fs/cgroup/cpu/cpu.cfs_quota_us ] || group=/sys/fs/cgroup/hrtimeout-test-$$
    mkdir "$group" 2>/dev/null || skip "no cgroup can be made here"
    if [ -e "$group/cpu.cfs_quota_us" ]; then
        echo 50000 > "$group/cpu.cfs_quota_us"
    else
        echo "50000 100000" > "$group/cpu.max" 2>/dev/null || { rmdir "$group"; skip "no CPU controller here"; }
    fi
    run sh -c 'echo $$ > "$1/cgroup.procs" && exec "$0" explain' "$HRTIMEOUT" "$group"
    rmdir "$group"
    [[ $output == *"CPU quota"*"50 % of a core"* ]]
}

@test "manual pages have no fault" {
    command -v mandoc || skip "mandoc isn't installed"
    for page in "$ROOT"/man/*.[1-8]; do
        run mandoc -T lint -W warning "$page"
        [ "$status" = 0 ] || { echo "$output"; return 1; }
    done
}

@test "the manual page has every subcommand and option" {
    for subcommand in $(subcommands); do
        grep -Eq "^\.(Ss|It|Nm|Cm|Ic|Xr).*\b$subcommand\b" "$ROOT/man/hrtimeout.1" ||
            { echo "no $subcommand"; return 1; }
        for option in $("$HRTIMEOUT" "$subcommand" --help | grep -o -- ' --[a-z-]*' | sort -u); do
            case $option in --help | --usage) continue ;; esac
            grep -q -- "Fl Fl ${option#--}\|Fl -${option#--}" "$ROOT"/man/hrtimeout*.[18] ||
                { echo "no $option of $subcommand"; return 1; }
        done
    done
    for variable in $("$HRTIMEOUT" run --help | sed -n 's/.*--\(mode\|slack\|cpu\|eintr\|writeback\|clock\|stats\|sandbox\|only\|skip\)=.*/HRTIMEOUT_\U\1/p'); do
        grep -q "$variable" "$ROOT/man/libhrtimeout.7" || { echo "no $variable"; return 1; }
    done
}

complete_bash() { # complete_bash WORD...: what bash offers for the last word
    PATH=$BUILD:$PATH bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hrtimeout; printf "%s\n" "${COMPREPLY[@]}"' \
        "$ROOT/completions/hrtimeout.bash" hrtimeout "$@"
}

@test "bash completes subcommands, options and values" {
    [ "$(complete_bash '' | sort | paste -sd' ')" = "$(subcommands | sort | paste -sd' ')" ]
    for subcommand in $(subcommands); do
        for option in $("$HRTIMEOUT" "$subcommand" --help | grep -o -- ' --[a-z-]*' | sort -u); do
            case $option in --usage) continue ;; esac
            complete_bash "$subcommand" "$option" | grep -qx -- "$option=\?" ||
                { echo "$subcommand $option isn't completed"; return 1; }
        done
    done
    [ "$(complete_bash run --mode '' | paste -sd' ')" = "observe timer exact" ]
    [ "$(complete_bash run --report= j)" = json ] || [ "$(complete_bash run --report = j)" = json ]
    complete_bash attach '' | grep -qx $$
    [ "$(complete_bash run tru | head -n 1)" = true ]
}

@test "zsh accepts its completion" {
    command -v zsh || skip "zsh isn't installed"
    zsh -n "$ROOT/completions/_hrtimeout"
    # each subcommand and each long option is there
    for subcommand in $(subcommands); do
        grep -q "'$subcommand:" "$ROOT/completions/_hrtimeout"
        for option in $("$HRTIMEOUT" "$subcommand" --help | grep -o -- ' --[a-z-]*' | sort -u); do
            case $option in --help | --usage) continue ;; esac
            grep -q -- "$option" "$ROOT/completions/_hrtimeout" || { echo "no $option"; return 1; }
        done
    done
}

@test "make install puts everything in its place" {
    make -s -C "$ROOT" BUILD="$BUILD" install DESTDIR="$T" PREFIX=/usr
    for file in bin/hrtimeout lib/libhrtimeout.so share/man/man1/hrtimeout.1 share/man/man7/libhrtimeout.7 \
        share/bash-completion/completions/hrtimeout share/zsh/site-functions/_hrtimeout; do
        [ -s "$T/usr/$file" ] || { echo "no $file"; return 1; }
    done
}
