#!/usr/bin/env bash
# packaging/check_checkout.sh ROOT
#
# Tries the README's two commands as a user would: in a clone of this checkout's last commit, in an empty folder of ROOT, a fresh
# Debian 12 (`mmdebstrap --variant=minbase bookworm ROOT`). Prints the times. Needs root and a network; an hour on two cores.
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=packaging/chroot.sh
. "$CASP_ROOT/packaging/chroot.sh"

[[ $# == 1 && -x $1/usr/bin/apt-get ]] || fail "usage: packaging/check_checkout.sh ROOT"
in_namespace "$0" "$@"
enter_root "$1"
# The tests' programs start each other by their paths: a folder on the disk, not the small /tmp.
clone=/root/casp-studio
rm -rf "${root:?}$clone"
git clone --quiet --no-hardlinks "file://$CASP_ROOT" "$root$clone"
# This machine's package index and certificates.
if [[ -r /etc/pip.conf ]]; then cp /etc/pip.conf "$root/etc/pip.conf"; fi
mkdir -p "$root/usr/local/share/ca-certificates"
cp -r /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/" 2>/dev/null || true

# readme ARGUMENT...: one command in the clone, with its time.
readme() {
    local began=$SECONDS
    inside ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} bash -c "cd $clone && \"\$@\"" command "$@" || fail "$* failed"
    say "$*: $(((SECONDS - began) / 60)) min $(((SECONDS - began) % 60)) s"
}
readme packaging/run.sh --batch resources/experiments/quickstart.toml
readme cmake --install build/release --prefix /root/installed
readme /root/installed/bin/caspstudio --batch /root/installed/share/caspstudio/resources/experiments/quickstart.toml --set train.max_steps=5 --out /root/out
readme packaging/test.sh
