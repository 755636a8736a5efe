# The other ABIs: the same results, the names of the table, nothing that an old or other libc lacks.
load lib
. "$ROOT/tests/abi/abi.bash"
BATS_TEST_TIMEOUT=300

lib_of() {
    if [ "$1" = x86-64 ]; then echo "$LIB"; else echo "$ABI_BUILD/$1/libhrtimeout.so"; fi
}

# The names that a library defines for others, and those it wants from others.
exported() { nm -D --defined-only "$(lib_of "$1")" | awk '{print $3}' | LC_ALL=C sort; }
wanted() { nm -D --undefined-only "$(lib_of "$1")"; }

compare() {
    cd "$ROOT" && bash tests/abi/compare "$1" timer exact
}

@test "i386: every behaviour as natively" {
    compare i386
}

@test "i386, 64-bit time: every behaviour as natively" {
    compare i386/time64
}

@test "armhf: every behaviour as natively" {
    compare armhf
}

@test "armhf, 64-bit time: every behaviour as natively" {
    compare armhf/time64
}

@test "aarch64: every behaviour as natively" {
    compare aarch64
}

@test "musl: every behaviour as natively" {
    compare musl
}

@test "write-back under qemu is what it is on this machine" {
    local set want mode
    # qemu itself aborts on the number of descriptors that comes next.
    as_far_as_qemu() { sed '/^negative nfds/,$d'; }
    want=$(native "$PROG/writeback" libc | as_far_as_qemu)
    [ "$(wc -l <<<"$want")" -gt 40 ]
    for set in armhf armhf/time64 aarch64; do
        for mode in timer exact; do
            diff <(echo "$want") <(abi_under $set $mode writeback libc 2>/dev/null | as_far_as_qemu) ||
                { echo "$set, $mode"; return 1; }
        done
    done
}

@test "a timeval that can't be written: waits, and nothing is written" {
    local set mode got expected=$'idle: 0\nready: 1\nbad: EBADF\ninterrupted: EINTR'
    for set in i386 i386/time64 aarch64 musl; do
        for mode in timer exact; do
            got=$(abi_under $set $mode read_only page 2>&1) || got+=" (exit $?)"
            [ "$got" = "$expected" ] || { echo "$set, $mode: $got"; return 1; }
        done
    done
}

@test "exports: exactly the names of the contract" {
    local common="clock_nanosleep epoll_pwait epoll_wait nanosleep poll ppoll prctl pselect select
        sleep thrd_sleep usleep"
    local glibc="$common __nanosleep __poll __poll_chk __ppoll_chk __select epoll_pwait2"
    local both_times="$glibc __select64 __pselect64 __ppoll64 __nanosleep64 __clock_nanosleep_time64
        __thrd_sleep64 __epoll_pwait2_time64 __ppoll64_chk __prctl_time64"
    for abi in x86-64 $ABI_NAMES; do
        case $abi in
        musl) want=$common ;;
        i386 | armhf) want=$both_times ;;
        *) want=$glibc ;;
        esac
        # shellcheck disable=SC2086 # a list of words
        diff <(printf '%s\n' $want | LC_ALL=C sort) <(exported $abi) || { echo "$abi"; return 1; }
    done
}

# Built and run by hand with Debian's musl-dev:i386, which a machine of another architecture doesn't
# have at hand; here the table alone.
@test "the table names what 32-bit musl has" {
    diff <(printf '%s\n' clock_nanosleep epoll_pwait epoll_wait nanosleep poll ppoll prctl pselect \
        select sleep thrd_sleep usleep __clock_nanosleep_time64 __nanosleep_time64 __ppoll_time64 \
        __pselect_time64 __select_time64 __thrd_sleep_time64 | LC_ALL=C sort) \
        <(printf '%s\n' '#define WRAP(n, v) n' '#define ALIAS(n, o) n' '#include "shim/symbols.h"' |
            i686-linux-gnu-gcc -I"$ROOT" -E -P -x c - | LC_ALL=C sort)
}

@test "thread-local storage is at most 64 bytes, and no version node anywhere" {
    for abi in $ABI_NAMES; do
        size=$(readelf -lW "$(lib_of $abi)" | awk '$1 == "TLS" {print $6}')
        [ $((size)) -gt 0 ] && [ $((size)) -le 64 ] || { echo "$abi: $size"; return 1; }
        [ -z "$(readelf -dW "$(lib_of $abi)" | grep VERDEF)" ]
    done
}

@test "no division of 64 bits is called for: the 32-bit libraries have none" {
    local division='__u?(div|mod|divmod)[dt]i[34]|__aeabi_u?ldivmod'
    for abi in i386 armhf; do
        run grep -E "$division" <(nm "$(lib_of $abi)")
        [ -z "$output" ] || { echo "$abi: $output"; return 1; }
        run grep -cE 'call|bl' <("$(abi_triplet $abi)"-objdump -d "$(lib_of $abi)")
        [ "$output" -gt 100 ]
        run grep -E "(call|bl).*<($division)" <("$(abi_triplet $abi)"-objdump -d "$(lib_of $abi)")
        [ -z "$output" ] || { echo "$abi: $output"; return 1; }
    done
}

# The highest is getauxval's 2.16, and 2.17 where that is an ABI's first. What was in libdl and
# libpthread then has to be weak.
@test "nothing newer than glibc 2.17 is asked for, and libc alone" {
    for abi in x86-64 i386 armhf aarch64; do
        newest=$(wanted $abi | sed -n 's/.*@GLIBC_//p' | sort -V | tail -n 1)
        [ -n "$newest" ]
        [ "$(printf '%s\n' "$newest" 2.17 | sort -V | tail -n 1)" = 2.17 ] || { echo "$abi: $newest: $(wanted $abi | grep "@GLIBC_$newest")"; return 1; }
        [ "$(wanted $abi | grep -Ec ' w (dlsym|pthread_testcancel|pthread_getcpuclockid)@')" = 3 ]
        run grep -E ' U (dl(sym|addr|open|error)|pthread_[^s]|sem_|clock_nanosleep|shm_)' <(wanted $abi)
        [ -z "$output" ] || { echo "$abi: $output"; return 1; }
        needed=$(readelf -dW "$(lib_of $abi)" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
        [ "$needed" = libc.so.6 ] || { echo "$abi: $needed"; return 1; }
    done
}

# A copy of this machine's libc without what came after 2.17 and what was in other libraries then.
@test "loads and works on a libc that ends at 2.17 and has no libdl" {
    local dir=$BATS_TEST_TMPDIR
    mkdir "$dir/lib"
    python3 "$ROOT/tests/abi/cut_libc.py" "$(gcc -print-file-name=libc.so.6)" "$dir/lib/libc.so.6"
    on_old() { "$(loader)" --library-path "$dir/lib" "$@"; }
    loader() { readelf -lW /bin/sh | sed -n 's/.*interpreter: \(.*\)\]/\1/p'; }
    ! on_old /bin/true 2>/dev/null || return 1
    [ "$(on_old "$ABI_BUILD/old_program")" = "slack 50000, no cancellation point, no dlsym" ]
    for mode in timer exact; do
        run env HRTIMEOUT_MODE=$mode "$(loader)" --library-path "$dir/lib" --preload "$LIB" \
            "$ABI_BUILD/old_program"
        [ "$output" = "slack 1, no cancellation point, no dlsym" ] || { echo "$output"; return 1; }
    done
}

@test "one LD_PRELOAD with \$LIB serves both widths" {
    local dir=$BATS_TEST_TMPDIR/root
    mkdir -p "$dir/lib/x86_64-linux-gnu" "$dir/lib/i386-linux-gnu" "$dir/lib32"
    cp "$LIB" "$dir/lib/x86_64-linux-gnu"
    # What $LIB stands for in a 32-bit program is its loader's own affair.
    for place in lib lib/i386-linux-gnu lib32; do cp "$(lib_of i386)" "$dir/$place"; done
    for program in "$PROG/slack_seen" "$(abi_runner i386) $ABI_BUILD/i386/tests/slack_seen"; do
        # shellcheck disable=SC2086 # a list of words
        run env LD_PRELOAD="$dir/\$LIB/libhrtimeout.so" $program
        echo "$output"
        [ "$(grep -c ': 1$' <<<"$output")" -gt 0 ]
        [ "$(grep -c 'ld.so' <<<"$output")" = 0 ]
    done
}

@test "a 64-bit shell that starts a 32-bit child: nothing of ours is printed" {
    local dir=$BATS_TEST_TMPDIR/root
    mkdir -p "$dir/lib/x86_64-linux-gnu" "$dir/lib"
    cp "$LIB" "$dir/lib/x86_64-linux-gnu"
    for place in lib lib/i386-linux-gnu lib32; do
        mkdir -p "$dir/$place" && cp "$(lib_of i386)" "$dir/$place"
    done
    for runner in "$(abi_runner i386)" qemu-i386-static; do
        child="$runner $ABI_BUILD/i386/tests/each_wait 1"
        want=$(native sh -c "$child" 2>&1)
        [ -n "$want" ]
        [ "$(env LD_PRELOAD="$dir/\$LIB/libhrtimeout.so" sh -c "$child" 2>&1)" = "$want" ]
    done
}
