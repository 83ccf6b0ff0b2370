# Stages of .ci/run and .ci/nightly: every one runs, even after a failure. To be sourced.
# shellcheck shell=bash

stage_lines=() stage_failures=0

# stage NAME COMMAND...
stage() {
    local name=$1 started=$SECONDS result=passed
    shift
    printf '\n== %s\n' "$name"
    if ! ("$@"); then
        result=FAILED
        stage_failures=$((stage_failures + 1))
    fi
    stage_lines+=("$(printf '%-28s %-7s %5d s' "$name" "$result" $((SECONDS - started)))")
}

# Prints how the stages ended; 1 if any failed.
stages_passed() {
    printf '\n== stages\n'
    printf '%s\n' "${stage_lines[@]}"
    if ((stage_failures)); then
        echo "$stage_failures of ${#stage_lines[@]} stages failed."
        return 1
    fi
    echo "All ${#stage_lines[@]} stages passed."
}
