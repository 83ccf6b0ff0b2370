#!/usr/bin/env bash
# complete.bash WORD...: completes the last of these words, as readline splits them, with ./caspstudio.bash, and prints one
# completion a line.
# shellcheck disable=SC2034  # the completion reads them
# shellcheck source=/dev/null
. ./caspstudio.bash
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_caspstudio
printf '%s\n' "${COMPREPLY[@]}"
