program=/usr/bin/redis-server
version() { redis-server --version | sed 's/.*v=\([0-9.]*\).*/\1/'; }
start() {
    launch redis-server --port 6399 --bind 127.0.0.1 --save '' --appendonly no --dir "$DIR"
}
cli() { redis-cli -p 6399 "$@"; }
ready() { until_true cli ping; }
client() {
    cli set key value
    cli get key
    cli set short lived px 150
    cli get short
    sleep 0.4
    cli exists short
    cli blpop nothing 0.3
    (sleep 0.3; cli rpush list item >/dev/null) &
    cli blpop list 5
    wait $!
    redis-cli -p 6399 subscribe channel >"$DIR/heard" &
    until_true sh -c "redis-cli -p 6399 pubsub numsub channel | grep -qx 1"
    cli publish channel message
    until_true sh -c "[ \$(wc -l <$DIR/heard) = 6 ]"
    kill $!
    cat "$DIR/heard"
    redis-benchmark -p 6399 -n 2000 -c 10 -t set,get -q | tr '\r' '\n' | sed -n 's/: [0-9.]* requests.*//p'
    sleep 1
}
tidy() { sed -E 's/^[0-9]+:([A-Z]) .{24} /\1 /; s/pid=[0-9]+//' | grep -E '^M [*#]' | grep -vE 'overcommit|bits, |maxclients|open files'; }
