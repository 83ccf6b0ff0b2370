# complete.zsh PROGRAM LINE: an interactive zsh in a terminal (zpty) completes the line; prints one completion a line.
zmodload zsh/zpty || exit 77
export CASP_PROGRAM=$1
zpty shell zsh -f -i
zpty -w shell 'PROMPT= RPROMPT= PS2=; stty -echo; unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D'
zpty -w shell 'eval "$("$CASP_PROGRAM" --completion zsh)"; zstyle ":completion:*" completer _complete'
zpty -w shell 'compadd() {
    if (( ${@[(I)-[OAD]*]} )); then builtin compadd "$@"; return; fi
    local -a found
    builtin compadd -O found "$@"
    print -rn -- "<m>"${(j:<m>:)found}"</m>"
    builtin compadd "$@"
}'
zpty -w shell 'finish() { print "<do""ne>"; exit }; zle -N finish; bindkey "^I" complete-word; bindkey "^X" finish'
zpty -w shell 'LISTMAX=10000; print "<re""ady>"'
output=
while zpty -r shell part; do output+=$part; [[ $output == *"<ready>"* ]] && break; done
zpty -w -n shell "$2"$'\t\x18'
output=
while zpty -r shell part; do output+=$part; [[ $output == *"<done>"* ]] && break; done
zpty -d shell
for block in ${(s:<m>:)output}; do print -r -- ${block%%(</m>*|$'\r'*)}; done
