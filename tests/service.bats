# hrtimeout service, on a real manager: units are started, and what their processes have is looked at.
load lib.bash

# beside FUNCTION: a function of service/units.bash beside a `systemd --user` of its own
beside() {
    run timeout 120 "$ROOT/tests/service/with-manager" "$1"
    echo "$output"
    [ "$status" != 77 ] || skip "${lines[-1]}"
    [ "$status" = 0 ]
}

@test "a select daemon: enabled, on time, and disabled byte for byte" { beside select_daemon; }
@test "the same for one under poll" { beside poll_daemon; }
@test "the same for Type=notify, in exact mode" { beside notify_daemon; }
@test "the same for one that forks" { beside forking_daemon; }
@test "the same under SystemCallFilter=@system-service" { beside filtered_daemon; }
@test "under a filter that kills at the library's calls the unit lives" { beside killing_filter; }
@test "redis under the filters of Debian's unit, by its profile" { beside debian_redis; }
@test "where the probe is pinned, status has the unit's lateness" { beside probed; }
@test "the unit's own preload, drop-ins and environment are kept" { beside keeps; }
@test "tabs, newlines, quotes and percents are what they were" { beside spells; }
@test "what can't work is refused with the reason and nothing is changed" { beside refuses; }
@test "--dry-run prints commands that do the same" { beside dry_run; }
@test "the shipped drop-in is clean by systemd-analyze verify and works" { beside shipped; }

@test "bad input is refused in one line" {
    local arguments
    for arguments in "" "enable" "foo unit" "status" "enable --mode" "enable --mode fast x" \
        "enable a/b" "enable a'b" "disable x.socket" "enable x@.service" "--nonsense"; do
        # shellcheck disable=SC2086 # a list of words
        run "$HRTIMEOUT" service $arguments
        echo "$arguments: $output"
        [ "$status" = 125 ]
        [ "${#lines[@]}" = 1 ]
        [[ $output == hrtimeout* ]]
    done
}
