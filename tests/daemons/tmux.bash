program=/usr/bin/tmux
version() { tmux -V | sed 's/tmux //'; }
in_tmux() { tmux -S "$DIR/socket" -f /dev/null "$@"; }
start() { TERM=xterm launch tmux -D -S "$DIR/socket" -f /dev/null; }
ready() { until_true test -S "$DIR/socket"; }
client() {
    export TERM=xterm
    in_tmux new-session -d -s main -x 80 -y 24 'exec sh'
    in_tmux set -g monitor-silence 1
    in_tmux send-keys -t main 'PS1=; clear; echo $((6 * 7))' Enter
    until_true sh -c "tmux -S $DIR/socket capture-pane -p -t main | grep -qx 42"
    in_tmux capture-pane -p -t main | grep -x 42
    in_tmux new-window -d -n quiet 'sleep 30'
    in_tmux set -w -t quiet monitor-silence 1
    until_true sh -c "tmux -S $DIR/socket list-windows -F '#{window_name} #{window_silence_flag}' | grep -qx 'quiet 1'"
    in_tmux list-windows -F '#{window_index} #{window_name} #{window_silence_flag}'
    in_tmux run-shell -b -d 0.3 "tmux -S $DIR/socket wait-for -S done"
    in_tmux wait-for done
    in_tmux kill-window -t quiet
    in_tmux list-sessions -F '#{session_name} #{session_windows}'
}
