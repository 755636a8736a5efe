# For the tests of the probe. They run it for real, each in a mount namespace of its own with its own
# tracefs, BPF file system and /run, so that no pin and no lock meets another test run's.

probe_setup() {
    [ "$(id -u)" = 0 ] || skip "the probe needs root"
    [ -r /sys/kernel/btf/vmlinux ] || skip "no kernel BTF: the probe can't load here"
    unshare -m true 2>/dev/null || skip "mount namespaces aren't allowed here"
    "$HRTIMEOUT" slack --help >/dev/null 2>&1 || skip "the probe was left out of this build"
}

# private: runs the shell commands on its stdin in such a namespace; they stop at the first failure.
private() {
    local script
    script=$(cat)
    unshare -m ${PRIVATE:-} bash -c '
        mount -t tracefs tracefs /sys/kernel/tracing && mount -t bpf bpf /sys/fs/bpf &&
        mount -t tmpfs tmpfs /run || exit 1
        export BUILD='"'$BUILD'"'
        . "$1/tests/lib.bash"; . "$1/tests/probe.bash"
        PINS=/sys/fs/bpf/hrtimeout
        tmp=$(mktemp -d)
        trap '\''[ ! -e $PINS ] || "$HRTIMEOUT" slack --unpin; rm -rf "$tmp"'\'' EXIT
        trap '\''echo "failed: $BASH_COMMAND"'\'' ERR
        set -eE
        '"$script" private "$ROOT"
}

# waits_in FILE JQ: the sum of the waits of the lines of a JSON result that JQ selects
waits_in() {
    jq "[.waits[] | select($2) | .waits] | add // 0" "$1"
}

# library_rows: the pinned rows that the library has taken, as one JSON array
library_rows() {
    bpftool -j map dump pinned $PINS/waits | jq -c '[.[].formatted.value | select(.owner != 0)]'
}

# counter FILE NAME: one of the probe's counters
counter() {
    jq ".probe[0].$2" "$1"
}

# until_true SECONDS COMMAND...: tries until it succeeds
until_true() {
    local tries=$(($1 * 20))
    shift
    while ! "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.05
    done
}

# not COMMAND...: fails when it succeeds, which `! command` doesn't do under set -e
not() {
    ! "$@"
}

# measure OPTION...: starts to measure, and returns once the probe is attached; then `measured` ends
# it, and the result is in $tmp/json
measure() {
    "$HRTIMEOUT" slack --json "$@" >$tmp/json &
    measuring=$!
    until_true 20 is_attached $measuring
}

measured() {
    kill -TERM $measuring
    wait $measuring
}

links_of() { # the ids of the links that a process holds
    awk '$1 == "link_id:" { print $2 }' /proc/$1/fdinfo/* 2>/dev/null
}

is_attached() { # ten system calls' exits and five tracepoints
    [ "$(links_of $1 | wc -l)" -ge 15 ]
}

# between LOW VALUE HIGH
between() {
    awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(low <= value && value <= high) }' ||
        { echo "$2 isn't between $1 and $3"; return 1; }
}
