#!/usr/bin/env bash
# tests/gpu/run.sh [--packed DIR] [measure.py's arguments]
#
# What to start first where there is a GPU: checks and measurements in pieces (tests/gpu/measure.py --help lists them), each
# useful alone. Ends after nine minutes (--minutes N); the same call makes what is left. Results are added to
# build/gpu-results (--out DIR): results.jsonl, tables.md, checks.txt.
#
# Needs Python with torch, whose LibTorch is used; for the comparisons with PyTorch also transformers and pandas.
#
#   --packed DIR        programs that tests/gpu/pack.sh built elsewhere, instead of building here (which takes Debian's packages)
#   --device cpu --small  tries the script itself without a GPU, in a minute
#   CASP_LIBTORCH=DIR   this LibTorch instead of Python's
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
export HOME=${HOME:-/}
# shellcheck source=packaging/lib.sh
. "$here/../../packaging/lib.sh"

packed=''
if [[ ${1:-} == --packed ]]; then
    [[ -e ${2:-}/casp-packed ]] || fail "--packed wants a folder that tests/gpu/pack.sh made, and \"${2:-}\" is none"
    packed=$(cd "$2" && pwd -P)
    shift 2
fi
if [[ -z ${CASP_LIBTORCH:-} ]]; then
    CASP_LIBTORCH=$(python3 -c 'import importlib.util as u
spec = u.find_spec("torch")
print(spec.submodule_search_locations[0] if spec else "")')
    [[ -n $CASP_LIBTORCH ]] || fail "this python3 ($(command -v python3)) has no torch: put the one that has first on the PATH"
fi
[[ -e $CASP_LIBTORCH/lib/libtorch_cpu.so ]] || fail "$CASP_LIBTORCH does not contain lib/libtorch_cpu.so"
export CASP_LIBTORCH
if [[ -z $packed ]]; then
    packed=$CASP_ROOT/build/gpu-packed
    "$here/pack.sh" "$packed"
fi
version=$(sed -n 's/^#define TORCH_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$CASP_LIBTORCH"/include/torch/headeronly/version.h 2>/dev/null | paste -sd .)
[[ ${version:-unknown} == "$(cat "$packed/casp-packed")" ]] ||
    fail "these programs are built with LibTorch $(cat "$packed/casp-packed"), and that of $CASP_LIBTORCH is ${version:-of an unknown version}"
export LD_LIBRARY_PATH=$CASP_LIBTORCH/lib:$packed/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
if [[ -r /proc/driver/nvidia/version ]]; then say "$(head -n 1 /proc/driver/nvidia/version)"; fi
exec python3 "$here/measure.py" --programs "$packed/bin" --out "$CASP_ROOT/build/gpu-results" "$@"
