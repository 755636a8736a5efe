# hrtimeout attach and detach: the timer slack of running threads.
load lib.bash
bats_require_minimum_version 1.5.0

setup() {
    T=$(mktemp -d)
    [ "$(id -u)" = 0 ] || skip "setting another process's timer slack takes root"
}

teardown() {
    [ -z "${P:-}" ] || kill "$P" 2>/dev/null || :
    rm -rf "$T"
}

# A process with threads of 50 us, 70 us and 90 us slack; it starts a fourth when told to, which
# inherits from the main thread. It ends by itself.
start() {
    rm -f "$T/up" "$T/more"
    # 3>&-: bats waits for whoever has its descriptor
    /usr/bin/python3 - "$T" 3>&- <<'PY' &
import ctypes, os, sys, threading, time
libc, where = ctypes.CDLL(None), sys.argv[1]
def sleeper(slack):
    if slack: libc.prctl(29, slack, 0, 0, 0)
    up.append(slack)
    time.sleep(60)
def begin(slack):
    threading.Thread(target=sleeper, args=(slack,), daemon=True).start()
up = []
for slack in 70000, 90000: begin(slack)
while len(up) < 2: time.sleep(0.01)
open(where + "/up", "w").close()
for _ in range(3000):
    if os.path.exists(where + "/more") and len(up) == 2:
        begin(0)
        while len(up) < 3: time.sleep(0.01)
        open(where + "/done", "w").close()
    time.sleep(0.02)
PY
    P=$!
    wait_for_file "$T/up"
}

wait_for_file() {
    for _ in $(seq 500); do
        [ -e "$1" ] && return 0
        sleep 0.02
    done
    return 1
}

slacks() { # the slack of each thread, in the order of their ids
    local tid
    for tid in $(find "/proc/$P/task" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n); do cat "/proc/$tid/timerslack_ns"; done | paste -sd' '
}

@test "attach sets every thread, detach gives each its own back" {
    start
    [ "$(slacks)" = "50000 70000 90000" ]
    run "$HRTIMEOUT" attach "$P"
    [ "$status" = 0 ]
    [[ $output == "attach: process $P (python3): timer slack of 3 threads set" ]]
    [ "$(slacks)" = "1 1 1" ]
    run "$HRTIMEOUT" detach "$P"
    [ "$status" = 0 ]
    [ "$(slacks)" = "50000 70000 90000" ]
    run "$HRTIMEOUT" detach "$P"
    [ "$status" = 125 ]
    [ "$output" = "hrtimeout: detach: process $P isn't attached" ]
}

@test "attached twice, detach goes back to the beginning" {
    start
    "$HRTIMEOUT" attach "$P"
    "$HRTIMEOUT" attach --slack 2500 "$P"
    [ "$(slacks)" = "2500 2500 2500" ]
    "$HRTIMEOUT" detach "$P"
    [ "$(slacks)" = "50000 70000 90000" ]
}

@test "a thread that started since then gets what it would have had" {
    start
    "$HRTIMEOUT" attach "$P"
    touch "$T/more"
    wait_for_file "$T/done"
    [ "$(slacks)" = "1 1 1 1" ]
    "$HRTIMEOUT" detach "$P"
    [ "$(slacks)" = "50000 70000 90000 50000" ]
}

@test "what the program set itself since then stays" {
    start
    "$HRTIMEOUT" attach "$P"
    task=$(ls "/proc/$P/task" | tail -n 1)
    echo 123456 > "/proc/$task/timerslack_ns"
    "$HRTIMEOUT" detach "$P"
    [ "$(slacks)" = "50000 70000 123456" ]
}

@test "a static program, and one that is being stopped" {
    printf '#include <unistd.h>\nint main(void) { for (int i = 0; i < 60; i++) { sleep(1); } }' > "$T/s.c"
    gcc -static -o "$T/static" "$T/s.c" || skip "no static libc"
    "$T/static" 3>&- &
    P=$!
    "$HRTIMEOUT" attach "$P"
    [ "$(slacks)" = 1 ]
    kill -STOP "$P"
    "$HRTIMEOUT" detach "$P"
    [ "$(slacks)" = 50000 ]
    kill -CONT "$P"
}

@test "threads that come and go are no error" {
    /usr/bin/python3 - "$T" 3>&- <<'PY' &
import sys, threading, time
open(sys.argv[1] + "/up", "w").close()
end = time.monotonic() + 20
while time.monotonic() < end:
    threads = [threading.Thread(target=time.sleep, args=(0.001,)) for _ in range(4)]
    for t in threads: t.start()
    for t in threads: t.join()
PY
    P=$!
    wait_for_file "$T/up"
    for _ in $(seq 20); do
        "$HRTIMEOUT" attach "$P"
        "$HRTIMEOUT" detach "$P"
    done
    [ "$(cat "/proc/$P/timerslack_ns")" = 50000 ]
}

@test "without the right it says which one is needed" {
    start
    cp "$HRTIMEOUT" "$T/hrtimeout" && chmod 755 "$T" "$T/hrtimeout"
    mkdir "$T/run" && chown nobody "$T/run"
    run setpriv --reuid nobody --regid nogroup --clear-groups env XDG_RUNTIME_DIR="$T/run" \
        "$T/hrtimeout" attach "$P"
    [ "$status" = 125 ]
    [ "${#lines[@]}" = 1 ]
    [[ $output == *CAP_SYS_NICE* ]]
    [ "$(slacks)" = "50000 70000 90000" ]
    run setpriv --reuid nobody --regid nogroup --clear-groups env -u XDG_RUNTIME_DIR \
        "$T/hrtimeout" attach "$P"
    [ "$status" = 125 ]
    [ "${#lines[@]}" = 1 ]
    run setpriv --reuid nobody --regid nogroup --clear-groups "$T/hrtimeout" check --pid "$P"
    [ "$status" = 125 ]
    [ "${#lines[@]}" = 1 ]
}

@test "nothing is left behind" {
    start
    "$HRTIMEOUT" attach "$P"
    [ -s "/run/hrtimeout/$P" ]
    "$HRTIMEOUT" detach "$P"
    [ ! -e "/run/hrtimeout/$P" ]
    "$HRTIMEOUT" attach "$P"
    kill "$P"
    wait "$P" || :
    "$HRTIMEOUT" attach $$
    [ ! -e "/run/hrtimeout/$P" ]
    "$HRTIMEOUT" detach $$
}
