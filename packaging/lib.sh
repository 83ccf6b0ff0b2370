# Shell functions shared by the scripts of packaging/, .ci/ and tests/; to be sourced. All messages go to standard
# error, so that standard output is left to the started program. `caspstudio --fetch cuda` runs fetch_libtorch.sh with
# CASP_SPEAKER, who speaks, and CASP_REASON, the file that is to have the reason of a failure.
# shellcheck shell=bash

CASP_ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
CASP_TORCH_VERSION=2.11.0
CASP_CACHE=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/caspstudio

say() { printf '%s: %s\n' "${CASP_SPEAKER:-packaging}" "$*" >&2; }

# Ends the script with one line: what failed and what to do.
fail() {
    if [[ -n ${CASP_REASON:-} ]]; then printf '%s' "$*" >"$CASP_REASON"; else say "error: $*"; fi
    exit 1
}

# 530604548 -> "531 MB" (powers of ten, as in download tools).
megabytes() {
    if (($1 >= 10000000000)); then
        printf '%d GB' $((($1 + 500000000) / 1000000000))
    elif (($1 >= 1000000000)); then
        printf '%d.%d GB' $((($1 + 50000000) / 1000000000)) $((($1 + 50000000) / 100000000 % 10))
    else
        printf '%d MB' $((($1 + 999999) / 1000000))
    fi
}

# ---------------------------------------------------------------------------------------------- Debian packages

is_debian_12() {
    local ID='' VERSION_ID=''
    # shellcheck source=/dev/null
    [[ -r /etc/os-release ]] && . /etc/os-release
    [[ $ID == debian && $VERSION_ID == 12 ]]
}

# A Python with pip: the first one in PATH, else Debian's.
python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import pip' >/dev/null 2>&1; then
            printf '%s' "$python"
            return 0
        fi
    done
    return 1
}

# probe_there "header:a.h|b.h": whether it exists, however it was installed.
probe_there() {
    local kind=${1%%:*} names=${1#*:} name folder
    case $kind in
        command) command -v "$names" >/dev/null ;;
        file)
            local -a files
            IFS='|' read -r -a files <<<"$names"
            for name in "${files[@]}"; do
                [[ -e $name ]] && return 0
            done
            return 1
            ;;
        pip) python_with_pip >/dev/null ;;
        header)
            local -a alternatives folders
            IFS='|' read -r -a alternatives <<<"$names"
            IFS=':' read -r -a folders <<<"/usr/local/include:/usr/include:/usr/include/$(uname -m)-linux-gnu:${CPATH:-}"
            for name in "${alternatives[@]}"; do
                for folder in "${folders[@]}"; do
                    [[ -n $folder && -e $folder/$name ]] && return 0
                done
            done
            return 1
            ;;
        *) fail "packaging/debian-packages.txt has an unknown probe \"$1\"" ;;
    esac
}

# The packages of the given sections, one "name probe" per line.
packages_of() {
    awk -v wanted=" $* " '
        { sub(/#.*/, "") }
        /^\[/ { name = $1; gsub(/[][]/, "", name); inside = index(wanted, " " name " ") > 0; next }
        inside && NF { print $1, $2 }' "$CASP_ROOT/packaging/debian-packages.txt"
}

# The missing packages of the given sections. Calls dpkg once (10 ms), and probes only what dpkg does not list.
missing_packages() {
    local installed='' name probe
    if command -v dpkg-query >/dev/null; then
        # shellcheck disable=SC2016  # dpkg's own variables
        installed=$(packages_of "$@" | cut -d' ' -f1 |
            xargs dpkg-query -W -f='${Package} ${db:Status-Status}\n' 2>/dev/null || true)
    fi
    while read -r name probe; do
        grep -qx "$name installed" <<<"$installed" && continue
        probe_there "$probe" || printf '%s\n' "$name"
    done < <(packages_of "$@")
}

# ensure_packages SECTION...: installs missing packages, or fails with the command to install them.
ensure_packages() {
    local -a missing as_root=()
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0

    if ! is_debian_12 || ! command -v apt-get >/dev/null; then
        fail "this is not Debian 12, and packages are missing that Debian 12 has called: ${missing[*]}." \
            "Install your system's equivalents, then run this again."
    fi
    if ((EUID != 0)); then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            as_root=(sudo -n)
        else
            fail "Debian packages are missing and you have no permission to install them. Ask your administrator to run:" \
                "apt-get install --no-install-recommends ${missing[*]}"
        fi
    fi

    local log plan
    log=$(mktemp) || fail "no temporary file can be created in ${TMPDIR:-/tmp}"
    local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=300)
    # shellcheck disable=SC2317,SC2329  # called below
    apt_failed() {
        local reason
        reason=$({ grep -m 1 -E '^[EW]: Failed to fetch' "$log" || grep -m 1 '^E:' "$log"; } | cut -c1-300)
        rm -f "$log"
        fail "$1 (${reason:-no reason given}). Check the network and /etc/apt/sources.list, then run this again;" \
            "missing: ${missing[*]}"
    }
    # The simulation reports the download size; a fresh machine needs the package lists first.
    if ! plan=$("${apt[@]}" install --no-install-recommends --assume-no "${missing[@]}" 2>"$log" </dev/null) &&
        ! grep -q 'Need to get\|After this operation' <<<"$plan"; then
        say "reading Debian's package lists (apt-get update)"
        "${apt[@]}" update >>"$log" 2>&1 </dev/null || apt_failed "apt-get update failed"
        plan=$("${apt[@]}" install --no-install-recommends --assume-no "${missing[@]}" 2>>"$log" </dev/null) ||
            grep -q 'Need to get\|After this operation' <<<"$plan" ||
            apt_failed "apt-get cannot install ${missing[*]}"
    fi
    say "installing ${#missing[@]} Debian packages and their dependencies: ${missing[*]}"
    say "$(grep -E '^Need to get' <<<"$plan" | sed 's/^Need to get \(.*\) of archives\.$/download: \1/')"
    if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1 </dev/null; then
        # Outdated package lists name files that no longer exist: update them and retry once.
        say "installation failed; updating Debian's package lists (apt-get update) and trying again"
        "${apt[@]}" update >>"$log" 2>&1 </dev/null || apt_failed "apt-get update failed"
        "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null ||
            apt_failed "apt-get install failed"
    fi
    rm -f "$log"
}

# ---------------------------------------------------------------------------------------------- LibTorch

# Sets CASP_LIBTORCH to a folder with include/ and lib/: the user's (from the environment or an earlier CMake call), else
# the one in the cache, which is fetched if it is missing.
ensure_libtorch() {
    local build=$1 cached=''
    if [[ -z ${CASP_LIBTORCH:-} && -r $build/CMakeCache.txt ]]; then
        cached=$(sed -n 's/^CASP_LIBTORCH:[A-Z]*=//p' "$build/CMakeCache.txt")
        [[ $cached == */caspstudio/libtorch-*/torch ]] || CASP_LIBTORCH=$cached
    fi
    if [[ -n ${CASP_LIBTORCH:-} ]]; then
        [[ -e $CASP_LIBTORCH/lib/libtorch_cpu.so && -d $CASP_LIBTORCH/include ]] ||
            fail "CASP_LIBTORCH=$CASP_LIBTORCH does not contain lib/libtorch_cpu.so and include/. Point it at a LibTorch >= 2.9" \
                "(for Python's own: the folder that python3 -c 'import torch; print(torch.__path__[0])' prints), or unset it."
    else
        "$CASP_ROOT/packaging/fetch_libtorch.sh" || exit 1
        CASP_LIBTORCH=$CASP_CACHE/libtorch-$CASP_TORCH_VERSION/torch
    fi
    export CASP_LIBTORCH
}

# ---------------------------------------------------------------------------------------------- build

# Number of parallel compilers: one per core, at most one per 2.5 GB of free memory. CASP_JOBS overrides it.
build_jobs() {
    local cores memory jobs
    if [[ -n ${CASP_JOBS:-} ]]; then
        [[ $CASP_JOBS =~ ^[1-9][0-9]*$ ]] || fail "CASP_JOBS=\"$CASP_JOBS\" is not a number of jobs"
        printf '%d' "$CASP_JOBS"
        return
    fi
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 2500000) }' /proc/meminfo)
    jobs=$((memory < cores ? memory : cores))
    printf '%d' $((jobs < 1 ? 1 : jobs))
}

# Inputs of the configuration that ninja does not track: the location of LibTorch, the installed packages, and CASP_WINDOW:
# OFF leaves out the window, and the tests, which need Qt.
configuration_key() {
    local probe
    printf '%s %s ' "$CASP_LIBTORCH" "${CASP_WERROR:-OFF}"
    packages_of tests bench gui | while read -r _ probe; do
        if probe_there "$probe"; then printf 1; else printf 0; fi
    done
    printf ' window=%s' "${CASP_WINDOW:-ON}"
}

# build PRESET TARGET...: configures if necessary, and builds; one build at a time per build folder.
build() {
    local preset=$1 folder=$CASP_ROOT/build/$1 key jobs
    shift
    mkdir -p "$folder" || fail "the folder $folder cannot be created"
    key=$(configuration_key)
    exec 9>"$folder/.lock"
    if ! flock -n 9; then
        say "waiting for another build in $folder"
        flock 9
    fi
    if [[ ! -e $folder/build.ninja || $(cat "$folder/.configured" 2>/dev/null) != "$key" ]]; then
        say "configuring (preset $preset) in $folder"
        rm -f "$folder/.configured"
        (cd "$CASP_ROOT" && cmake --preset "$preset" -DCASP_LIBTORCH="$CASP_LIBTORCH" -DCASP_WERROR="${CASP_WERROR:-OFF}" \
            -DCASP_GUI="${CASP_WINDOW:-ON}" -DCASP_TESTS="${CASP_WINDOW:-ON}") >"$folder/configure.log" 2>&1 9>&- || {
            grep -A 12 'CMake Error' "$folder/configure.log" >&2
            fail "CMake could not configure the build; full output: $folder/configure.log"
        }
        printf '%s' "$key" >"$folder/.configured"
    fi
    jobs=$(build_jobs)
    [[ -e $folder/.built ]] || say "building (Release, $jobs jobs; the first build takes minutes)"
    if ! ninja -C "$folder" -j "$jobs" "$@" >&2 9>&-; then
        fail "the build failed; see the first error above. If memory is short, try CASP_JOBS=1."
    fi
    touch "$folder/.built"
    exec 9>&-
}
