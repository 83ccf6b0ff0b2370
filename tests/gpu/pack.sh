#!/usr/bin/env bash
# tests/gpu/pack.sh DIR
#
# On a Debian 12 machine with the packages of packaging/debian-packages.txt [build]: copies the headers, CMake files and
# shared libraries that the headless build needs into DIR, laid out like /usr, for tests/gpu/run.sh on a machine that has
# none of them.
set -euo pipefail
[[ $# == 1 ]] || { echo "usage: tests/gpu/pack.sh DIR" >&2; exit 2; }
[[ ! -e $1 || -e $1/casp-packed ]] || { echo "pack: $1 exists and is not a folder that this script made" >&2; exit 2; }
arch=$(uname -m)-linux-gnu
rm -rf "$1"
mkdir -p "$1/include" "$1/lib/$arch"
out=$(cd "$1" && pwd -P)
touch "$out/casp-packed"

need() { [[ -e $1 ]] || { echo "pack: $1 is missing; install the packages of packaging/debian-packages.txt [build]" >&2; exit 1; }; }

# Headers. Those of one architecture go beside the others; HDF5's out of their folder for the serial library.
for header in toml++ CLI nlohmann spdlog fmt fast_float archive.h archive_entry.h zlib.h zconf.h openssl "$arch/openssl" "$arch/curl" "hdf5/serial"; do
    need "/usr/include/$header"
done
for header in toml++ CLI nlohmann spdlog fmt fast_float archive.h archive_entry.h zlib.h zconf.h openssl "$arch/openssl" "$arch/curl"; do
    cp -rL "/usr/include/$header" "$out/include/"
done
cp -L /usr/include/hdf5/serial/*.h "$out/include/"

# CMake's package files find lib/ and include/ relative to themselves: the same places as below /usr.
for package in "lib/$arch/cmake/tomlplusplus" "lib/$arch/cmake/spdlog" "lib/$arch/cmake/fmt" lib/cmake/FastFloat \
    share/cmake/CLI11 share/cmake/nlohmann_json; do
    need "/usr/$package"
    mkdir -p "$out/$(dirname "$package")"
    cp -rL "/usr/$package" "$out/$package"
done

# Libraries under the names that linker and CMake files ask for, and what they need in turn but the C and C++ runtime.
system=/usr/lib/$arch lib=$out/lib/$arch
for name in hdf5_serial curl crypto ssl tomlplusplus spdlog fmt archive z; do
    need "$system/lib$name.so"
    real=$(readlink -f "$system/lib$name.so")
    soname=$(objdump -p "$real" | awk '$1 == "SONAME" { print $2 }')
    cp -L "$real" "$lib/$soname"
    for alias in "$(basename "$real")" "lib$name.so"; do
        [[ $alias == "$soname" ]] || ln -sf "$soname" "$lib/$alias"
    done
done
ln -sf libhdf5_serial.so "$lib/libhdf5.so"
for library in "$lib"/*.so.*; do ldd "$library"; done | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u |
    while read -r soname path; do
        case $soname in
            libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.*) continue ;;
            libstdc++.so.* | libgcc_s.so.* | libgomp.so.*) continue ;;
        esac
        [[ -e $lib/$soname ]] || cp -L "$path" "$lib/$soname"
    done
echo "pack: $(du -sh "$out" | cut -f1) in $out"
