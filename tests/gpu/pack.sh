#!/usr/bin/env bash
# tests/gpu/pack.sh DIR
#
# On a Debian 12 machine with the packages of packaging/debian-packages.txt: copies the headers, CMake files and shared
# libraries that the headless build needs into DIR (some 20 MB), for tests/gpu/run.sh on a machine that has none of them.
set -euo pipefail
[[ $# == 1 ]] || { echo "usage: tests/gpu/pack.sh DIR" >&2; exit 2; }
[[ ! -e $1 || -e $1/casp-packed ]] || { echo "pack: $1 exists and is not a folder that this script made" >&2; exit 2; }
multiarch=$(uname -m)-linux-gnu
system=/usr/lib/$multiarch
rm -rf "$1"
mkdir -p "$1/include" "$1/lib/cmake" "$1/share"
out=$(cd "$1" && pwd -P)
touch "$out/casp-packed"

need() { [[ -e $1 ]] || { echo "pack: $1 is missing; install the packages of packaging/debian-packages.txt [build]" >&2; exit 1; }; }
for header in toml++ CLI nlohmann spdlog fmt fast_float openssl; do
    need "/usr/include/$header"
    cp -rL "/usr/include/$header" "$out/include/"
done
need "/usr/include/$multiarch/openssl/configuration.h"
cp -rL "/usr/include/$multiarch/openssl" "$out/include/"
for curl in "/usr/include/$multiarch/curl" /usr/include/curl; do
    if [[ -d $curl ]]; then cp -rL "$curl" "$out/include/"; break; fi
done
need "$out/include/curl/curl.h"
need /usr/include/hdf5/serial/hdf5.h
cp -L /usr/include/hdf5/serial/*.h "$out/include/"

# CMake's package files, wherever Debian put them, beside each other: they find lib/ and include/ relative to themselves.
for package in tomlplusplus CLI11 nlohmann_json spdlog fmt FastFloat; do
    for folder in "$system/cmake/$package" "/usr/lib/cmake/$package" "/usr/share/cmake/$package" "/usr/share/$package"; do
        if [[ -d $folder ]]; then
            cp -rL "$folder" "$out/lib/cmake/"
            break
        fi
    done
    need "$out/lib/cmake/$package"
done

# The libraries under the names that a linker asks for, and all that they need in turn but the C and C++ runtime.
link_names=(hdf5_serial curl crypto ssl tomlplusplus spdlog fmt)
for name in "${link_names[@]}"; do
    need "$system/lib$name.so"
    real=$(readlink -f "$system/lib$name.so")
    soname=$(objdump -p "$real" | awk '$1 == "SONAME" { print $2 }')
    cp -L "$real" "$out/lib/$soname"
    ln -sf "$soname" "$out/lib/lib$name.so"
done
ln -sf libhdf5_serial.so "$out/lib/libhdf5.so"
for library in "$out"/lib/*.so.*; do ldd "$library"; done | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u |
    while read -r soname path; do
        case $soname in
            libc.so.*|libm.so.*|libdl.so.*|libpthread.so.*|librt.so.*|libresolv.so.*|libstdc++.so.*|libgcc_s.so.*|libgomp.so.*) continue ;;
        esac
        [[ -e $out/lib/$soname ]] || cp -L "$path" "$out/lib/$soname"
    done
echo "pack: $(du -sh "$out" | cut -f1) in $out"
