# The Debian packages: built, without an error of lintian's (make deb fails on one), installed into a
# root of their own, used there.
load lib
. "$ROOT/tests/abi/abi.bash"
BATS_TEST_TIMEOUT=300
DEBS=$BUILD/deb

setup_file() {
    make -C "$ROOT" BUILD="$BUILD" deb >"$BATS_FILE_TMPDIR/log" 2>&1 ||
        { tail -n 30 "$BATS_FILE_TMPDIR/log"; return 1; }
}

# copy_with_libraries PROGRAM TARGET: into the root, and every library that it needs to its own place
copy_with_libraries() {
    install -D "$1" "$root$2"
    for library in $(ldd "$1" | grep -o '/[^ ]*'); do
        [ -e "$root$library" ] || install -D "$library" "$root$library"
    done
}

# What was installed, and the little that a program needs beside it.
make_root() {
    root=$BATS_TEST_TMPDIR/root
    mkdir -p "$root/var/lib/dpkg/"{info,updates} "$root/dev"
    touch "$root/var/lib/dpkg/status"
    dpkg --root="$root" --add-architecture i386
    dpkg --root="$root" --force-depends --install "$DEBS"/libhrtimeout_*.deb "$DEBS"/hrtimeout_*.deb
    copy_with_libraries /bin/sh /bin/sh
    copy_with_libraries "$PROG/slack_seen" /slack64
    for library in $(ldd "$root/usr/bin/hrtimeout" | grep -o '/[^ ]*'); do
        [ -e "$root$library" ] || install -D "$library" "$root$library"
    done
    install -D "$ABI_BUILD/i386/tests/slack_seen" "$root/slack32"
    for file in ld-linux.so.2 libc.so.6; do
        install -D /usr/i686-linux-gnu/lib/$file "$root/usr/i686-linux-gnu/lib/$file"
    done
}

slack_of() {
    sed 's/.*: //' | sort -u | paste -sd' '
}

@test "what the packages hold" {
    local arch
    arch=$(dpkg --print-architecture)
    holds() { # PACKAGE_ARCHITECTURE FILE
        dpkg-deb --contents "$DEBS/${1%_*}"_*_"${1#*_}.deb" | awk '{print $6}' >"$BATS_TEST_TMPDIR/list"
        grep -qx "./$2" "$BATS_TEST_TMPDIR/list" || { echo "$1: no $2"; return 1; }
    }
    holds "libhrtimeout_$arch" "usr/lib/$(gcc -print-multiarch)/libhrtimeout.so"
    holds libhrtimeout_i386 usr/lib/i386-linux-gnu/libhrtimeout.so
    holds "hrtimeout_$arch" usr/bin/hrtimeout
    holds "hrtimeout_$arch" usr/share/man/man1/hrtimeout.1.gz
    holds "hrtimeout_$arch" usr/share/bash-completion/completions/hrtimeout
    [ "$(dpkg-deb --field "$DEBS"/libhrtimeout_*_"$arch".deb Multi-Arch)" = same ]
}

@test "both widths install side by side; programs of both run under one LD_PRELOAD" {
    [ "$(id -u)" = 0 ] || skip "needs root to install and to chroot"
    local root
    make_root
    [ "$(dpkg --root="$root" --get-selections | grep -c '^libhrtimeout:.*install$')" = 2 ]
    # Natively 50 us; what the library sets is 1 ns.
    [ "$(native chroot "$root" /slack64 | slack_of)" = 50000 ]
    [ "$(native chroot "$root" /usr/bin/hrtimeout run /slack64 2>&1 | slack_of)" = 1 ]
    # Without /proc the library can't tell that there is no filter; `hrtimeout run` sets the slack.
    export HRTIMEOUT_SANDBOX=trust
    preload="LD_PRELOAD='/usr/\$LIB/libhrtimeout.so'; export LD_PRELOAD"
    [ "$(native chroot "$root" /bin/sh -c "$preload; /slack64" 2>&1 | slack_of)" = 1 ]
    [ -z "$(abi_runner i386)" ] || skip "this kernel runs no 32-bit program"
    [ "$(native chroot "$root" /slack32 | slack_of)" = 50000 ]
    [ "$(native chroot "$root" /bin/sh -c "$preload; /slack64; /slack32" 2>&1 | slack_of)" = 1 ]
    [ "$(native chroot "$root" /usr/bin/hrtimeout run /bin/sh -c /slack32 2>&1 | slack_of)" = 1 ]
}
