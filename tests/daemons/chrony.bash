# -x: the system clock is never set. -F 1: a filter that kills; sent by the daemon itself.
program=/usr/sbin/chronyd
version() { chronyd --version | sed -n 's/chronyd (chrony) version \([^ ]*\).*/\1/p'; }
start() {
    cat >"$DIR/conf" <<C
pidfile $DIR/pid
local stratum 5
allow 127.0.0.1
bindaddress 127.0.0.1
port 12399
cmdport 0
bindcmdaddress $DIR/command
server 127.0.0.1 port 12398 minpoll -4 maxpoll -4
C
    # a second one, never under the library, to be asked by the first
    cat >"$DIR/other" <<C
pidfile $DIR/pid2
local stratum 3
allow 127.0.0.1
bindaddress 127.0.0.1
port 12398
cmdport 0
bindcmdaddress /
C
    chmod 700 "$DIR"
    chronyd -x -d -u root -f "$DIR/other" >/dev/null 2>&1 &
    other=$!
    launch chronyd -x -d -F 1 -u root -f "$DIR/conf"
}
ask() { chronyc -h "$DIR/command" "$@"; }
ready() { until_true ask tracking; }
sources() { ask -c sources | cut -d, -f1-4; }
client() {
    grep -E '^Seccomp:' "/proc/$pid/status"
    until_true sh -c "chronyc -h $DIR/command -c sources | grep -q '^^,\*,127.0.0.1,3,'"
    sources
    until_true sh -c "chronyc -h $DIR/command -c tracking | cut -d, -f3 | grep -qx 4" # stratum
    sleep 2
    # sixteen polls a second
    n=$(ask -c sourcestats | cut -d, -f2)
    [ "$n" -ge 4 ] && echo "enough samples"
    chronyd -x -Q "server 127.0.0.1 port 12399 iburst maxsamples 2" 2>&1 | grep -c 'System clock wrong by'
    kill "$other"
}
tidy() { sed -E 's/^.{20} //; s/frequency .*/frequency/' | grep -vE 'Selected|Can.t syn|offset' | sort | uniq; }
