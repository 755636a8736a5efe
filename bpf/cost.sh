#!/usr/bin/env bash
# What the attached probe costs: three calls with it and without by turns, medians of thread CPU
# time a call. "off/off" is the same without the probe against without it again: the noise.
set -eu
[ "$(id -u)" = 0 ] || { echo "the probe needs root" >&2; exit 1; }
if [ "${1-}" != inside ]; then
    exec unshare -m "$0" inside
fi
cd "$(dirname "$0")/.."
build=${BUILD:-build} rounds=${ROUNDS:-15}
mount -t tracefs tracefs /sys/kernel/tracing
mount -t bpf bpf /sys/fs/bpf
mount -t tmpfs tmpfs /run
tmp=$(mktemp -d)
trap '[ ! -e /sys/fs/bpf/hrtimeout ] || "$build/hrtimeout" slack --unpin; rm -rf "$tmp"' EXIT

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

printf '%-10s %10s %10s %8s %8s\n' call "off ns" "on ns" "more" "off/off"
for what in getppid nanosleep poll; do
    count=200000
    [ $what != nanosleep ] || count=10000
    : >"$tmp/off"; : >"$tmp/again"; : >"$tmp/on"
    for ((i = 0; i < rounds; i++)); do
        "$build/cost" $what $count >>"$tmp/off"
        "$build/hrtimeout" slack --pin ${PROBE_OPTIONS-}
        "$build/cost" $what $count >>"$tmp/on"
        "$build/hrtimeout" slack --unpin
        "$build/cost" $what $count >>"$tmp/again"
    done
    awk -v what=$what -v off="$(median "$tmp/off")" -v on="$(median "$tmp/on")" -v again="$(median "$tmp/again")" \
        'BEGIN { printf "%-10s %10d %10d %7.1f%% %7.1f%%\n", what, off, on, (on / off - 1) * 100, (again / off - 1) * 100 }'
done
