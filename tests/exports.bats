# What the library shows to the loader, and what it asks of it.
load lib

@test "exactly the table's names are exported" {
    diff <(sed -nE 's/^(WRAP|ALIAS)\(([a-z_0-9]+),.*/\2/p' "$ROOT/shim/symbols.h" | sort) \
        <(nm -D --defined-only "$LIB" | awk '{print $3}' | sort)
}

@test "every name of the contract for 64-bit glibc is among them" {
    local names
    names=$(nm -D --defined-only "$LIB" | awk '{print $3}')
    for name in poll __poll ppoll __poll_chk __ppoll_chk select __select pselect epoll_wait \
        epoll_pwait epoll_pwait2 nanosleep __nanosleep clock_nanosleep usleep sleep thrd_sleep prctl; do
        grep -qx "$name" <<<"$names" || { echo "no $name"; return 1; }
    done
}

@test "no version node: one would silently switch interposition off" {
    [ -z "$(readelf -dW "$LIB" | grep VERDEF)" ]
    [ -z "$(nm -D --defined-only "$LIB" | grep @)" ]
}

@test "TLS: at most 64 bytes, initial-exec" {
    local size
    size=$(readelf -lW "$LIB" | awk '$1 == "TLS" {print $6}')
    [ $((${size:-0})) -le 64 ]
    [ -z "$(nm -D "$LIB" | grep __tls_get_addr)" ]
    # Flagged by the linker when a reference is initial-exec.
    [ -z "$size" ] || readelf -dW "$LIB" | grep -q STATIC_TLS
    [ -z "$(readelf -rW "$LIB" | grep -E 'DTPMOD|TLSDESC')" ]
}

@test "what it needs of libc is listed here" {
    # None of these prints, exits, aborts or allocates.
    local allowed="__curbrk __errno_location __progname __sched_cpucount access close dladdr dlsym fstat
        getauxval getenv gnu_get_libc_version memcmp memcpy memmove memset mmap munmap open
        personality program_invocation_short_name pthread_testcancel read sbrk sched_getaffinity
        sched_getscheduler sched_yield secure_getenv strchrnul strcmp strlen strrchr strstr syscall"
    run comm -13 <(tr -s ' \n' '\n\n' <<<"$allowed" | grep . | sort) \
        <(nm -D --undefined-only "$LIB" | awk '{print $2}' | sed 's/@.*//' | sort)
    [ -z "$output" ] || { echo "not listed: $output"; return 1; }
}

@test "it depends on libc alone, has unwind tables and no writable code or executable stack" {
    [ "$(readelf -dW "$LIB" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')" = libc.so.6 ]
    readelf -SW "$LIB" | grep -q '\.eh_frame '
    readelf -lW "$LIB" | awk '$1 == "GNU_STACK" {found = $7 == "RW"} END {exit !found}'
    [ -z "$(readelf -dW "$LIB" | grep TEXTREL)" ]
    [ -z "$(readelf -lW "$LIB" | grep -E 'LOAD.* RWE ')" ]
}

@test "the aliases act as the names that they stand for" {
    local trace=$BATS_TEST_TMPDIR/trace
    same "$PROG/aliases"
    # In exact mode poll and select wait by ppoll.
    native strace -o "$trace" -E LD_PRELOAD="$LIB" -E HRTIMEOUT_MODE=exact "$PROG/aliases" \
        >"$BATS_TEST_TMPDIR/out"
    sed -i '1,/^getppid/d' "$trace"
    [ "$(grep -c '^ppoll' "$trace")" = 2 ]
    [ "$(grep -c 'TIMER_ABSTIME' "$trace")" = 1 ]
}
