program=/usr/bin/socat
version() { socat -V | sed -n 's/socat version \([^ ]*\).*/\1/p'; }
start() { launch socat -T 1 TCP-LISTEN:7799,bind=127.0.0.1,reuseaddr,fork EXEC:cat; }
ready() { until_true listens 7799; }
client() {
    python3 - <<'P'
import socket, time
s = socket.create_connection(("127.0.0.1", 7799))
s.sendall(b"echo\n")
print(s.recv(100))
start = time.monotonic()
print(s.recv(100), "put out after about a second:", 0.99 < time.monotonic() - start < 1.9)
P
    for i in 1 2 3; do echo "line $i" | socat - TCP:127.0.0.1:7799; done
}
tidy() { cat; }
