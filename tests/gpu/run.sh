#!/usr/bin/env bash
# tests/gpu/run.sh [--packed DIR] [gpu_checks' arguments]
#
# Builds the headless program on a machine with an NVIDIA GPU, a Python `torch` (its LibTorch is used), CMake, ninja and a
# compiler, without network, Qt or Debian packages, then runs `gpu_checks`: the golden tests on CUDA, and at the end a
# table of step time and peak memory.
#
#   --packed DIR        headers and libraries made by tests/gpu/pack.sh; without it the system's own are used
#   CASP_LIBTORCH=DIR   this LibTorch instead of Python's
#   CASP_JOBS=N         compile N files at a time
#
# Exit status: that of gpu_checks; 1 where something is missing or does not build.
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

for tool in cmake ninja c++ python3; do
    command -v "$tool" >/dev/null || fail "$tool is not on the PATH"
done
if [[ -z ${CASP_LIBTORCH:-} ]]; then
    CASP_LIBTORCH=$(python3 -c 'import importlib.util as u
spec = u.find_spec("torch")
print(spec.submodule_search_locations[0] if spec else "")')
    [[ -n $CASP_LIBTORCH ]] || fail "this python3 ($(command -v python3)) has no torch: put the one that has first on the PATH"
fi
[[ -e $CASP_LIBTORCH/lib/libtorch_cpu.so ]] || fail "$CASP_LIBTORCH does not contain lib/libtorch_cpu.so"

build=$CASP_ROOT/build/gpu
options=(-B "$build" -DCASP_GPU_CHECKS=ON -DCASP_LIBTORCH="$CASP_LIBTORCH")
libraries=''
if [[ -n $packed ]]; then
    arch=$(cd "$packed/lib" && echo *-linux-gnu)
    libraries=$packed/lib/$arch
    options+=(
        -Dtomlplusplus_DIR="$libraries/cmake/tomlplusplus" -Dspdlog_DIR="$libraries/cmake/spdlog"
        -Dfmt_DIR="$libraries/cmake/fmt" -DFastFloat_DIR="$packed/lib/cmake/FastFloat"
        -DCLI11_DIR="$packed/share/cmake/CLI11" -Dnlohmann_json_DIR="$packed/share/cmake/nlohmann_json"
        # CMake's own search for HDF5 asks h5cc first, which knows only /usr: here it is told.
        -DHDF5_NO_FIND_PACKAGE_CONFIG_FILE=ON -DHDF5_ROOT="$packed" -DHDF5_C_COMPILER_EXECUTABLE=HDF5_C_COMPILER_EXECUTABLE-NOTFOUND
        -DHDF5_C_INCLUDE_DIR="$packed/include" -DHDF5_hdf5_LIBRARY_RELEASE="$libraries/libhdf5_serial.so"
        -DHDF5_hdf5_LIBRARY_DEBUG="$libraries/libhdf5_serial.so"
        -DOPENSSL_ROOT_DIR="$packed" -DOPENSSL_INCLUDE_DIR="$packed/include"
        -DOPENSSL_CRYPTO_LIBRARY="$libraries/libcrypto.so" -DOPENSSL_SSL_LIBRARY="$libraries/libssl.so"
        -DLibArchive_INCLUDE_DIR="$packed/include" -DLibArchive_LIBRARY="$libraries/libarchive.so"
        -DCURL_NO_CURL_CMAKE=ON -DCURL_INCLUDE_DIR="$packed/include" -DCURL_LIBRARY="$libraries/libcurl.so"
        # What the libraries need in turn stands beside them.
        -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath-link,$libraries")
fi

started=$SECONDS
say "LibTorch of $CASP_LIBTORCH; configuring in $build"
mkdir -p "$build"
(cd "$CASP_ROOT" && cmake --preset headless "${options[@]}") >"$build/configure.log" 2>&1 || {
    grep -A 12 'CMake Error' "$build/configure.log" >&2
    fail "CMake could not configure the build; full output: $build/configure.log"
}
jobs=$(build_jobs)
say "building, $jobs at a time"
ninja -C "$build" -j "$jobs" caspstudio gpu_checks >"$build/build.log" 2>&1 || {
    grep -m 1 -B 1 -A 25 'FAILED:\|error:' "$build/build.log" >&2 || tail -n 25 "$build/build.log" >&2
    fail "the build failed; full output: $build/build.log"
}
say "built in $((SECONDS - started)) s"
if [[ -r /proc/driver/nvidia/version ]]; then
    say "$(head -n 1 /proc/driver/nvidia/version)"
else
    say "no NVIDIA driver is loaded here: the checks will say that they were skipped"
fi
checks=$(find "$build" -name gpu_checks -type f -perm -u+x | head -n 1)
[[ -n $checks ]] || fail "the build made no gpu_checks"
[[ -z $libraries ]] || export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec "$checks" "$@"
