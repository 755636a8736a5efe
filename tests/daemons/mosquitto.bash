program=/usr/sbin/mosquitto
version() { mosquitto -h | sed -n '1s/mosquitto version //p'; }
start() {
    printf '%s\n' 'listener 1899 127.0.0.1' 'allow_anonymous true' 'user root' \
        'max_keepalive 60' 'log_dest stderr' 'log_timestamp false' >"$DIR/conf"
    launch mosquitto -c "$DIR/conf"
}
ready() { until_true listens 1899; }
client() {
    mosquitto_pub -p 1899 -t kept -r -m retained
    mosquitto_sub -p 1899 -t kept -C 1
    mosquitto_sub -p 1899 -t news -q 1 -C 2 -i reader -k 5 >"$DIR/heard" &
    until_true grep -q 'as reader' "$DIR/log"
    sleep 0.2
    mosquitto_pub -p 1899 -t news -q 1 -m one
    mosquitto_pub -p 1899 -t news -q 2 -m two
    wait $!
    cat "$DIR/heard"
    mosquitto_sub -p 1899 -t silence -W 1
    echo "silence: $?"
    # a client that dies without a word has its will sent when its keepalive of 1 s has passed
    mosquitto_sub -p 1899 -t will -C 1 -W 10 >"$DIR/heard" &
    reader=$!
    mosquitto_sub -p 1899 -t x -k 5 -i dying --will-topic will --will-payload gone &
    dying=$!
    until_true grep -q 'as dying' "$DIR/log"
    sleep 0.2
    { kill -KILL "$dying"; wait "$dying"; } 2>/dev/null
    wait "$reader"
    cat "$DIR/heard"
    kill -HUP "$pid"
    until_true grep -q Reloading "$DIR/log"
    mosquitto_sub -p 1899 -t kept -C 1
}
tidy() { sed -E 's/auto-[0-9A-F-]+/AUTO/; s/127.0.0.1:[0-9]+/PEER/; s/clean exit/exit/' | grep -E 'version|Reloading|terminating|Opening'; }
