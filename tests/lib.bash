# Shared by the bats files. Every behaviour is run natively and under the library in each mode:
# native is the oracle.
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$ROOT/$BUILD ;; esac
LIB=$BUILD/libhrtimeout.so
HRTIMEOUT=$BUILD/hrtimeout
PROG=$BUILD/tests
# Which modes a behaviour is compared in. HRTIMEOUT_CPU=100 lets exact mode spin in every wait.
MODES=${MODES:-observe timer exact}

# native COMMAND...: without the library, whatever the caller's environment holds
native() {
    env -u LD_PRELOAD "$@"
}

# under MODE COMMAND...: with the library; further HRTIMEOUT_* come from the environment
under() {
    local mode=$1
    shift
    env LD_PRELOAD="$LIB" HRTIMEOUT_MODE="$mode" HRTIMEOUT_CPU="${HRTIMEOUT_CPU:-100}" "$@"
}

# same COMMAND...: output (stdout and stderr) and exit status are equal natively and in each mode
same() {
    local mode want got want_status got_status
    want=$(native "$@" 2>&1) && want_status=0 || want_status=$?
    for mode in $MODES; do
        got=$(under "$mode" "$@" 2>&1) && got_status=0 || got_status=$?
        if [ "$got" != "$want" ] || [ "$got_status" != "$want_status" ]; then
            echo "differs in mode $mode: $*"
            echo "native (exit $want_status):" "$want"
            echo "$mode (exit $got_status):" "$got"
            diff <(echo "$want") <(echo "$got") | head -n 40
            return 1
        fi
    done
}

# better EXPECTED COMMAND...: in timer and exact mode the output is EXPECTED and the exit status 0
better() {
    local mode got expected=$1
    shift
    for mode in timer exact; do
        got=$(under "$mode" "$@" 2>&1) || { echo "mode $mode: exit $?: $got"; return 1; }
        [ "$got" = "$expected" ] || { echo "mode $mode: got '$got', not '$expected'"; return 1; }
    done
}
