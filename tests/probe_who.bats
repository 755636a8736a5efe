# Whose waits the probe counts, and as what.
load lib.bash
load probe.bash
setup() { probe_setup; }

@test "one of each end: each in its own counter" {
    private <<'END'
    "$HRTIMEOUT" slack --json -- "$PROG/probe_ends" >$tmp/json
    cat $tmp/json
    [ $(counter $tmp/json timed_out) = 3 ] # one of its own, one of each child
    [ $(counter $tmp/json past) = 1 ]
    [ $(counter $tmp/json woken_early) = 1 ]
    [ $(counter $tmp/json interrupted) = 2 ]
    [ $(counter $tmp/json failed) = 0 ]
    [ $(counter $tmp/json armed) = 7 ]
    [ $(waits_in $tmp/json true) = 3 ]
END
}

@test "stopped and continued: one wait, late by its own deadline" {
    private <<'END'
    # not $HRTIMEOUT itself is stopped, but the command it started
    "$HRTIMEOUT" slack --json -- "$PROG/probe_waits" nanosleep 1 1000000000 >$tmp/out &
    measuring=$!
    waits() { child=$(pgrep -P $measuring -x probe_waits); }
    until_true 10 waits
    sleep 0.3
    kill -STOP $child; sleep 0.2; kill -CONT $child
    wait $measuring
    sed -n '/^{/,$p' $tmp/out >$tmp/json
    [ $(counter $tmp/json restarted) = 1 ]
    [ $(counter $tmp/json timed_out) = 1 ]
    [ $(counter $tmp/json armed) = 1 ]
    between 0 $(jq '.waits[0].lateness.max_ns' $tmp/json) 100000000
END
}

@test "threads are one line, children and grandchildren one each" {
    private <<'END'
    "$HRTIMEOUT" slack --json -- "$PROG/probe_family" >$tmp/out
    sed -n '/^{/,$p' $tmp/out >$tmp/json
    set -- $(grep -E '^[0-9]+$' $tmp/out)
    [ $# = 3 ]
    [ $(waits_in $tmp/json ".pid == \"$1\"") = 110 ]
    [ $(waits_in $tmp/json ".pid == \"$2\"") = 10 ]
    [ $(waits_in $tmp/json ".pid == \"$3\"") = 10 ]
    [ $(waits_in $tmp/json true) = 130 ]
END
}

@test "followed into a PID namespace" {
    private <<'END'
    "$HRTIMEOUT" slack --json -- unshare --pid --fork "$PROG/probe_waits" nanosleep 50 50000 >$tmp/out
    sed -n '/^{/,$p' $tmp/out >$tmp/json
    [ $(waits_in $tmp/json '.process == "probe_waits"') = 50 ]
END
}

@test "in a PID namespace of its own it says why it can't, but -c works" {
    private <<'END'
    not unshare --pid --fork --mount-proc "$HRTIMEOUT" slack -- true 2>$tmp/err
    grep -q 'PID namespace.*use -c, --cgroup or --all' $tmp/err
    unshare --pid --fork --mount-proc bash -c '. "$1/tests/lib.bash"; . "$1/tests/probe.bash"; tmp=$2
        measure -c probe_waits; "$PROG/probe_waits" nanosleep 50 50000 >/dev/null; measured' x "$ROOT" $tmp
    [ $(waits_in $tmp/json '.process == "probe_waits"') = 50 ]
END
}

@test "-p PID: that process only" {
    private <<'END'
    mkfifo $tmp/go
    bash -c 'read -r line <"$1"; exec "$0" nanosleep 50 50000' "$PROG/probe_waits" $tmp/go >/dev/null &
    target=$!
    "$PROG/probe_waits" nanosleep 100000 10000000 >/dev/null &
    other=$!
    measure -p $target
    echo go >$tmp/go
    wait $target
    measured
    kill $other
    [ $(waits_in $tmp/json ".pid == \"$target\"") = 50 ]
    [ $(waits_in $tmp/json true) = 50 ]
END
}

# in_group OPTION: with `slack OPTION` only what runs in $group and below is measured
in_group() {
    local status=0
    mkdir -p "$group/below" "$group-beside" || skip "control groups can't be made here"
    private <<END || status=$?
    PATH=\$tmp/bin:\$PATH
    mkdir \$tmp/bin
    cp "\${STAND_IN:-/bin/false}" \$tmp/bin/systemctl
    measure $1
    bash -c 'echo \$\$ >$group/below/cgroup.procs; exec "\$0" nanosleep 50 50000' "\$PROG/probe_waits" >/dev/null
    bash -c 'echo \$\$ >$group-beside/cgroup.procs; exec "\$0" nanosleep 70 50000' "\$PROG/probe_waits" >/dev/null
    measured
    [ \$(waits_in \$tmp/json true) = 50 ]
END
    rmdir "$group/below" "$group" "$group-beside"
    return $status
}

@test "--cgroup DIR and --unit UNIT: what runs there and below" {
    root=/sys/fs/cgroup
    [ "$(stat -f -c %T $root)" = cgroup2fs ] || root=/sys/fs/cgroup/unified
    [ "$(stat -f -c %T $root 2>/dev/null)" = cgroup2fs ] || skip "no control groups of version 2 here"
    group=$root/hrtimeout-test-$$
    in_group "--cgroup $group"
    # A system's manager is asked for the unit's group; here one that knows just this unit.
    export STAND_IN=$BATS_TEST_TMPDIR/systemctl
    cat >"$STAND_IN" <<END
#!/bin/sh
[ "\$*" = "show --property ControlGroup --value -- some@unit.service" ] && echo "/${group##*/}"
END
    chmod +x "$STAND_IN"
    in_group "--unit some@unit.service"
}

@test "a unit that isn't there, or can't be one, is refused in one line" {
    for unit in nowhere.service 'a;b' "a'b" ''; do
        run "$HRTIMEOUT" slack --unit "$unit" -d 1
        [ "$status" = 125 ] && [ "${#lines[@]}" = 1 ] || { echo "'$unit': $status $output"; return 1; }
    done
}

@test "the command's exit status; 127 and 126 as any wrapper's" {
    private <<'END'
    status=0; "$HRTIMEOUT" slack -- sh -c 'exit 3' >/dev/null || status=$?; [ $status = 3 ]
    status=0; "$HRTIMEOUT" slack -- /nowhere >/dev/null 2>&1 || status=$?; [ $status = 127 ]
    status=0; "$HRTIMEOUT" slack -- /etc/passwd >/dev/null 2>&1 || status=$?; [ $status = 126 ]
END
}

@test "a SIGTERM reaches the command, and the result is shown all the same" {
    private <<'END'
    "$HRTIMEOUT" slack -- bash -c 'trap "exit 5" TERM; "$0" nanosleep 1 1000 >/dev/null; echo started >"$1"; while :; do sleep 0.01; done' \
        "$PROG/probe_waits" $tmp/started >$tmp/out &
    measuring=$!
    until_true 10 test -s $tmp/started
    kill -TERM $measuring
    status=0; wait $measuring || status=$?
    [ $status = 5 ]
    grep -q '^probe_waits .* 1 ' $tmp/out
END
}

@test "a second one is refused; kill -9 leaves nothing attached" {
    private <<'END'
    "$HRTIMEOUT" slack -d 60 >/dev/null &
    first=$!
    until_true 20 is_attached $first
    ids=$(links_of $first)
    status=0; "$HRTIMEOUT" slack -d 1 2>$tmp/err || status=$?
    [ $status = 125 ]
    grep -q 'another .hrtimeout slack. is measuring' $tmp/err
    gone() { ! bpftool -j link | jq '.[].id' | grep -qxF "$ids"; }
    not gone
    kill -9 $first
    until_true 10 gone
    works() { "$HRTIMEOUT" slack -d 0.1 >/dev/null 2>&1; }
    until_true 10 works
END
}
