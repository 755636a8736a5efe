program=/usr/sbin/sshd
version() { /usr/sbin/sshd -V 2>&1 | sed -n 's/^OpenSSH_\([^,]*\),.*/\1/p'; }
start() {
    if grep -q '^root:!' /etc/shadow; then # locked accounts may not log in, also by key
        sed 's/^root:[^:]*/root:*/' /etc/shadow >/run/shadow
        mount --bind /run/shadow /etc/shadow
    fi
    ssh-keygen -q -t ed25519 -N '' -f "$DIR/host"
    ssh-keygen -q -t ed25519 -N '' -f "$DIR/key"
    cp "$DIR/key.pub" "$DIR/authorized"
    cat >"$DIR/conf" <<S
ListenAddress 127.0.0.1:2299
HostKey $DIR/host
AuthorizedKeysFile $DIR/authorized
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
LoginGraceTime 2
ClientAliveInterval 1
Subsystem sftp internal-sftp
LogLevel VERBOSE
S
    launch /usr/sbin/sshd -D -e -f "$DIR/conf"
}
ready() { until_true listens 2299; }
login() {
    ssh -F none -i "$DIR/key" -p 2299 -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \
        -o LogLevel=ERROR root@127.0.0.1 "$@" </dev/null
}
client() {
    login echo hello
    login 'exit 3'; echo "exit $?"
    login 'sleep 1.3; echo still there' # keep-alives go by
    login 'test -z "$LD_PRELOAD" && cut -d" " -f1 </proc/self/stat | grep -c .'
    login 'head -c 200000 /dev/zero' | wc -c
    echo 'pwd' | sftp -q -F none -i "$DIR/key" -P 2299 -o StrictHostKeyChecking=no \
        -o UserKnownHostsFile=/dev/null root@127.0.0.1
    ssh-keyscan -p 2299 -t ed25519 127.0.0.1 2>/dev/null | cut -d' ' -f1,2
    # who doesn't log in is put out after LoginGraceTime
    exec 3<>/dev/tcp/127.0.0.1/2299
    printf 'SSH-2.0-mute\r\n' >&3
    until_true pgrep -f '^sshd: .*\[net\]'
    child=$(pgrep -f '^sshd: .*\[net\]') # behind the filter, and with the library in it
    grep '^Seccomp:' "/proc/$child/status"
    [ "$setup" = native ] || grep -q /libhrtimeout.so "/proc/$child/maps" || echo "child not loaded"
    timeout 10 cat <&3 >/dev/null; echo "grace over: $?"
    exec 3>&-
}
tidy() { sed -E 's/port [0-9]+//g; s/pid [0-9]+//; s/SHA256:.*/KEY/; s/user child on .*//; s/Starting session.*/session/' | grep -v 'Close session' | sort | uniq; }
