#!/usr/bin/env bash
# packaging/release.sh [--only deb|portable|headless|source]... [DIR]
#
# Builds everything of a release from this checkout into DIR (build/release-files): the Debian package, the AppImage and the
# tarball with the window, the headless tarball, the source archive, the parts lists, and SHA256SUMS. Two calls on the same commit
# give the same bytes: every time is the commit's. Needs Debian 12, which is the oldest system of the packages.
#
#   CASP_JOBS=N   compile N files in parallel
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

only=()
while [[ ${1:-} == --only ]]; do
    [[ ${2:-} =~ ^(deb|portable|headless|source)$ ]] || fail "--only wants deb, portable, headless or source"
    only+=("$2")
    shift 2
done
((${#only[@]})) || only=(deb portable headless source)
wanted() { [[ " ${only[*]} " == *" $1 "* ]]; }

out=${1:-$CASP_ROOT/build/release-files}
mkdir -p "$CASP_ROOT/build" "$out" || fail "the folder $out cannot be created"
out=$(cd "$out" && pwd -P)
cd "$CASP_ROOT"
version=$(sed -n 's/^project(CaspStudio VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -q "^version: $version\$" CITATION.cff || fail "CITATION.cff names another version than CMakeLists.txt, $version"
grep -q "^## \[$version\]" CHANGELOG.md || fail "CHANGELOG.md has no section [$version]"
grep -q "release version=\"$version\"" resources/desktop/org.caspstudio.caspstudio.metainfo.xml ||
    fail "resources/desktop/org.caspstudio.caspstudio.metainfo.xml has no release $version"
[[ -z $(git status --porcelain) ]] || fail "there are uncommitted changes: a release is that of a commit"
# Files of an earlier version must not get into SHA256SUMS.
rm -f "$out"/*caspstudio* "$out"/SHA256SUMS
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
umask 022
ensure_packages build gui release
CASP_LIBTORCH=''
ensure_libtorch build/package
export CASP_LIBTORCH

# configure_and_build PRESET BUNDLE
configure_and_build() {
    say "building $1"
    cmake --preset "$1" -DCASP_BUNDLE="$2" -DCASP_WERROR=ON >"build/$1.log" 2>&1 ||
        fail "CMake could not configure the build; full output: build/$1.log"
    ninja -C "build/$1" -j "$(build_jobs)" package_parts >&2 || fail "the build failed; see the first error above"
}

# install_tree PRESET DIR
install_tree() {
    rm -rf "$2"
    cmake --install "build/$1" --prefix "$2" >"build/$1.log" 2>&1 || fail "cmake --install failed; full output: build/$1.log"
    find "$2" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}

# pack_tree PARENT NAME: NAME.tar.xz in $out
pack_tree() {
    say "packing $2.tar.xz"
    tar --directory "$1" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -cf - "$2" |
        xz --threads=2 -6 >"$out/$2.tar.xz"
}

deb() {
    configure_and_build package unstable
    say "packing the Debian package"
    rm -rf build/package/_CPack_Packages build/package/deb
    (cd build/package && cpack -G DEB -B deb) >build/cpack.log 2>&1 || fail "CPack failed; full output: build/cpack.log"
    cp build/package/deb/*.deb "$out/"
    dpkg-deb --fsys-tarfile build/package/deb/*.deb | tar -xO ./usr/share/doc/caspstudio/sbom.json >"$out/caspstudio_${version}_amd64.deb.sbom.json"
}

portable() {
    local name=caspstudio-$version-x86_64 work=$CASP_ROOT/build/portable
    configure_and_build package all
    install_tree package "$work/$name"
    pack_tree "$work" "$name"
    cp "$work/$name/share/doc/caspstudio/sbom.json" "$out/$name.sbom.json"
    say "packing $name.AppImage"
    c++ -std=c++20 -O2 -static -D_FILE_OFFSET_BITS=64 -isystem /usr/include/squashfuse packaging/portable/appimage_runtime.cpp \
        -o "$work/runtime" -lsquashfuse -lzstd -llzma -llz4 -llzo2 -lz
    strip "$work/runtime"
    printf 'AI\2' | dd of="$work/runtime" bs=1 seek=8 conv=notrunc status=none
    ln -sf caspstudio "$work/$name/AppRun"
    ln -sf share/applications/caspstudio.desktop share/icons/hicolor/256x256/apps/caspstudio.png "$work/$name/"
    ln -sf caspstudio.png "$work/$name/.DirIcon"
    rm -f "$work/image"
    mksquashfs "$work/$name" "$work/image" -all-root -noappend -no-xattrs -comp zstd -Xcompression-level 19 -b 1M \
        -processors "$(nproc)" -no-progress >/dev/null
    cat "$work/runtime" "$work/image" >"$out/$name.AppImage"
    chmod 755 "$out/$name.AppImage"
}

headless() {
    local name=caspstudio-headless-$version-x86_64
    configure_and_build package-headless all
    install_tree package-headless "$CASP_ROOT/build/portable/$name"
    pack_tree "$CASP_ROOT/build/portable" "$name"
    cp "build/portable/$name/share/doc/caspstudio/sbom.json" "$out/$name.sbom.json"
}

source_archive() {
    say "packing the source"
    git archive --format=tar --prefix="caspstudio-$version/" HEAD | xz --threads=2 -6 >"$out/caspstudio-$version-source.tar.xz"
    cp CITATION.cff .zenodo.json "$out/"
}

if wanted deb; then deb; fi
if wanted portable; then portable; fi
if wanted headless; then headless; fi
if wanted source; then source_archive; fi
(cd "$out" && sha256sum -- *caspstudio* | sort -k 2 >SHA256SUMS)
say "in $out:"
(cd "$out" && du -h --apparent-size -- * >&2)
