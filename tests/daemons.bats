# Real daemons, natively and under the library: what they answer, log, keep open and return is the
# same, no wait ends early, and they stop as fast. `make daemons` runs more of them, in every mode.
load lib.bash

daemon() {
    run timeout 200 "$ROOT/tests/daemons/run" "$1"
    echo "$output"
    [ "$status" != 77 ] || skip "${lines[0]}"
    [ "$status" = 0 ]
}

@test "redis-server" { daemon redis; }
@test "memcached" { daemon memcached; }
@test "dnsmasq" { daemon dnsmasq; }
@test "mosquitto" { daemon mosquitto; }
@test "nginx" { daemon nginx; }
@test "sshd, with its sandbox, and logins" { daemon sshd; }
@test "socat" { daemon socat; }
@test "tmux" { daemon tmux; }
@test "file" { daemon file; }
