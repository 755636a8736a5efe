# What the probe needs and may not have: each is named, with what to do, and the exit status is 125.
load lib.bash
load probe.bash
setup() { probe_setup; }

@test "no BTF: named; the library and the command go on without" {
    private <<'END'
    mount -t tmpfs tmpfs /sys/kernel/btf
    status=0; "$HRTIMEOUT" slack -d 0.1 2>$tmp/err || status=$?
    [ $status = 125 ]
    grep -q 'no kernel BTF at /sys/kernel/btf/vmlinux.*CONFIG_DEBUG_INFO_BTF' $tmp/err
    [ "$(wc -l <$tmp/err)" = 1 ]
    "$HRTIMEOUT" run "$PROG/probe_waits" nanosleep 3 1000 >$tmp/out
    [ "$(wc -l <$tmp/out)" = 3 ]
END
}

@test "each capability that is missing is named; with all of them root isn't needed" {
    private <<'END'
    cp "$HRTIMEOUT" $tmp/hrtimeout; chmod -R a+rx $tmp
    with() { # CAPABILITY,...: as nobody with nothing else
        setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "-all,$1" --ambient-caps "-all,$1" \
            --bounding-set "-all,$1" $tmp/hrtimeout slack --json -d 0.2
    }
    refused_for() { # NAME CAPABILITY,...
        local status=0
        with "$2" >$tmp/out 2>$tmp/err || status=$?
        cat $tmp/err
        [ $status = 125 ] && grep -q "needs root, or CAP_BPF.*; $1 is missing" $tmp/err && [ "$(wc -l <$tmp/err)" = 1 ]
    }
    refused_for CAP_BPF +perfmon,+syslog,+dac_read_search
    refused_for CAP_PERFMON +bpf,+syslog,+dac_read_search
    refused_for CAP_SYSLOG +bpf,+perfmon,+dac_read_search
    with +bpf,+perfmon,+syslog,+dac_read_search >$tmp/out
    jq -e .probe $tmp/out
    # without the last, tracefs can't be read: as if it weren't mounted
    with +bpf,+perfmon,+syslog >$tmp/out 2>$tmp/err
    grep -q 'no tracefs' $tmp/err
    jq -e .probe $tmp/out
END
}

@test "no BPF file system: named, with the mount that helps" {
    private <<'END'
    while umount /sys/fs/bpf 2>/dev/null; do :; done
    for option in --pin --unpin; do
        status=0; "$HRTIMEOUT" slack $option 2>$tmp/err || status=$?
        [ $status = 125 ]
        grep -q 'mount -t bpf bpf /sys/fs/bpf' $tmp/err
    done
    "$HRTIMEOUT" slack -d 0.1 >/dev/null
END
}

@test "what makes no sense is refused before anything is attached" {
    private <<'END'
    refused() { local status=0; "$HRTIMEOUT" slack "$@" >/dev/null 2>$tmp/err || status=$?; [ $status = 125 ] && [ -s $tmp/err ]; }
    refused -p 1 -c x
    refused -p nobody
    refused -p 4194304
    refused -d 0
    refused -d 1x
    refused -d 0x1
    refused -d ' 1'
    refused -p +1 -d 1
    refused --world -d 1
    refused --pin --unpin
    refused --plot x.jpg -d 1
    refused --cgroup /etc -d 1
    refused --no-such-option
END
}

@test "without clang, bpftool or libbpf everything else is built, and it says what is left out" {
    private <<'END'
    make -s -C "$ROOT" BUILD=$tmp/build CLANG=no-such-clang $tmp/build/hrtimeout >$tmp/out
    grep -q 'left out: hrtimeout slack.*it needs clang' $tmp/out
    status=0; $tmp/build/hrtimeout slack 2>$tmp/err || status=$?
    [ $status = 125 ]
    grep -q 'left out of this build' $tmp/err
    make -s -n -C "$ROOT" BUILD=$tmp/build BPFTOOL=no-such-bpftool PKG_CONFIG=no-such-pkg-config | grep -q 'it needs bpftool libbpf-dev'
END
}
