# fping.bash SECONDS COUNT: sends a packet to loopback every SECONDS and prints by how much each gap
# between two was longer, in ns, from fping's own time stamps (10 us steps).
set -o pipefail
fping -D -c "$2" -p "$(awk -v s="$1" 'BEGIN { print s * 1000 }')" 127.0.0.1 2>/dev/null |
    awk -F '[][]' -v asked="$1" '{ if (NR > 1) printf "%d\n", ($2 - last - asked) * 1e9; last = $2 }'
