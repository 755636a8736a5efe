# Sandbox 1: a filter of its own that ends the daemon at a call it doesn't know. No network is used.
program=/usr/bin/tor
version() { tor --version | sed -n '1s/Tor version \(.*\)\./\1/p'; }
start() {
    mkdir -m 700 "$DIR/data"
    touch "$DIR/rc"
    launch tor -f "$DIR/rc" --defaults-torrc "$DIR/rc" --DataDirectory "$DIR/data" --Sandbox 1 \
        --DisableNetwork 1 --SocksPort 127.0.0.1:9950 --ControlPort 127.0.0.1:9951 \
        --ShutdownWaitLength 1 --Log 'notice stdout'
}
ready() { until_true grep -q 'Bootstrapped 0%' "$DIR/log" && until_true listens 9951; }
client() {
    grep '^Seccomp:' "/proc/$pid/status"
    sleep 3 # its second timers go by
    control AUTHENTICATE 'GETINFO status/bootstrap-phase' 'GETCONF Sandbox' QUIT
}
control() {
    printf '%s\r\n' "$@" >"$DIR/asked"
    python3 -c 'import socket, sys
s = socket.create_connection(("127.0.0.1", 9951))
s.sendall(open(sys.argv[1], "rb").read())
while data := s.recv(4096):
    print(data.decode())' "$DIR/asked"
}
# With its sandbox on, a SIGTERM stays blocked every other time, also natively.
stop() { control AUTHENTICATE 'SIGNAL HALT'; }
tidy() { sed -E 's/^.{19} //' | grep -iE 'sandbox|seccomp|caught|exit|clean'; }
