program=/usr/bin/memcached
version() { memcached -V | sed 's/memcached //'; }
start() { launch memcached -u root -l 127.0.0.1 -p 11299 -U 0 -t 2; }
ready() { until_true listens 11299; }
client() {
    python3 - <<'P'
import socket, time
s = socket.create_connection(("127.0.0.1", 11299))
def ask(text, end):
    s.sendall(text)
    got = b""
    while not got.endswith(end):
        got += s.recv(4096)
    return got
print(ask(b"set key 0 0 5\r\nvalue\r\n", b"STORED\r\n"))
print(ask(b"get key\r\n", b"END\r\n"))
print(ask(b"set short 0 1 5\r\nlived\r\n", b"STORED\r\n"))
print(ask(b"get short\r\n", b"END\r\n"))
time.sleep(2.2)
print(ask(b"get short\r\n", b"END\r\n"))
print(ask(b"incr key 1\r\n", b"\r\n"))
for i in range(500):
    ask(b"set k%d 0 0 1\r\nx\r\n" % i, b"STORED\r\n")
print(ask(b"get k499\r\n", b"END\r\n"))
P
}
tidy() { cat; }
