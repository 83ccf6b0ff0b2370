# shellcheck shell=bash
# Made by caspstudio --completion bash.
#@lists

# Offers words that begin as the current one.
_caspstudio_words() {
    local word
    for word; do
        if [[ $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
    done
}

# Offers folders, and files with one of these endings ('': any).
_caspstudio_files() {
    local name ending given=${cur//\\/}
    given=${given#[\"\']}
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        if [[ -d ${name/#\~\//$HOME/} ]]; then
            COMPREPLY+=("$name")
            continue
        fi
        for ending; do
            if [[ -z $ending || ${name,,} == *".$ending" ]]; then COMPREPLY+=("$name"); fi
        done
    done < <(compgen -f -- "$given")
}

# Keys that --set takes with this command.
_caspstudio_set_keys() {
    local key
    local -a keys=("${_caspstudio_keys[@]}")
    if [[ $mode == --submit ]]; then keys+=("${_caspstudio_scheduler_keys[@]}"); fi
    for key in "${keys[@]}"; do
        case $mode in
            --describe | --audit) [[ $key == data.* ]] || continue ;;
            --import) [[ $key == data.* || $key == train.seed ]] || continue ;;
        esac
        if [[ $key == "$cur"* ]]; then COMPREPLY+=("$key="); fi
    done
    compopt -o nospace 2>/dev/null
}

# The value of a setting.
_caspstudio_value() {
    case $1 in
#@values
    esac
    case $1 in
#@paths
    esac
}

# KEY=VALUE.
_caspstudio_setting() {
    local key
    if [[ $cur == *=* ]]; then
        key=${cur%%=*}
        lead+=$key=
        cur=${cur#*=}
        _caspstudio_value "$key"
    else
        _caspstudio_set_keys
    fi
}

# Flags, and files of some commands.
_caspstudio_other() {
    case $mode in
#@others
    esac
}

_caspstudio() {
    local cur prev='' mode='' lead='' whole='' keep='' word i join=''
    local -a words=()
    COMPREPLY=()
    # Readline makes words of '=' and ':'.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i > 1)) && [[ -n $join || $word =~ ^[=:]+$ ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        join=''
        if [[ $word =~ ^[=:]+$ ]]; then join=1; fi
    done
    cur=${words[-1]}
    if ((${#words[@]} > 2)); then prev=${words[-2]}; fi
    for word in "${words[@]:1:${#words[@]}-2}"; do
        case ${word%%=*} in
#@modes
        esac
    done
    if [[ $cur == --*=* ]]; then
        prev=${cur%%=*}
        lead=$prev=
        cur=${cur#*=}
    fi
    case $prev in
#@arguments
        *) _caspstudio_other ;;
    esac
    # Readline replaces what follows its last word break.
    whole=$lead$cur
    if [[ $COMP_WORDBREAKS == *=* && $whole == *=* ]]; then keep=${whole%"${whole##*=}"}; fi
    if [[ $COMP_WORDBREAKS == *:* && ${whole#"$keep"} == *:* ]]; then keep=${whole%"${whole##*:}"}; fi
    for i in "${!COMPREPLY[@]}"; do
        word=$lead${COMPREPLY[i]}
        COMPREPLY[i]=${word#"$keep"}
    done
}
complete -F _caspstudio caspstudio
