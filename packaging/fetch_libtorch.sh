#!/usr/bin/env bash
# packaging/fetch_libtorch.sh [--with-cuda | --offer-cuda]
#
# Downloads LibTorch to the user's cache (${XDG_CACHE_HOME:-~/.cache}/caspstudio/libtorch-VERSION), which all checkouts
# share: the wheels pinned in libtorch.txt, with the user's pip settings. Does nothing if it is complete.
#
#   --with-cuda    also download the NVIDIA libraries of libtorch-cuda.txt
#   --offer-cuda   if there is an NVIDIA driver: ask on a terminal, otherwise mention --with-cuda
#                  (CASP_WITH_CUDA=1: yes; CASP_WITH_CUDA=0: never)
#
# The folder gets its name only when it is complete: wheels are verified against their digests, unpacked to a temporary
# folder and renamed. Its file `complete` lists the wheels. Only one process at a time does this.
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

lists=$CASP_ROOT/packaging
target=$CASP_CACHE/libtorch-$CASP_TORCH_VERSION
work=$CASP_CACHE/.libtorch-$CASP_TORCH_VERSION.part # wheels and incomplete folders; protected by the lock

requirements() { grep -E '^[a-z]' "$1"; }
# Sum of the download sizes (1) or unpacked sizes (2) of a list.
total() { requirements "$1" | awk -v column="$2" '{ split($0, half, "#"); split(half[2], size, " "); sum += size[column] } END { printf "%.0f", sum }'; }
stamp() { requirements "$1" | sed 's/ *#.*//'; }
is_complete() { [[ -r $target/$2 ]] && cmp -s "$target/$2" <(stamp "$1"); }

check_space() {
    local needed=$1 what=$2 available
    available=$(df --output=avail -B1 "$CASP_CACHE" | tail -n 1)
    ((available >= needed)) || fail "$what needs $(megabytes "$needed") in $CASP_CACHE and only" \
        "$(megabytes "$available") are free. Free disk space, or set XDG_CACHE_HOME to a folder on a larger disk."
}

# download LIST: downloads its wheels to $work/wheels, except those that are already there.
download() {
    local list=$1 python requirement name size failure number=0 count before
    python=$(python_with_pip) || fail "there is no Python with pip (Debian: apt-get install python3-pip)"
    count=$(requirements "$list" | wc -l)
    # The wheels' tags, independent of this Python and Linux. pip requires each to be listed.
    local -a tags=(--python-version 3.11 --implementation cp --abi cp311 --abi none
        --platform manylinux1_x86_64 --platform manylinux2010_x86_64 --platform manylinux2014_x86_64)
    for number in {5..28}; do tags+=(--platform "manylinux_2_${number}_x86_64"); done
    local -a quiet=(--quiet)
    [[ -t 2 ]] && quiet=()
    mkdir -p "$work/wheels" "$work/tmp"
    number=0
    while read -r requirement; do
        number=$((number + 1))
        name=${requirement%% *}
        size=${requirement#*# }
        size=${size%% *}
        say "fetching $number of $count: $name ($(megabytes "$size"))"
        printf '%s\n' "$requirement" >"$work/requirement.txt"
        before=$SECONDS
        # Without pip's cache, which would keep a second copy. Temporary files stay on this disk.
        if ! TMPDIR=$work/tmp "$python" -m pip "${quiet[@]}" download --no-deps --no-cache-dir --require-hashes \
            --only-binary=:all: --disable-pip-version-check "${tags[@]}" --dest "$work/wheels" \
            --requirement "$work/requirement.txt" </dev/null 2>"$work/pip.log" >&2; then
            failure=$(grep -E '^ERROR: ' "$work/pip.log" | tail -n 1 | cut -c8-300)
            if grep -q 'DO NOT MATCH THE HASHES' "$work/pip.log"; then
                failure="the file has another digest than packaging/$(basename "$list") pins: do not use that package index"
            elif grep -qE 'NewConnectionError|ConnectTimeout|Temporary failure in name|Network is unreachable' "$work/pip.log"; then
                failure="the package index cannot be reached"
            elif grep -q 'No space left on device' "$work/pip.log"; then
                failure="the disk of $CASP_CACHE is full"
            elif grep -qE 'No matching distribution' "$work/pip.log"; then
                failure="no package index has this version (pip config list shows the configured ones)"
            fi
            fail "the download of $name failed: ${failure:-pip gave no reason}. Run this again when the problem is solved" \
                "(completed downloads are kept), or set CASP_LIBTORCH to an existing LibTorch."
        fi
        ((SECONDS - before < 5)) || say "downloaded in $((SECONDS - before)) s"
    done < <(requirements "$list")
}

# unpack FOLDER: unpacks to FOLDER what builds and runs need of all wheels.
unpack() {
    "$(python_with_pip)" - "$work/wheels" "$1" <<'PYTHON' || fail "the wheels cannot be unpacked into $1 (is the disk full?)"
import pathlib
import sys
import zipfile

wheels, folder = map(pathlib.Path, sys.argv[1:])
wanted = ("torch/lib/", "torch/include/", "torch/share/", "nvidia/")
# Not needed: LibTorch's Python library, and NVIDIA's static libraries.
unwanted = ("torch/lib/libtorch_python.so",)
try:
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist()
                     if (name.startswith(wanted) and name not in unwanted and not name.endswith((".a", ".py")))
                     or (".dist-info/" in name and "license" in name.lower())]
            archive.extractall(folder, names)
except (OSError, zipfile.BadZipFile) as error:
    print(f"packaging: {error}", file=sys.stderr)
    sys.exit(1)
PYTHON
}

fetch_cpu() {
    local down
    down=$(total "$lists/libtorch.txt" 1)
    check_space $((down + $(total "$lists/libtorch.txt" 2))) "LibTorch"
    say "LibTorch $CASP_TORCH_VERSION is not in $target yet: a download of $(megabytes "$down") ($(megabytes "$(total "$lists/libtorch.txt" 2)") unpacked)"
    download "$lists/libtorch.txt"
    say "unpacking"
    unpack "$work/new"
    stamp "$lists/libtorch.txt" >"$work/new/complete"
    sync -f "$work/new"
    [[ ! -e $target ]] || mv -T "$target" "$work/old"
    mv -T "$work/new" "$target"
    rm -rf "$work"
    say "LibTorch is in $target"
}

fetch_cuda() {
    local down component
    down=$(total "$lists/libtorch-cuda.txt" 1)
    check_space $((down + $(total "$lists/libtorch-cuda.txt" 2))) "CUDA"
    say "CUDA's libraries: a download of $(megabytes "$down") ($(megabytes "$(total "$lists/libtorch-cuda.txt" 2)") unpacked)"
    download "$lists/libtorch-cuda.txt"
    say "unpacking"
    unpack "$work/new"
    # File by file, because programs may be using the folder: existing files are only replaced by identical ones, and
    # the stamp is written last.
    (cd "$work/new" && find . -type f -print0) | while IFS= read -r -d '' component; do
        mkdir -p "$target/$(dirname "$component")"
        mv -f "$work/new/$component" "$target/$component"
    done
    sync -f "$target"
    stamp "$lists/libtorch-cuda.txt" >"$work/complete-cuda"
    mv -f "$work/complete-cuda" "$target/complete-cuda"
    rm -rf "$work"
    say "CUDA's libraries are in $target/nvidia"
}

# The driver's version, e.g. 580.65; empty without a driver.
driver_version() {
    [[ -r /proc/driver/nvidia/version ]] || return 0
    grep -m 1 -oE '[0-9]{3,4}\.[0-9]+(\.[0-9]+)?' /proc/driver/nvidia/version || true
}

wants_cuda() {
    local driver answer size
    [[ ${CASP_WITH_CUDA:-} != 1 ]] || return 0
    driver=$(driver_version)
    [[ -n $driver && ${CASP_WITH_CUDA:-} != 0 && ! -e $target/cuda-declined ]] || return 1
    size="$(megabytes "$(total "$lists/libtorch-cuda.txt" 1)")"
    if ((${driver%%.*} < 580)); then
        say "the NVIDIA driver $driver is too old for CUDA 13, which needs 580 or later; runs will use the CPU"
        return 1
    fi
    if [[ ! -t 0 || ! -t 2 ]]; then
        say "found an NVIDIA GPU; packaging/run.sh --with-cuda fetches CUDA's libraries ($size download)"
        return 1
    fi
    printf 'packaging: found an NVIDIA GPU. Fetch the CUDA libraries too (%s download)? [y/N] ' "$size" >&2
    read -r answer || answer=''
    if [[ $answer == [yY]* ]]; then return 0; fi
    [[ ! -d $target ]] || touch "$target/cuda-declined"
    say "not fetched; packaging/run.sh --with-cuda fetches them later"
    return 1
}

mode=${1:-}
[[ $mode =~ ^(|--with-cuda|--offer-cuda)$ ]] || fail "unknown argument \"$mode\"; expected --with-cuda or --offer-cuda"

need_cpu=0 need_cuda=0
is_complete "$lists/libtorch.txt" complete || need_cpu=1
if ! is_complete "$lists/libtorch-cuda.txt" complete-cuda; then
    if [[ $mode == --with-cuda ]] || { [[ $mode == --offer-cuda ]] && wants_cuda; }; then need_cuda=1; fi
fi
((need_cpu || need_cuda)) || exit 0

[[ $(uname -s)-$(uname -m) == Linux-x86_64 ]] ||
    fail "the LibTorch wheel is for Linux on x86-64, but this is $(uname -s) on $(uname -m): set CASP_LIBTORCH to a LibTorch >= 2.9"
mkdir -p "$CASP_CACHE" 2>/dev/null || fail "the cache folder $CASP_CACHE cannot be created: set XDG_CACHE_HOME to a writable folder"
exec 8>"$CASP_CACHE/.lock" || fail "the cache folder $CASP_CACHE cannot be written: set XDG_CACHE_HOME to a writable folder"
if ! flock -n 8; then
    say "waiting for another process that is fetching LibTorch"
    flock 8
fi
# Left by a killed process: remove incomplete folders, keep complete wheels (pip verifies their digests).
rm -rf "$work/new" "$work/old" "$work/tmp"
trap 'rm -rf "$work/new" "$work/tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if ((need_cpu)) && ! is_complete "$lists/libtorch.txt" complete; then fetch_cpu; fi
if ((need_cuda)) && ! is_complete "$lists/libtorch-cuda.txt" complete-cuda; then fetch_cuda; fi
