#!/usr/bin/env bash
# packaging/run.sh [--with-cuda] [caspstudio's arguments]
#
# Installs missing Debian packages and LibTorch, builds, and starts caspstudio with the arguments in the current folder.
# Takes seconds if everything is up to date. The script's messages go to standard error.
#
#   --with-cuda, CASP_WITH_CUDA=1   also fetch CUDA's libraries, without asking (CASP_WITH_CUDA=0: never ask)
#   CASP_GUI=OFF                    build without the window, in build/headless (a server: no Qt, VTK or OpenGL are installed)
#   CASP_GUI=ON                     build with the window also for commands that do not need it. By default it is built when
#                                   the arguments need it (none, files, --figures, --verify), and kept up to date afterwards
#   CASP_LIBTORCH=DIR               use this LibTorch (>= 2.9) instead of fetching one
#   CASP_JOBS=N                     compile N files in parallel
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

if [[ ${1:-} == --with-cuda ]]; then
    CASP_WITH_CUDA=1
    shift
fi

# Whether caspstudio's arguments open the window or draw figures.
need_window() {
    local word
    [[ ${1:-} == --* ]] || return 0
    for word; do
        case $word in --figures | --figures=* | --verify) return 0 ;; esac
    done
    return 1
}

preset=release
export CASP_WINDOW=${CASP_GUI:-OFF}
if [[ ${CASP_GUI:-} == OFF ]]; then
    preset=headless
elif need_window "$@" || grep -qs ' window=ON$' "$CASP_ROOT/build/release/.configured"; then
    CASP_WINDOW=ON
fi
if [[ $CASP_WINDOW == ON ]]; then
    ensure_packages build gui
else
    ensure_packages build
fi
ensure_libtorch "$CASP_ROOT/build/$preset"
if [[ $CASP_LIBTORCH == "$CASP_CACHE/libtorch-$CASP_TORCH_VERSION/torch" ]]; then
    CASP_WITH_CUDA=${CASP_WITH_CUDA:-} "$CASP_ROOT/packaging/fetch_libtorch.sh" --offer-cuda || exit 1
fi
build "$preset" caspstudio
exec "$CASP_ROOT/build/$preset/app/caspstudio" "$@"
