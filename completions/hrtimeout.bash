# bash completion for hrtimeout(1); needs nothing but bash.

_hrtimeout_words() { # _hrtimeout_words CURRENT WORD...: those that begin with CURRENT
    local current=$1
    shift
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
}

# The values of an option; false when it takes none that are known.
_hrtimeout_value() {
    local subcommand=$1 option=$2 current=$3
    case $option in
    --mode | -m) _hrtimeout_words "$current" observe timer exact ;;
    --eintr | -e) _hrtimeout_words "$current" return resume ;;
    --writeback | -w) _hrtimeout_words "$current" libc linux none ;;
    --clock | -k) _hrtimeout_words "$current" monotonic boottime ;;
    --sandbox | -b) _hrtimeout_words "$current" auto trust same ;;
    --report | --format | -f) _hrtimeout_words "$current" table json openmetrics ;;
    --pid | -p) _hrtimeout_pids "$current" ;;
    --slack | -s)
        if [[ $subcommand == attach ]]; then COMPREPLY=(); else _hrtimeout_words "$current" 1 keep; fi
        ;;
    --cpu | -c | --rounds | -n | --only | -O | --skip | -X | --comm | --unit | --duration | -d | \
        --interval | -i) COMPREPLY=() ;;
    --cgroup | --textfile) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    --stats | -S | --report-file | --plot | --samples) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *) return 1 ;;
    esac
}

_hrtimeout_pids() {
    local pids=(/proc/[0-9]*)
    _hrtimeout_words "$1" "${pids[@]#/proc/}"
}

# Options as the subcommand itself lists them, so that this file needn't know.
_hrtimeout_options() {
    mapfile -t COMPREPLY < <(compgen -W "$("$1" "$2" --help 2>/dev/null |
        sed -n 's/^ .*[ ,]\(--[a-z-]*\)\(\[\{0,1\}=\{0,1\}\).*/\1/p' | sort -u)" -- "$3")
}

# The place of the first word that is no option or option's value; COMP_CWORD when there is none.
_hrtimeout_first() {
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --) ((i++)); break ;;
        = | --*=*) ;;
        -[mscekbOXSnpdi] | --mode | --slack | --cpu | --eintr | --writeback | --clock | --sandbox | \
            --only | --skip | --stats | --report-file | --rounds | --plot | --pid | --comm | --unit | \
            --cgroup | --duration | --interval | --samples | --textfile)
            [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++))
            ((i++))
            ;;
        --report) [[ ${COMP_WORDS[i + 1]} == = ]] && ((i += 2)) ;;
        -*) ;;
        *) break ;;
        esac
    done
    printf '%s\n' $((i < COMP_CWORD ? i : COMP_CWORD))
}

_hrtimeout_argument() {
    local subcommand=$1 current=$2 first
    case $subcommand in
    run | compare | slack)
        first=$(_hrtimeout_first)
        if [[ $first == "$COMP_CWORD" ]]; then
            mapfile -t COMPREPLY < <(compgen -c -- "$current")
        elif declare -F _command_offset > /dev/null; then
            _command_offset "$first"
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
        fi
        ;;
    attach | detach) _hrtimeout_pids "$current" ;;
    service)
        first=$(_hrtimeout_first)
        if [[ $first == "$COMP_CWORD" ]]; then
            _hrtimeout_words "$current" enable disable status list
        else
            mapfile -t COMPREPLY < <(compgen -W "$(systemctl list-unit-files --type=service \
                --no-legend --plain 2>/dev/null | sed 's/\.service .*//')" -- "$current")
        fi
        ;;
    check) mapfile -t COMPREPLY < <(compgen -c -f -- "$current" | sort -u) ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    esac
}

_hrtimeout() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[0]} subcommand=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _hrtimeout_words "$current" "$("$command" --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p')"
        return
    fi
    # readline splits --option=value at the sign
    if [[ $current == = ]]; then
        current=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $before == --report ]]; then
        before= # its value is only ever given with the sign
    elif [[ $current == --*=* ]]; then
        before=${current%%=*} current=${current#*=}
    fi
    _hrtimeout_value "$subcommand" "$before" "$current" && return
    if [[ $current == -* && $(_hrtimeout_first) == "$COMP_CWORD" ]]; then
        _hrtimeout_options "$command" "$subcommand" "$current"
        return
    fi
    _hrtimeout_argument "$subcommand" "$current"
}

complete -F _hrtimeout hrtimeout
