#compdef caspstudio
# Made by caspstudio --completion zsh.
typeset -ga _caspstudio_shipped _caspstudio_presets _caspstudio_downloads _caspstudio_tables _caspstudio_keys
typeset -ga _caspstudio_scheduler_keys
#@lists

_caspstudio_experiments() {
    _alternative 'files:experiment:_files -g "*.toml(-.)"' \
        'shipped:experiment of the paper:compadd -a _caspstudio_shipped'
}

# Keys that --set takes with this command.
_caspstudio_set_keys() {
    local -a keys
    keys=($_caspstudio_keys)
    case $mode in
        (--describe|--audit) keys=(${(M)keys:#data.*}) ;;
        (--import) keys=(${(M)keys:#data.*} train.seed) ;;
        (--submit) keys+=($_caspstudio_scheduler_keys) ;;
    esac
    compadd -S = -q -a keys
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
    if compset -P 1 '*='; then
        key=${${IPREFIX%=}##*=}
        _caspstudio_value $key
    else
        _caspstudio_set_keys
    fi
}

_caspstudio() {
    local mode= word
    local -a arguments
    for word in ${words[2,CURRENT-1]}; do
        case ${word%%=*} in
#@modes
        esac
    done
    case $mode in
#@arguments
    esac
    _arguments -S $arguments
}

# Also for eval "$(caspstudio --completion zsh)".
if [[ $funcstack[1] == _caspstudio ]]; then
    _caspstudio "$@"
elif (( $+functions[compdef] )); then
    compdef _caspstudio caspstudio
else
    print -u2 'caspstudio: first call compinit (autoload -Uz compinit && compinit)'
fi
