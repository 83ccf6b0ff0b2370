#!/usr/bin/env bash
# packaging/test.sh [ctest's arguments]
#
# Installs what is missing (Debian packages, LibTorch), builds everything and runs the whole test suite with CTest, e.g.
# `packaging/test.sh -L core` for one label or `packaging/test.sh -R csv` for some names.
#
#   CASP_LIBTORCH=DIR   use this LibTorch (>= 2.9) and fetch none
#   CASP_JOBS=N         compile N files at a time
#   CTEST_PARALLEL_LEVEL=N   run N tests at a time
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

ensure_packages build gui tests
ensure_libtorch "$CASP_ROOT/build/release"
build release all
# The tests of the window need no display.
[[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]] || export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
# Two at a time: most of a window's tests wait, and more than two would take each other's time.
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(($(nproc) > 1 ? 2 : 1))}
exec ctest --test-dir "$CASP_ROOT/build/release" --output-on-failure --no-tests=error "$@"
