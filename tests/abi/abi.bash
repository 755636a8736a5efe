# Runs programs of other ABIs, natively and under their own library. A SET is an ABI or, with
# /time64, its programs compiled for 64-bit time.
ABI_BUILD=${BUILD:-build}/abi
case $ABI_BUILD in /*) ;; *) ABI_BUILD=$PWD/$ABI_BUILD ;; esac
# shellcheck disable=SC2034 # abi.bats uses it
ABI_NAMES="i386 armhf aarch64 musl"

# What has to stand before a program of that set: many kernels run i386 themselves.
abi_runner() {
    case $1 in
    i386*) "$ABI_BUILD/$1/tests/each_wait" 0 >/dev/null 2>&1 || echo qemu-i386-static ;;
    armhf*) echo qemu-arm-static ;;
    aarch64*) echo qemu-aarch64-static ;;
    esac
}

abi_triplet() {
    case $1 in
    i386) echo i686-linux-gnu ;;
    armhf) echo arm-linux-gnueabihf ;;
    esac
}

# abi_native SET PROGRAM ARGUMENTS...
abi_native() {
    local set=$1 program=$2
    shift 2
    # shellcheck disable=SC2046 # no word or one
    timeout -k 1 "${ABI_TIMEOUT:-60}" env -u LD_PRELOAD \
        $(abi_runner "$set") "$ABI_BUILD/$set/tests/$program" "$@"
}

# abi_under SET MODE PROGRAM ARGUMENTS...
abi_under() {
    local set=$1 mode=$2 program=$3
    shift 3
    # shellcheck disable=SC2046 # no word or one
    timeout -k 1 "${ABI_TIMEOUT:-60}" env LD_PRELOAD="$ABI_BUILD/${set%/*}/libhrtimeout.so" \
        HRTIMEOUT_MODE="$mode" HRTIMEOUT_CPU="${HRTIMEOUT_CPU:-100}" \
        $(abi_runner "$set") "$ABI_BUILD/$set/tests/$program" "$@"
}

# What of an output can be compared:
# - qemu 7.2 knows no epoll_pwait2;
# - armhf's thrd_sleep has no unwind table: natively a thread cancelled there doesn't clean up.
abi_comparable() {
    local drop=""
    case $1 in armhf* | aarch64) drop='/^epoll_pwait2/d' ;; esac
    case $1 in armhf*) drop="$drop; /^thrd_sleep.*\(cancelled\|cleaned\)/d" ;; esac
    sed "$drop"
}

# The lines of tests/abi/programs, less those that tests/abi/excluded names for this set.
abi_programs() {
    grep -v '^#' tests/abi/programs |
        grep -vxFf <(sed -n "s,^$1: \(.*\): .*,\1,p" tests/abi/excluded)
}
