# The probe left attached, its maps as bpftool shows them, and the library's own rows in them.
load lib.bash
load probe.bash
setup() { probe_setup; }

@test "pinned, counting after the command has gone; unpinned, nothing left" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    [ "$(stat -c %a $PINS/waits $PINS/waits_fine $PINS/loaded $PINS/slack $PINS/stats | tr '\n' ' ')" = "660 660 660 600 600 " ]
    ids=$(for link in $PINS/links/*; do bpftool -j link show pinned $link | jq .id; done)
    [ $(echo "$ids" | wc -l) -ge 15 ]
    "$PROG/probe_waits" ppoll 100 50000 >/dev/null
    "$HRTIMEOUT" slack --totals --json -c probe_waits >$tmp/json
    [ $(waits_in $tmp/json '.call == "ppoll"') = 100 ]
    "$HRTIMEOUT" slack --unpin
    [ ! -e $PINS ]
    gone() { ! bpftool -j link | jq '.[].id' | grep -qxF "$ids"; }
    until_true 10 gone
END
}

@test "bpftool's plain dump has names for everything" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    "$PROG/probe_waits" ppoll 100 50000 >/dev/null
    bpftool map dump pinned $PINS/slack >$tmp/dump
    for words in '"call": "CALL_PPOLL"' '"abi": "NATIVE"' '"source": "KERNEL"' '"comm": "probe_waits"' \
        '"waits": 100,' '"run_queue_ns": ' '"lt_50us": ' '"ge_100ms": '; do
        grep -qF "$words" $tmp/dump
    done
    bpftool -j map dump pinned $PINS/slack |
        jq -e '[.[].formatted | select(.key.comm == "probe_waits")] | length == 1 and all(
            (.value.late | add) == .value.waits and (.value.parts | add) == .value.late_sum_ns)'
    bpftool -j map dump pinned $PINS/stats | jq -e '.[0].formatted.value | .timed_out >= 100 and
        .armed >= .timed_out + .woken_early + .interrupted + .past + .failed'
END
}

@test "the library counts what the program asked for, as its own clock shows it, in exact mode" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    for round in 1 2 3 4 5; do
        [ $round = 1 ] || { "$HRTIMEOUT" slack --unpin; "$HRTIMEOUT" slack --pin; }
        under exact "$PROG/probe_waits" nanosleep 2000 200000 >$tmp/own
        "$HRTIMEOUT" slack --totals --json -c probe_waits >$tmp/json
        jq -e '.waits | length == 1 and .[0].source == "library" and .[0].waits == 2000' $tmp/json
        own=$(sort -n $tmp/own | sed -n 1000p)
        counted=$(jq '.waits[0].lateness.median_ns' $tmp/json)
        echo "median: the program's $own ns, counted $counted ns"
        # the program's includes the way in and out: 0.1 us, and up to 0.3 us beside busy neighbours
        ! between $((own - 400)) $counted $own || exit 0
    done
    exit 1
END
}

@test "the kernel's lines of a process with the library say stage and are shown only when asked for" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    under timer "$PROG/probe_waits" nanosleep 50 200000 >/dev/null
    "$PROG/probe_waits" nanosleep 20 200000 >/dev/null
    "$HRTIMEOUT" slack --totals --stages --json -c probe_waits >$tmp/json
    [ $(waits_in $tmp/json '.source == "library"') = 50 ]
    [ $(waits_in $tmp/json '.source == "stage"') -ge 50 ]
    [ $(waits_in $tmp/json '.source == "kernel"') = 20 ]
    "$HRTIMEOUT" slack --totals --json -c probe_waits >$tmp/json
    [ $(waits_in $tmp/json true) = 70 ]
END
}

@test "an exec'ed program without the library is the kernel's again" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    under timer bash -c 'read -t 0.05 </dev/zero; unset LD_PRELOAD; exec "$0" nanosleep 50 200000' "$PROG/probe_waits" >/dev/null
    "$HRTIMEOUT" slack --totals --stages --json -c probe_waits >$tmp/json
    [ $(waits_in $tmp/json '.source == "kernel"') = 50 ]
    [ $(waits_in $tmp/json '.source == "stage"') = 0 ]
END
}

@test "a child has rows of its own, its parent named" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    under timer "$PROG/probe_family" >$tmp/out
    set -- $(cat $tmp/out)
    library_rows >$tmp/rows
    cat $tmp/rows
    [ "$(jq "map(select(.owner == $1)) | map([.parent, .waits]) | tojson" -r $tmp/rows)" = "[[0,110]]" ]
    [ "$(jq "map(select(.owner == $2)) | map([.parent, .waits]) | tojson" -r $tmp/rows)" = "[[$1,10]]" ]
    [ "$(jq "map(select(.owner == $3)) | map([.parent, .waits]) | tojson" -r $tmp/rows)" = "[[$1,10]]" ]
    "$HRTIMEOUT" slack --totals --json -c probe_family >$tmp/json
    [ $(waits_in $tmp/json true) = 130 ]
END
}

@test "the rows of ended processes are used again" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    for i in $(seq 600); do
        under timer "$PROG/probe_waits" nanosleep 1 1000 >/dev/null
    done
    library_rows >$tmp/rows
    [ "$(jq 'map(select(.comm == "(others)")) | length' $tmp/rows)" = 0 ]
    between 50 $(jq 'length' $tmp/rows) 500
END
}

@test "with every row taken by living processes no wait is lost" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    under timer "$PROG/probe_crowd" 600
    library_rows >$tmp/rows
    [ "$(jq 'map(select(.comm == "probe_crowd") | .waits) | add' $tmp/rows)" = 500 ]
    [ "$(jq 'map(select(.comm == "(others)") | .waits) | add' $tmp/rows)" = 100 ]
    "$HRTIMEOUT" slack --totals --json >$tmp/json
    [ $(waits_in $tmp/json '.source == "library"') = 600 ]
END
}

@test "no descriptor stays open, nothing is printed, and files still start at 3" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    under timer ls /proc/self/fd >$tmp/with 2>&1
    native ls /proc/self/fd >$tmp/without 2>&1
    cmp $tmp/with $tmp/without
END
}

@test "without the right to the map: silent, not counted; with --world counted" {
    private <<'END'
    cp "$PROG/probe_waits" "$LIB" $tmp/; chmod -R a+rx $tmp
    nobody_waits() { (cd /; LIB=$tmp/libhrtimeout.so; under timer setpriv --reuid 65534 --regid 65534 --clear-groups $tmp/probe_waits nanosleep 20 1000 2>&1 | wc -l); }
    "$HRTIMEOUT" slack --pin
    [ $(nobody_waits) = 20 ]
    library_rows >$tmp/rows
    [ "$(jq 'map(select(.comm == "probe_waits")) | length' $tmp/rows)" = 0 ]
    "$HRTIMEOUT" slack --unpin
    "$HRTIMEOUT" slack --pin --world
    [ $(nobody_waits) = 20 ]
    library_rows >$tmp/rows
    [ "$(jq 'map(select(.comm == "probe_waits") | .waits) | add' $tmp/rows)" = 20 ]
END
}

@test "other maps at the fixed path are left alone" {
    private <<'END'
    mkdir $PINS
    # the right number of entries, so that all of it could be mapped; but another layout
    make_map() { bpftool map create $PINS/$1 type array key 4 value $2 entries $3 name $1 flags 0x400; }
    make_map waits 256 512
    make_map waits_fine 4096 512
    make_map loaded 16 65536
    bpftool map dump pinned $PINS/waits >$tmp/before
    under timer "$PROG/probe_waits" nanosleep 20 1000 >$tmp/out 2>&1
    [ $(grep -cE '^[0-9]+$' $tmp/out) = 20 ]
    bpftool map dump pinned $PINS/waits | cmp - $tmp/before
    rm -r $PINS
END
}

@test "pinned twice, unpinned twice, a command while pinned: each says what to do" {
    private <<'END'
    refused() { local status=0; "$HRTIMEOUT" slack "$@" >$tmp/out 2>$tmp/err || status=$?; [ $status = 125 ]; }
    refused --unpin; grep -q 'nothing is pinned' $tmp/err
    refused --totals; grep -q 'hrtimeout slack --pin. first' $tmp/err
    "$HRTIMEOUT" slack --pin
    refused --pin; grep -q 'already pinned.*--unpin. first' $tmp/err
    refused -- true; grep -q 'the probe is pinned' $tmp/err
END
}

@test "rows of ended processes are folded by name for the textfile, and none is lost" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    for i in $(seq 5); do "$PROG/probe_waits" ppoll 10 50000 >/dev/null; done
    "$HRTIMEOUT" slack --textfile $tmp
    "$HRTIMEOUT" slack --totals --json -c probe_waits >$tmp/json
    jq -e '.waits | length == 1 and .[0].pid == "ended" and .[0].waits == 50' $tmp/json
    grep -q 'hrtimeout_late_seconds_count{process="probe_waits",call="ppoll",abi="64",source="kernel"} 50' $tmp/hrtimeout.prom
END
}
