#!/usr/bin/env bash
# packaging/test.sh [--quick] [ctest's arguments]
#
# Installs missing Debian packages and LibTorch, builds everything and runs the test suite with CTest. Examples:
# `packaging/test.sh -L core` (one label), `packaging/test.sh -R csv` (tests by name).
#
#   --quick             only the tests of the folders in which files differ from the last commit (if none does, that commit's),
#                       without those that are slow or need OpenGL
#   CASP_LIBTORCH=DIR   use this LibTorch (>= 2.9) instead of fetching one
#   CASP_JOBS=N         compile N files in parallel
#   CASP_WERROR=ON      warnings are errors
#   CTEST_PARALLEL_LEVEL=N   run N tests in parallel
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# The labels of the tests of changed folders: core/data/… and tests/core/data/… are core_data's, the kernels' are those of the host.
labels_of_changes() {
    local files
    files=$(git diff --name-only HEAD && git ls-files --others --exclude-standard)
    [[ -n $files ]] || files=$(git diff --name-only HEAD~1)
    sed -nE -e 's#^tests/##' -e 's#^core/model/cuda/.*#host_kernels#p' -e 's#^widgets/figure_jobs/.*#batch_figures#p' \
        -e 's#^(core|widgets)/([^/]+)/.*#\1_\2#p' -e 's#^(app/)?gui/.*#gui\nwindow#p' -e 's#^((app/)?batch|app)/.*#batch#p' \
        -e 's#^(gpu|pretend_device)/.*#host_kernels\npretend_device\npretend_gpu#p' <<<"$files" | sort -u | paste -sd '|'
}

# The targets of the tests that CTest would run with these arguments.
targets_of_tests() {
    local folder=$CASP_ROOT/build/release
    [[ ! $labels =~ batch ]] || { echo all; return; } # scripts that start several programs
    comm -12 <(ctest --test-dir "$folder" -N "$@" | sed -nE 's|^ *Test +#[0-9]+: ||p' | sort) \
        <(ninja -C "$folder" -t targets all | sed -nE 's/^([^ /]+): phony$/\1/p' | sort)
    echo caspstudio
}

quick=()
if [[ ${1:-} == --quick ]]; then
    shift
    cd -- "$CASP_ROOT"
    labels=$(labels_of_changes)
    [[ -n $labels ]] || { echo "No folder with tests was changed."; exit; }
    quick=(-L "^(${labels})(_torch|_device|_figures)?$" -LE '^(slow|gl)$')
fi

ensure_packages build gui tests
ensure_libtorch "$CASP_ROOT/build/release"
if ((${#quick[@]})); then
    build release casp_base # configures, for CTest to know its tests
    mapfile -t targets < <(targets_of_tests "${quick[@]}" "$@")
    build release "${targets[@]}"
else
    build release all
fi
# The tests of the window need no display.
[[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]] || export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
# Two in parallel: tests of the window mostly wait, but more than two would slow each other down.
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(($(nproc) > 1 ? 2 : 1))}
exec ctest --test-dir "$CASP_ROOT/build/release" --output-on-failure --no-tests=error "${quick[@]}" "$@"
