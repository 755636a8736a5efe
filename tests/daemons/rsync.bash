program=/usr/bin/rsync
version() { rsync --version | sed -n '1s/.*version \([^ ]*\) .*/\1/p'; }
start() {
    mkdir "$DIR/from" "$DIR/from/deep"
    seq 20000 >"$DIR/from/numbers"
    seq 100 >"$DIR/from/deep/few"
    ln -s numbers "$DIR/from/link"
    printf '%s\n' 'use chroot = no' 'uid = root' 'gid = root' '[files]' "path = $DIR/from" \
        'read only = yes' 'timeout = 2' >"$DIR/conf"
    launch rsync --daemon --no-detach --address=127.0.0.1 --port=8873 --config="$DIR/conf" \
        --log-file=/dev/null
}
ready() { until_true listens 8873; }
client() {
    # the client's own pacing sleeps are looked at too: 100 kB at 50 kB/s
    run_here rsync -a --bwlimit=50 rsync://127.0.0.1:8873/files/ "$DIR/to"
    echo "exit $?"
    diff -r "$DIR/from" "$DIR/to" && readlink "$DIR/to/link"
    seq 20001 >"$DIR/from/numbers"
    run_here rsync -ai rsync://127.0.0.1:8873/files/ "$DIR/to"
    rsync rsync://127.0.0.1:8873/none 2>&1 | head -n 1
}
