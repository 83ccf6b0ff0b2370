#!/usr/bin/env bash
# packaging/test.sh [ctest's arguments]
#
# Installs missing Debian packages and LibTorch, builds everything and runs the test suite with CTest. Examples:
# `packaging/test.sh -L core` (one label), `packaging/test.sh -R csv` (tests by name).
#
#   CASP_LIBTORCH=DIR   use this LibTorch (>= 2.9) instead of fetching one
#   CASP_JOBS=N         compile N files in parallel
#   CASP_WERROR=ON      warnings are errors
#   CTEST_PARALLEL_LEVEL=N   run N tests in parallel
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

ensure_packages build gui tests
ensure_libtorch "$CASP_ROOT/build/release"
build release all
# The tests of the window need no display.
[[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]] || export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
# Two in parallel: tests of the window mostly wait, but more than two would slow each other down.
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(($(nproc) > 1 ? 2 : 1))}
exec ctest --test-dir "$CASP_ROOT/build/release" --output-on-failure --no-tests=error "$@"
