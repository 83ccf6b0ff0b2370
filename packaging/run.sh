#!/usr/bin/env bash
# packaging/run.sh [--with-cuda] [caspstudio's arguments]
#
# Installs missing Debian packages and LibTorch, builds, and starts caspstudio with the arguments in the current folder.
# Takes seconds if everything is up to date. The script's messages go to standard error.
#
#   --with-cuda, CASP_WITH_CUDA=1   also fetch CUDA's libraries, without asking (CASP_WITH_CUDA=0: never ask)
#   CASP_GUI=OFF                    build without the window (a server: no Qt, VTK or OpenGL are installed)
#   CASP_LIBTORCH=DIR               use this LibTorch (>= 2.9) instead of fetching one
#   CASP_JOBS=N                     compile N files in parallel
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

if [[ ${1:-} == --with-cuda ]]; then
    CASP_WITH_CUDA=1
    shift
fi

preset=release
if [[ ${CASP_GUI:-ON} == OFF ]]; then
    preset=headless
    ensure_packages build
else
    ensure_packages build gui
fi
ensure_libtorch "$CASP_ROOT/build/$preset"
if [[ $CASP_LIBTORCH == "$CASP_CACHE/libtorch-$CASP_TORCH_VERSION/torch" ]]; then
    CASP_WITH_CUDA=${CASP_WITH_CUDA:-} "$CASP_ROOT/packaging/fetch_libtorch.sh" --offer-cuda || exit 1
fi
build "$preset" caspstudio
exec "$CASP_ROOT/build/$preset/app/caspstudio" "$@"
