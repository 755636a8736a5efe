# What the library shows to the loader, and what it asks of it.
load lib

exported() {
    nm -D --defined-only "$LIB" | awk '{print $3}' | LC_ALL=C sort
}

@test "exactly the table's names are exported" {
    diff <(printf '%s\n' '#include <features.h>' '#define WRAP(n, v) n' '#define ALIAS(n, o) n' \
        '#include "shim/symbols.h"' | ${CC:-cc} -I"$ROOT" -E -P - | LC_ALL=C sort) <(exported)
}

@test "on 64-bit glibc these are the names of the contract" {
    [ "$(getconf LONG_BIT)" = 64 ] || skip "the names of a 64-bit library"
    [ "$(exported | paste -sd' ')" = "__nanosleep __poll __poll_chk __ppoll_chk __select \
clock_nanosleep epoll_pwait epoll_pwait2 epoll_wait nanosleep poll ppoll prctl pselect select \
sleep thrd_sleep usleep" ]
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
    local allowed="__curbrk __environ __errno_location __fxstat64 __progname __sched_cpucount access close
        dl_iterate_phdr dlsym environ getauxval getenv gnu_get_libc_version memcmp
        memcpy memmove memset mmap munmap open personality program_invocation_short_name
        pthread_getcpuclockid pthread_self pthread_testcancel read sbrk sched_getaffinity sched_getscheduler sched_yield strchr
        strchrnul strcmp strlen strncmp strrchr strstr syscall"
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
