program=/usr/sbin/nginx
version() { nginx -v 2>&1 | sed 's,.*/,,'; }
start() {
    mkdir "$DIR/www" "$DIR/temp"
    echo hello >"$DIR/www/index.html"
    head -c 30000 /dev/zero >"$DIR/www/slow"
    cat >"$DIR/conf" <<N
daemon off; worker_processes 1; pid $DIR/pid; error_log stderr notice; user root;
events { worker_connections 64; }
http {
    access_log off; keepalive_timeout 1s; client_body_temp_path $DIR/temp;
    server { listen 127.0.0.1:8089; root $DIR/www;
        location /slow { limit_rate 20k; } location /dead { proxy_pass http://127.0.0.1:8090; }
        location /mute { proxy_pass http://127.0.0.1:8091; proxy_read_timeout 500ms; } }
}
N
    # accepts and never answers
    python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", 8091))
time.sleep(600)' &
    mute=$!
    launch nginx -p "$DIR" -c "$DIR/conf"
}
ready() { until_true listens 8089 && until_true listens 8091; }
client() {
    python3 - <<'P'
import http.client, time
def get(path):
    start = time.monotonic()
    c = http.client.HTTPConnection("127.0.0.1", 8089)
    c.request("GET", path)
    r = c.getresponse()
    print(path, r.status, len(r.read()), "took whole seconds:", int(time.monotonic() - start))
    return c
for path in "/", "/none", "/slow", "/dead", "/mute":
    get(path).close()
c = get("/")
start = time.monotonic()
print("closed by the server:", c.sock.recv(10) == b"", "after about a second:",
      0.9 < time.monotonic() - start < 1.9)
P
    kill -HUP "$pid"
    until_true grep -q 'gracefully shutting down' "$DIR/log"
    exec 3<>/dev/tcp/127.0.0.1/8089
    printf 'GET / HTTP/1.0\r\n\r\n' >&3
    grep -c hello <&3
    exec 3>&-
    kill "$mute"
    # only the new worker is left
    until_true sh -c "[ \$(pgrep -P $pid | wc -l) = 1 ]"
}
tidy() { sed -E 's/^.{20}//; s/[0-9]+#[0-9]+: //; s/\*[0-9]+ //; s/process [0-9]+//g; s/from [0-9]+//; s/with pid [0-9]+//' | grep -E 'exit|signal|reconfig|refused|timed out' | sort | uniq; }
