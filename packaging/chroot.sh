# A trial in an unpacked system, for packaging/check_deb.sh and check_portable.sh; to be sourced after lib.sh. Mounts and processes
# end with it.
# shellcheck shell=bash

home=/root offline=''

# in_namespace SCRIPT ARGUMENT...: starts the script again with mounts and processes of its own; returns there.
in_namespace() {
    ((EUID == 0)) || fail "chroot needs root"
    [[ -n ${CASP_IN_NAMESPACE:-} ]] || exec unshare --mount --pid --fork --kill-child env CASP_IN_NAMESPACE=1 "$@"
}

# enter_root ROOT: sets root, and prepares it.
enter_root() {
    root=$(readlink -f "$1")
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # Every machine has it, and mmdebstrap makes none.
    [[ -e $root/etc/hosts ]] || echo '127.0.0.1 localhost' >"$root/etc/hosts"
}

# inside COMMAND...: in that system, with the home folder $home, and without a network if $offline is not empty.
inside() {
    ${offline:+unshare --net} chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$home" LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} "$@"
}
