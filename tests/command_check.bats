# hrtimeout check: every reason why the library does or doesn't reach a program.
load lib.bash
bats_require_minimum_version 1.5.0

setup() {
    T=$(mktemp -d)
    cd "$T"
    unset LD_LIBRARY_PATH
}

teardown() {
    cd /
    rm -rf "$T"
}

check() { # check STATUS REACH WORDS ARGUMENT...: one row with this reach whose reason has the words
    local want=$1 reach=$2 words=$3
    shift 3
    run "$HRTIMEOUT" check --json "$@"
    echo "$output"
    [ "$status" = "$want" ] || { echo "exit $status, not $want"; return 1; }
    jq -e --arg r "$reach" --arg w "$words" \
        '.checked[0] | ($r == "" or .reach == $r) and ($w == "" or (.why // "" | contains($w)))' <<< "$output" > jq.out ||
        { echo "not '$reach' with '$words'"; return 1; }
}

make_elf() {
    python3 "$ROOT/tests/make_elf.py" "$@"
}

waits() { # waits OUT FLAG...: a program that imports nanosleep
    local out=$1
    shift
    echo '#include <time.h>
        int main(void) { const struct timespec t = {0, 1}; return nanosleep(&t, 0); }' > waits.c
    gcc -o "$out" waits.c "$@"
}

@test "python3 is reached, by name and by path" {
    check 0 yes "" /usr/bin/python3
    jq -e '.checked[0].waits | contains("select") and contains("poll")' <<< "$output"
    jq -e '.checked[0].kind | contains("64-bit") and contains("glibc")' <<< "$output"
    ln -s /usr/bin/python3 some-python
    PATH=$T:$PATH check 0 yes "" some-python
}

@test "what its libraries import counts too" {
    mkdir lib
    echo '#include <poll.h>
        void inner(void) { poll(0, 0, 1); }' > inner.c
    echo 'void inner(void); void outer(void) { inner(); }' > outer.c
    echo 'void outer(void); int main(void) { outer(); }' > main.c
    gcc -shared -fPIC -o lib/libinner.so inner.c
    gcc -shared -fPIC -o lib/libouter.so outer.c -Llib -linner
    # the four ways to say where a library is
    gcc -o runpath main.c -Llib -louter -Wl,--enable-new-dtags,-rpath,'$ORIGIN/lib' -Wl,-rpath-link,lib
    gcc -o rpath main.c -Llib -louter -Wl,--disable-new-dtags,-rpath,'${ORIGIN}/lib' -Wl,-rpath-link,lib
    gcc -o plain main.c -Llib -louter -Wl,-rpath-link,lib
    # a DT_RPATH holds for what the library needs; the loader agrees
    ./rpath
    check 0 yes "" ./rpath
    jq -e '.imports[0] | .object | endswith("lib/libinner.so")' <<< "$output"
    # but not for what a library with a DT_RUNPATH of its own needs
    mkdir own
    gcc -shared -fPIC -o own/libouter.so outer.c -Llib -linner -Wl,--enable-new-dtags,-rpath,/nonexistent
    gcc -o rpath-own main.c own/libouter.so -Wl,--disable-new-dtags,-rpath,"$T/own:$T/lib"
    run -127 ./rpath-own
    check 0 "no waits" "libinner.so" ./rpath-own
    # a DT_RUNPATH of the program doesn't, so the loader fails here
    run -127 ./runpath
    check 0 "no waits" "libinner.so" ./runpath
    check 0 "no waits" "libouter.so" ./plain
    LD_LIBRARY_PATH=$T/lib check 0 yes "" ./plain
    LD_LIBRARY_PATH=$T/lib check 0 yes "" ./runpath
}

@test "as many libraries as the loader lists" {
    for program in /usr/bin/python3 /bin/bash "$(command -v perl)" "$(command -v gcc)"; do
        # every library that ldd finds and that imports one of the functions is in our list
        "$HRTIMEOUT" check --json "$program" | jq -r '.imports[].object' | xargs -r -n1 realpath | sort > ours
        { echo "$program"; ldd "$program" | awk '$2 == "=>" { print $3 }'; } | xargs -n1 realpath |
            sort -u | while read -r object; do
                if nm -D --undefined-only "$object" |
                    grep -Eqw '(nanosleep|select|poll|ppoll|pselect|usleep|sleep|epoll_wait|clock_nanosleep|__poll_chk)(@.*)?$' &&
                    [[ $object != */libc.so.6 ]]; then
                    echo "$object"
                fi
            done | sort > theirs
        diff ours theirs
    done
}

@test "a static program isn't, nor a static PIE" {
    waits static -static || skip "no static libc"
    check 1 no "static" ./static
    waits static-pie -static-pie
    check 1 no "static" ./static-pie
}

@test "a set-uid copy, a set-gid copy and file capabilities" {
    cp /bin/sleep plain
    check 0 yes "" ./plain
    cp /bin/sleep setuid && chmod u+s setuid
    check 1 no "set-uid" ./setuid
    cp /bin/sleep setgid && chmod g+s setgid
    check 1 no "set-gid" ./setgid
    cp /bin/sleep capable
    # the attribute that setcap writes: version 2, cap_net_raw permitted
    python3 -c 'import os, struct
os.setxattr("capable", "security.capability", struct.pack("<IIIII", 0x02000000, 1 << 13, 0, 0, 0))' ||
        skip "file capabilities can't be set here"
    check 1 no "file capabilities" ./capable
}

@test "a 32-bit program: which library is missing" {
    make_elf prog32 --bits 32 --machine 3 --interp /lib/ld-linux.so.2 --needed libc.so.6 --import poll \
        --import __select64
    check 1 no "no 32-bit x86 hrtimeout library" ./prog32
    jq -e '.checked[0] | .kind == "32-bit x86, glibc" and .waits == "poll, __select64"' <<< "$output"
}

@test "a 32-bit program with the library for both widths" {
    make_elf prog32 --bits 32 --machine 3 --interp /lib/ld-linux.so.2 --needed libc.so.6 --import poll
    mkdir -p both/lib/i386-linux-gnu both/lib/x86_64-linux-gnu
    make_elf both/lib/i386-linux-gnu/libhrtimeout.so --bits 32 --machine 3 --needed libc.so.6 --pie
    cp "$LIB" both/lib/x86_64-linux-gnu/
    HRTIMEOUT_LIBRARY=$T'/both/$LIB/libhrtimeout.so' check 0 yes "" ./prog32
    HRTIMEOUT_LIBRARY=$T'/both/$LIB/libhrtimeout.so' check 0 yes "" /bin/sleep
}

@test "another machine's program, another libc's" {
    make_elf arm --machine 183 --interp /lib/ld-linux-aarch64.so.1 --needed libc.so.6 --import poll
    check 1 no "no 64-bit arm64 hrtimeout library" ./arm
    make_elf musl --interp /lib/ld-musl-x86_64.so.1 --needed libc.musl-x86_64.so.1 --import poll
    check 1 no "musl" ./musl
}

@test "Go programs, static and with C parts" {
    make_elf go --go
    check 1 no "Go" ./go
    make_elf cgo --go --interp /lib64/ld-linux-x86-64.so.2 --needed libc.so.6 --import nanosleep
    check 0 yes "only its C parts" ./cgo
    make_elf go-dynamic --go --interp /lib64/ld-linux-x86-64.so.2 --needed libc.so.6
    check 1 no "Go" ./go-dynamic
}

@test "gcc's AddressSanitizer" {
    waits asan -fsanitize=address || skip "gcc has no AddressSanitizer here"
    check 1 no "libasan.so first" ./asan
    # and it is as we say
    run env LD_PRELOAD="$LIB" ./asan
    [ "$status" != 0 ]
    [[ $output == *"does not come first"* ]]
    asan=$(ldd ./asan | awk '$1 ~ /^libasan/ { print $3 }')
    LD_PRELOAD="$asan:$LIB" ./asan
    waits asan-static -fsanitize=address -static-libasan
    check 0 yes "" ./asan-static
    LD_PRELOAD="$LIB" ./asan-static
}

@test "scripts are followed to their interpreter" {
    printf '#!/bin/dash\n:' > script && chmod +x script
    check 0 "no waits" "run by /bin/dash" ./script
    printf '#! /usr/bin/env -S LC_ALL=C perl -w\n1;' > env-script && chmod +x env-script
    check 0 yes "run by /usr/bin/perl" ./env-script
    waits static -static
    printf '#!%s/static\n' "$T" > on-static && chmod +x on-static
    check 1 no "run by $T/static; static" ./on-static
    printf '#!%s/script\n' "$T" > deep && chmod +x deep
    run "$HRTIMEOUT" check ./deep
    [[ $output == *"run by $T/script; a script, run by /bin/dash"* ]]
    printf ': no first line' > bare && chmod +x bare
    check 0 "" "without a \`#!\` line, run by /bin/sh" ./bare
    chmod -x bare
    check 1 no "neither a program nor a script" ./bare
    printf '#!/nonexistent\n' > dangling && chmod +x dangling
    run "$HRTIMEOUT" check ./dangling
    [ "$status" = 125 ]
    [ "$output" = "hrtimeout: check: /nonexistent: No such file or directory" ]
    printf '#!%s/loop\n' "$T" > loop && chmod +x loop
    check 1 no "" ./loop
}

@test "a program that waits by none of the functions" {
    printf 'int main(void) { return 0; }' > none.c
    gcc -o none none.c
    check 0 "no waits" "none of the functions" ./none
}

@test "fortified names are seen" {
    printf '#include <poll.h>\n#include <stdlib.h>
        int main(int c, char **v) { struct pollfd f[2]; return poll(f, (nfds_t)atoi(v[c - 1]), 0); }' > fort.c
    gcc -O2 -D_FORTIFY_SOURCE=2 -o fort fort.c
    check 0 yes "" ./fort
    jq -e '.checked[0].waits == "__poll_chk"' <<< "$output"
}

@test "a stripped program without section headers" {
    waits plain
    strip -s plain
    objcopy --strip-section-headers plain bare 2>/dev/null || {
        # older binutils: the header's table is made empty by hand
        cp plain bare
        printf '\0\0\0\0\0\0\0\0' | dd of=bare bs=1 seek=40 conv=notrunc status=none
        printf '\0\0\0\0' | dd of=bare bs=1 seek=60 conv=notrunc status=none
    }
    ./bare
    check 0 yes "" ./bare
    jq -e '.checked[0].waits == "nanosleep"' <<< "$output"
}

@test "damaged files are answered, not crashed on" {
    cp /bin/sleep sleep
    for cut in 0 4 20 63 64 100 500 1000 5000 20000; do
        head -c "$cut" sleep > cut
        run "$HRTIMEOUT" check ./cut
        [ "$status" = 0 ] || [ "$status" = 1 ]
    done
    # every byte of the headers and of the dynamic part in turn
    python3 - "$HRTIMEOUT" <<'PY'
import subprocess, sys
good = bytearray(open("sleep", "rb").read())
for at in list(range(16, 900, 7)) + list(range(len(good) - 3000, len(good), 97)):
    bad = bytearray(good)
    bad[at] ^= 0xFF
    open("bad", "wb").write(bad)
    code = subprocess.run([sys.argv[1], "check", "./bad"], capture_output=True, timeout=20).returncode
    if code not in (0, 1):
        sys.exit(f"byte {at}: exit {code}")
PY
}

@test "a running process, with its threads and their slack" {
    perl -e 'sleep 60' &
    check 0 yes "start it again" --pid $!
    jq -e --arg p $! '.checked[0].pid == $p and .threads[0].tid == $p and .threads[0].slack_ns > 0' <<< "$output"
    kill $!
    "$HRTIMEOUT" run perl -e 'open F, ">", "up"; close F; sleep 60' &
    for _ in $(seq 500); do [ -e up ] && break; sleep 0.02; done
    check 0 loaded "" --pid $!
    jq -e '.threads[0].slack_ns == 1' <<< "$output"
    kill $!
}

@test "a process under a system call filter" {
    python3 -c 'import ctypes, struct, time
libc = ctypes.CDLL(None)
allow = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 1, ctypes.addressof(allow)))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0
open("up", "w").close()
time.sleep(60)' &
    for _ in $(seq 500); do [ -e up ] && break; sleep 0.02; done
    check 0 yes "seccomp filter is on" --pid $!
    kill $!
}

@test "--all has a row for a process that was started here" {
    sleep 60 &
    run "$HRTIMEOUT" check --all --json
    kill $!
    [ "$status" = 0 ] || [ "$status" = 1 ]
    jq -e --arg p $! '.checked[] | select(.pid == $p) | .reach == "yes" and .waits == "nanosleep"' <<< "$output"
    run "$HRTIMEOUT" check --all
    [[ ${lines[0]} == "name "*" pid "*" reached "* ]]
}

@test "the table for people" {
    cp /bin/sleep setuid && chmod u+s setuid
    run "$HRTIMEOUT" check /bin/sleep ./setuid
    echo "$output"
    [ "$status" = 1 ]
    [[ ${lines[0]} =~ ^name\ +reached\ +kind\ +"waits by"\ +why$ ]]
    [[ ${lines[1]} =~ ^/bin/sleep\ +yes\ +64-bit\ .*,\ glibc\ +nanosleep\ +-$ ]]
    [[ ${lines[2]} =~ ^./setuid\ +no\ .*set-uid:\  ]]
}

@test "a library that is a FIFO or a device isn't opened" {
    mkfifo fifo
    make_elf fifo-user --needed "$T/fifo" --needed /dev/ptmx --interp /lib64/ld-linux-x86-64.so.2
    run timeout 20 "$HRTIMEOUT" check --json ./fifo-user
    echo "$output"
    [ "$status" != 124 ]
    [[ $output == *"libraries not found: $T/fifo, /dev/ptmx"* ]]
}

@test "libraries without a name" {
    make_elf nameless --needed none.so --needed "" --needed "" --interp /lib64/ld-linux-x86-64.so.2
    run timeout 20 "$HRTIMEOUT" check ./nameless
    echo "$output"
    [ "$status" = 1 ] || [ "$status" = 0 ]
}

@test "nothing that a terminal obeys is printed" {
    local name=$'./a\e[2J\xc2\x9b2J\xff\u00e9'
    cp /bin/sleep "$name"
    run "$HRTIMEOUT" check "$name"
    [[ ${lines[1]} == $'./a?[2J??2J?\u00e9 '* ]]
    rm "$name"
    run "$HRTIMEOUT" check "$name"
    [[ $output == $'hrtimeout: check: ./a?[2J??2J?\u00e9: No such file or directory' ]]
}

@test "several files: the worst decides" {
    make_elf go --go
    run "$HRTIMEOUT" check --json /bin/sleep ./go
    [ "$status" = 1 ]
    [ "$(jq -c '[.checked[].reach]' <<< "$output")" = '["yes","no"]' ]
    run "$HRTIMEOUT" check /bin/sleep ./missing
    [ "$status" = 125 ]
    [[ $output == *"hrtimeout: check: ./missing: No such file or directory"* ]]
    [[ $output == *"/bin/sleep"*"yes"* ]]
}
