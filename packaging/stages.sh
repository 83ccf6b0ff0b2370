# Stages of .ci/run and .ci/nightly: every one runs, even after a failure. To be sourced.
# shellcheck shell=bash

stage_lines=() stage_failures=0
stage_logs=$(mktemp -d)
trap 'rm -rf "$stage_logs"' EXIT

# stage NAME COMMAND...
stage() {
    local name=$1 started=$SECONDS result=passed
    shift
    printf '\n== %s\n' "$name"
    ("$@") 2>&1 | tee "$stage_logs/log"
    if ((PIPESTATUS[0])); then
        result=FAILED
        { printf '\n== %s: its last lines\n' "$name" && tail -n 60 "$stage_logs/log"; } >>"$stage_logs/failed"
        stage_failures=$((stage_failures + 1))
    fi
    stage_lines+=("$(printf '%-28s %-7s %5d s' "$name" "$result" $((SECONDS - started)))")
}

# Prints the last lines of the stages that failed, and how all ended; 1 if any failed.
stages_passed() {
    ((stage_failures == 0)) || cat "$stage_logs/failed"
    printf '\n== stages\n'
    printf '%s\n' "${stage_lines[@]}"
    if ((stage_failures)); then
        echo "$stage_failures of ${#stage_lines[@]} stages failed."
        return 1
    fi
    echo "All ${#stage_lines[@]} stages passed."
}
