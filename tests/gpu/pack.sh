#!/usr/bin/env bash
# tests/gpu/pack.sh DIR
#
# On Debian 12: builds what tests/gpu/run.sh starts (the headless program, gpu_checks, the benchmarks) in build/gpu, and copies it
# with its libraries, LibTorch's aside, into DIR. `tests/gpu/run.sh --packed DIR` then needs an NVIDIA driver and a Python with the
# same version of torch: no compiler, no network, no Debian packages, and no minute of the GPU for building.
#
#   CASP_LIBTORCH=DIR, CASP_JOBS=N   as for packaging/run.sh
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../packaging/lib.sh"

[[ $# == 1 ]] || { echo "usage: tests/gpu/pack.sh DIR" >&2; exit 2; }
[[ ! -e $1 || -e $1/casp-packed ]] || fail "$1 exists and is not a folder that this script made"
programs=(app/caspstudio app/caspstudio-bin tests/gpu/gpu_checks tests/bench/casp_bench tests/bench/casp_embed)

ensure_packages build bench
build=$CASP_ROOT/build/gpu
ensure_libtorch "$build"
say "building in $build"
mkdir -p "$build"
(cd "$CASP_ROOT" && cmake --preset headless -B "$build" -DCASP_GPU_CHECKS=ON -DCASP_BENCH=ON -DCASP_LIBTORCH="$CASP_LIBTORCH" \
    -DCASP_WERROR="${CASP_WERROR:-OFF}")     >"$build/configure.log" 2>&1 || fail "CMake could not configure the build; full output: $build/configure.log"
ninja -C "$build" -j "$(build_jobs)" gpu_checks casp_bench casp_embed package_parts >&2 || fail "the build failed; see the first error above"

rm -rf "$1"
mkdir -p "$1/bin" "$1/lib" "$1/no_cuda"
out=$(cd "$1" && pwd -P)
printf '%s\n' "$CASP_TORCH_VERSION" >"$out/casp-packed"
for program in "${programs[@]}"; do strip -o "$out/bin/${program##*/}" "$build/$program"; done
cp "$build"/no_cuda/*.so.13 "$out/no_cuda/"
# Not LibTorch and CUDA, which Python has, nor the C and C++ libraries, for which a newer system is assumed.
ldd "${programs[@]/#/$build/}" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u | while read -r name path; do
    case $name in
        libtorch* | libc10* | libcudart* | libcupti* | libstdc++* | libgcc_s* | libc.* | libm.* | libdl.* | libpthread.* | librt.* | libresolv.*) ;;
        *) cp -L "$path" "$out/lib/$name" ;;
    esac
done
say "$(du -sh "$out" | cut -f1) in $out"
