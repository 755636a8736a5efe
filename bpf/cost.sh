#!/usr/bin/env bash
# What the attached probe costs: three calls with it and without by turns, medians of thread CPU
# time a call. "off/off" is without the probe against without it again: the noise.
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

# column N: the median of that column
column() { awk -v n="$1" '{ print $n }' "$tmp/rounds" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

printf '%-10s %10s %10s %8s %8s\n' call "off ns" "on ns" "more" "off/off"
for what in getppid nanosleep poll; do
    count=200000
    [ $what != nanosleep ] || count=5000
    "$build/cost" $what $count "$rounds" "$build/hrtimeout slack --pin ${PROBE_OPTIONS-}" \
        "$build/hrtimeout slack --unpin" >"$tmp/rounds"
    awk -v what=$what -v off="$(column 1)" -v on="$(column 2)" -v again="$(column 3)" \
        'BEGIN { printf "%-10s %10.0f %10.0f %7.1f%% %7.1f%%\n", what, off, on, (on / off - 1) * 100, (again / off - 1) * 100 }'
done
