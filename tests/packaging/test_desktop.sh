#!/usr/bin/env bash
# test_desktop.sh FOLDER: checks what desktop_files made (packaging/cmake/CaspDesktop.cmake): man page, completions, menu
# entry, AppStream metadata, file type, icons; and that no user's default application changes. A check whose tool is missing is
# named and left out. The packages: [packages] in packaging/debian-packages.txt.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
share=${1:?usage: test_desktop.sh FOLDER}/share
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C.UTF-8

failures=0 count=0
# check WHAT COMMAND...: the command succeeds and says nothing.
check() {
    local what=$1
    shift
    count=$((count + 1))
    if ! "$@" >"$scratch/out" 2>&1 || [[ -s $scratch/out ]]; then
        failures=$((failures + 1))
        printf 'FAIL: %s\n' "$what"
        sed 's/^/    | /' "$scratch/out"
    fi
}
# with TOOL PACKAGE: whether it is here.
with() {
    command -v "$1" >/dev/null && return 0
    printf 'skipped: %s is not here (package %s)\n' "$1" "$2"
    return 1
}
is() { [[ $1 == "$2" ]] || { printf '"%s" instead of "%s"\n' "$1" "$2"; return 1; }; }

# ---- the terminal
man_findings() { MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$1" >/dev/null; }
if with man man-db; then check 'man page' man_findings "$share/man/man1/caspstudio.1"; fi
check 'bash completion' bash -n "$share/bash-completion/completions/caspstudio"
if with zsh zsh; then
    for file in "$share"/zsh/*/_caspstudio; do check 'zsh completion' zsh -n "$file"; done
fi
if with shellcheck shellcheck; then
    check 'shellcheck of the bash completion' shellcheck "$share/bash-completion/completions/caspstudio"
fi
if [[ ! -d $share/applications ]]; then
    printf 'skipped: menu entry, file type and icons (this build has no window)\n'
    ((failures == 0)) || exit 1
    exit 0
fi

# ---- the desktop
entry=$share/applications/caspstudio.desktop
metainfo=$share/metainfo/org.caspstudio.caspstudio.metainfo.xml
if with desktop-file-validate desktop-file-utils; then check 'desktop entry' desktop-file-validate "$entry"; fi
if with appstreamcli appstream; then
    findings() { appstreamcli validate --pedantic --no-net --no-color "$1" | grep -v '^.* Validation was successful\.$\|^$'; }
    no_findings() { ! findings "$1"; }
    check 'AppStream metadata' no_findings "$metainfo"
fi
if with xmllint libxml2-utils; then
    for file in "$metainfo" "$share/mime/packages/caspstudio-mime.xml" "$share/icons/hicolor/scalable/apps/caspstudio.svg"; do
        check "$file" xmllint --noout --nonet "$file"
    done
fi
version=$(sed -n 's/^project(CaspStudio VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")
newest=$(sed -n 's/.*<release version="\([^"]*\)".*/\1/p' "$metainfo" | head -n 1)
check 'newest release in the metadata' is "$newest" "$version"
for size in 16 22 24 32 48 64 128 256 512; do
    icon=$share/icons/hicolor/${size}x$size/apps/caspstudio.png
    # Width and height: bytes 17 to 24 of a PNG.
    pixels() { od -An -tu1 -j16 -N8 "$icon" | awk '{ print ($3 * 256 + $4) "x" ($7 * 256 + $8) }'; }
    check "icon of $size pixels" is "$(pixels)" "${size}x$size"
done

# ---- the file type, and nobody's defaults
mime_packages=/usr/share/mime/packages/freedesktop.org.xml
if with update-mime-database shared-mime-info && with gio libglib2.0-bin && [[ -e $mime_packages ]]; then
    mkdir -p "$scratch/data/mime/packages" "$scratch/data/applications" "$scratch/files/folder" "$scratch/home/.config"
    cp "$mime_packages" "$share/mime/packages/caspstudio-mime.xml" "$scratch/data/mime/packages"
    PKGSYSTEM_ENABLE_FSYNC=0 XDG_DATA_DIRS=$scratch/data check 'update-mime-database' update-mime-database "$scratch/data/mime"
    # in_desktop COMMAND...: with these types and applications only.
    in_desktop() {
        env -u XDG_CURRENT_DESKTOP HOME="$scratch/home" XDG_CONFIG_HOME="$scratch/home/.config" XDG_CONFIG_DIRS="$scratch/home" \
            XDG_DATA_HOME="$scratch/home/share" XDG_DATA_DIRS="$scratch/data" "$@"
    }
    type_of() { in_desktop gio info -a standard::content-type "$1" | sed -n 's/.*content-type: //p'; }
    hdf5=$'\x89HDF\r\n\x1a\n'
    printf '%s' "$hdf5" >"$scratch/files/run.h5"
    printf '%s' "$hdf5" >"$scratch/files/arrays.h5"
    printf 'a,b\n1,2\n' >"$scratch/files/a.csv"
    printf '[data]\n' >"$scratch/files/a.toml"
    check 'type of run.h5' is "$(type_of "$scratch/files/run.h5")" application/x-caspstudio-run
    check 'type of arrays.h5' is "$(type_of "$scratch/files/arrays.h5")" application/x-hdf
    check 'type of a.csv' is "$(type_of "$scratch/files/a.csv")" text/csv
    check 'type of a.toml' is "$(type_of "$scratch/files/a.toml")" application/toml
    check 'type of a folder' is "$(type_of "$scratch/files/folder")" inode/directory

    if with update-desktop-database desktop-file-utils; then
        # Another program whose name comes later: where two are equal, the first in the alphabet becomes the default.
        printf '[Desktop Entry]\nType=Application\nName=Other\nExec=true %%F\nMimeType=text/csv;text/plain;inode/directory;application/x-hdf;\n' \
            >"$scratch/data/applications/other.desktop"
        mkdir -p "$scratch/bin"
        printf '#!/bin/sh\n' >"$scratch/bin/caspstudio"
        chmod +x "$scratch/bin/caspstudio"
        PATH=$scratch/bin:$PATH
        default_of() { in_desktop gio mime "$1" | sed -n 's/^Default application for .*: //p'; }
        types=(text/csv application/toml inode/directory application/x-hdf text/plain)
        update-desktop-database "$scratch/data/applications"
        for type in "${types[@]}"; do default_of "$type"; done >"$scratch/before"
        cp "$entry" "$scratch/data/applications"
        update-desktop-database "$scratch/data/applications"
        for type in "${types[@]}"; do default_of "$type"; done >"$scratch/after"
        check 'there are defaults' grep -q other.desktop "$scratch/before"
        check 'the defaults of other types' diff "$scratch/before" "$scratch/after"
        check 'the default of runs' is "$(default_of application/x-caspstudio-run)" caspstudio.desktop
    fi
fi

printf '%d checks, %d failures\n' "$count" "$failures"
((failures == 0))
