#!/usr/bin/env bash
# packaging/check_deb.sh FILE.deb ROOT
#
# Tries the package as a user would, in ROOT: a folder with a fresh system (`mmdebstrap --variant=minbase bookworm ROOT`, or
# trixie, or Ubuntu's noble). Installs it with apt, runs the quick start and starts the window from its menu entry under Xvfb, both
# without a network, and removes it again; prints the times, and fails if a step fails or if a file of the package stays. Needs root
# and a network.
# shellcheck disable=SC2016  # the system in ROOT expands these
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=packaging/chroot.sh
. "$CASP_ROOT/packaging/chroot.sh"

[[ $# == 2 && -f $1 && -x $2/usr/bin/apt-get ]] || fail "usage: packaging/check_deb.sh FILE.deb ROOT"
in_namespace "$0" "$@"
deb=$(readlink -f "$1")
enter_root "$2"
cp "$deb" "$root/tmp/caspstudio.deb"
apt() { inside apt-get -qq -o Dpkg::Use-Pty=0 "$@" >>"$root/tmp/apt.log" 2>&1 || { tail -n 20 "$root/tmp/apt.log"; fail "apt-get $*"; }; }
# Names of all files but those that installing anything changes.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./sys -o -path ./tmp -o -path ./var/cache -o -path ./var/log \
        -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./root -o -path ./home -o -path ./run \) -prune -o -type f -print -o -type l -print | sort)
}
seconds() { printf '%d.%02d' $((($(date +%s%N) - $1) / 1000000000)) $((($(date +%s%N) - $1) / 10000000 % 100)); }

apt update
# The tools of the trial, which a desktop has.
apt install -y --no-install-recommends xvfb xauth x11-utils libglib2.0-bin shared-mime-info procps
files >"$root/tmp/before"
apt install -y --no-install-recommends --download-only /tmp/caspstudio.deb
began=$(date +%s%N)
apt install -y --no-install-recommends /tmp/caspstudio.deb
say "installed in $(seconds "$began") s, $(($(inside dpkg-query -W -f='${Installed-Size}' caspstudio) / 1000)) MB"
inside caspstudio --version >&2

inside useradd --create-home researcher 2>/dev/null || true
home=/home/researcher
# The first minute needs no network.
offline=1
quick=$(date +%s%N)
inside su researcher -c 'cd && caspstudio --batch /usr/share/caspstudio/resources/experiments/quickstart.toml --out first' \
    >"$root/tmp/quickstart.log" 2>&1 || { tail -n 20 "$root/tmp/quickstart.log"; fail "the quick start failed"; }
say "quick start: $(seconds "$quick") s; from the package to its table: $(seconds "$began") s"
tail -n 5 "$root/tmp/quickstart.log" >&2

# The menu entry as a desktop starts it.
inside su researcher -c 'cd && xvfb-run -a sh -c "
    gio launch /usr/share/applications/caspstudio.desktop & for i in \$(seq 120); do
        xwininfo -root -tree 2>/dev/null | grep -qE \"CASP Studio.*[0-9]{3}x[0-9]{3}\" && break; sleep 0.25; done
    xwininfo -root -tree | grep -m 1 -E \"CASP Studio.*[0-9]{3}x[0-9]{3}\"; sleep 2; pgrep -x caspstudio-bin && pkill -TERM -x caspstudio-bin"' \
    >"$root/tmp/window.log" 2>&1 || { cat "$root/tmp/window.log"; fail "the window did not open from the menu entry"; }
grep 'CASP Studio' "$root/tmp/window.log" >&2

offline='' home=/root
apt purge -y --autoremove caspstudio
files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" | sed -n 's/^> \.//p' >"$root/tmp/new" || true
# What no package owns any more, without caches of other packages' triggers and the trial's own user. (apt keeps a dependency that
# another package recommends.)
while read -r file; do
    inside dpkg-query -S "$file" >/dev/null 2>&1 || printf '%s\n' "$file"
done <"$root/tmp/new" | grep -vE 'fontconfig|icon-theme\.cache|mimeinfo\.cache|^/usr/share/mime/|^/etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$' \
    >"$root/tmp/left" || true
if [[ -s $root/tmp/left ]]; then
    head "$root/tmp/left" >&2
    fail "$(wc -l <"$root/tmp/left") files stay after the removal"
fi
say "removed without a trace"
