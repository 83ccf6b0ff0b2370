#!/usr/bin/env bash
# packaging/check_portable.sh DIR ROOT
#
# Starts the AppImage and both tarballs of DIR (packaging/release.sh) in ROOT, an unpacked system of another distribution: a short
# batch with each, in several processes, and the window where ROOT has OpenGL's libraries and Xvfb (they are installed if apt can).
# Needs root.
# shellcheck disable=SC2016  # the system in ROOT expands these
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=packaging/chroot.sh
. "$CASP_ROOT/packaging/chroot.sh"

[[ $# == 2 && -f $1/SHA256SUMS && -x $2/bin/sh ]] || fail "usage: packaging/check_portable.sh DIR ROOT"
in_namespace "$0" "$@"
release=$(readlink -f "$1")
home=/tmp/home
enter_root "$2"
say "$(inside sh -c '. /etc/os-release; echo "$PRETTY_NAME"'), C library $(inside getconf GNU_LIBC_VERSION)"

# short_batch PROGRAM RESOURCES ARGUMENT...
short_batch() {
    local program=$1 resources=$2
    shift 2
    inside "$program" --version >&2
    inside "$program" --batch "$resources/share/caspstudio/resources/experiments/quickstart.toml" --out /tmp/out \
        --set train.max_steps=10 "$@" >"$root/tmp/log" 2>&1 || { tail -n 20 "$root/tmp/log"; fail "$program failed"; }
    grep -q '^Tables and runs' "$root/tmp/log" || fail "$program printed no result"
    rm -rf "$root/tmp/out"
}

mkdir -p "$root/tmp/files" "$root/tmp/home"
cp "$release"/*.AppImage "$root/tmp/files/"
for tarball in "$release"/caspstudio-*x86_64.tar.xz; do tar --directory "$root/tmp/files" -xf "$tarball"; done
headless=$(cd "$root/tmp/files" && echo caspstudio-headless-*)
short_batch "/tmp/files/$headless/caspstudio" "/tmp/files/$headless"
short_batch "/tmp/files/$headless/caspstudio" "/tmp/files/$headless" --set run.processes=2 --set run.threads=1
short_batch "/tmp/files/$headless/caspstudio" "/tmp/files/$headless" --set 'run.devices=["cpu","cpu"]' --set run.threads=1
say "headless tarball: runs, in two processes and on two devices, too"

if ! inside sh -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends xvfb xauth x11-utils procps libegl1 libgl1 \
    libopengl0 libfontconfig1 libharfbuzz0b libx11-xcb1 libgl1-mesa-dri fonts-dejavu-core' >"$root/tmp/apt.log" 2>&1; then
    tail -n 5 "$root/tmp/apt.log"
    fail "a desktop's libraries cannot be installed in $root"
fi
appimage=/tmp/files/$(cd "$root/tmp/files" && echo caspstudio-*.AppImage)
short_batch "$appimage" "/tmp/files/$headless"
# window PROGRAM: opens it, waits for its title, and asks it to end.
window() {
    inside xvfb-run -a sh -c '
        "$1" & for i in $(seq 240); do xwininfo -root -tree 2>/dev/null | grep -qE "CASP Studio.*[0-9]{3}x[0-9]{3}" && break; sleep 0.25; done
        sleep 3; xwininfo -root -tree | grep -m 1 -E "CASP Studio.*[0-9]{3}x[0-9]{3}"; pkill -TERM -x caspstudio-bin; wait' sh "$1" \
        >"$root/tmp/window.log" 2>&1 || { cat "$root/tmp/window.log"; fail "$1: the window did not end as asked"; }
    grep 'CASP Studio' "$root/tmp/window.log" >&2 || { cat "$root/tmp/window.log"; fail "$1 opened no window"; }
}
window "$appimage"
tree=$(cd "$root/tmp/files" && find . -maxdepth 1 -name 'caspstudio-[0-9]*' -type d)
window "/tmp/files/$tree/caspstudio"
say "AppImage and tarball: batch and window"
