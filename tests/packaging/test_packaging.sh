#!/usr/bin/env bash
# Tests of packaging/*.sh: what they say when something is missing, and that they leave nothing half-made. Real pip, real
# scripts; no network (an empty index), no root, and a copy of packaging/ so that a test may pin other wheels.
# shellcheck disable=SC2016  # other shells expand these
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

failures=0 count=0
# check WHAT COMMAND...: counts, and names what does not hold.
check() {
    local what=$1
    shift
    count=$((count + 1))
    if ! "$@"; then
        failures=$((failures + 1))
        printf 'FAIL: %s\n' "$what"
        sed 's/^/    | /' "$scratch/err" 2>/dev/null
    fi
}
is() { [[ $1 == "$2" ]]; }
says() { grep -qF -- "$1" "$scratch/err"; }
# The last line is the error, it is the only one, and pip's own words do not show.
one_clear_line() {
    [[ $(grep -c '^packaging: error: ' "$scratch/err") == 1 ]] &&
        tail -n 1 "$scratch/err" | grep -q '^packaging: error: ' &&
        ! grep -qv '^packaging: ' "$scratch/err"
}
# run COMMAND...: status in $status, output in out and err. The user's settings stay outside.
run() {
    env -u CASP_LIBTORCH -u CASP_WITH_CUDA -u CASP_JOBS -u CPATH -u PIP_CONFIG_FILE PIP_CONFIG_FILE=/dev/null PIP_NO_INDEX=1 \
        PIP_FIND_LINKS="$scratch/index" XDG_CACHE_HOME="$scratch/cache" "$@" \
        >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
}

# A copy of the project's scripts, with small wheels in place of the half gigabyte.
copy=$scratch/project
mkdir -p "$copy" "$scratch/index" "$scratch/bin"
cp -r "$root/packaging" "$copy/packaging"
# shellcheck source=packaging/lib.sh
python=$(. "$root/packaging/lib.sh" && python_with_pip) || { echo "there is no Python with pip"; exit 1; }

# wheel NAME VERSION FILE...: a real wheel in the index with these files in it; prints its requirement line.
wheel() {
    "$python" - "$scratch/index" "$@" <<'PYTHON'
import hashlib, pathlib, sys, zipfile
index, name, version, *files = sys.argv[1:]
stem = name.replace("-", "_")
path = pathlib.Path(index) / f"{stem}-{version}-py3-none-manylinux_2_17_x86_64.whl"
info = f"{stem}-{version}.dist-info"
with zipfile.ZipFile(path, "w") as archive:
    for file in files:
        archive.writestr(file, f"{file} of {name} {version}\n")
    archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: py3-none-manylinux_2_17_x86_64\n")
    archive.writestr(f"{info}/licenses/LICENSE", "licence\n")
    archive.writestr(f"{info}/RECORD", "")
digest = hashlib.sha256(path.read_bytes()).hexdigest()
print(f"{name}=={version} --hash=sha256:{digest}  # {path.stat().st_size} 1000")
PYTHON
}
fetch=$copy/packaging/fetch_libtorch.sh
target=$scratch/cache/caspstudio/libtorch-2.11.0

# --- nothing to download from (the real pins)
run "$fetch"
check "an empty index fails" is "$status" 1
check "an empty index: one clear line" one_clear_line
check "an empty index: names the wheel" says "nvidia-cuda-runtime==13.0.96"
check "an empty index: says what to look at" says "pip config list"
check "an empty index: nothing half-made" test ! -e "$target"
check "the size of the download is told first" says "a download of 544 MB"

# --- a cache folder that cannot be made
run env XDG_CACHE_HOME=/dev/null/cache "$fetch"
check "no cache folder fails" is "$status" 1
check "no cache folder: one clear line" one_clear_line
check "no cache folder: names the way out" says "XDG_CACHE_HOME"

# --- a disk that is too small
printf '#!/bin/sh\necho Avail\necho 1000000\n' >"$scratch/bin/df"
chmod +x "$scratch/bin/df"
run env PATH="$scratch/bin:$PATH" "$fetch"
check "a small disk fails" is "$status" 1
check "a small disk: one clear line" one_clear_line
check "a small disk: both sizes" says "needs 1.7 GB in $scratch/cache/caspstudio and only 1 MB are free"
rm "$scratch/bin/df"

# --- small wheels: complete, repeated, changed
{
    wheel nvidia-small 1.0 nvidia/cu13/lib/libsmall.so nvidia/cu13/lib/libsmall.a nvidia/__init__.py
    wheel torch 2.11.0 torch/lib/libtorch_cpu.so torch/lib/libtorch_python.so torch/include/ATen/a.h torch/nn/big.py
} >"$copy/packaging/libtorch.txt"
wheel nvidia-cuda-small 2.0 nvidia/cu13/lib/libcuda_small.so >"$copy/packaging/libtorch-cuda.txt"
run "$fetch"
check "small wheels are fetched" is "$status" 0
check "libraries are there" test -f "$target/torch/lib/libtorch_cpu.so"
check "headers are there" test -f "$target/torch/include/ATen/a.h"
check "NVIDIA's libraries are there" test -f "$target/nvidia/cu13/lib/libsmall.so"
check "licences are there" test -f "$target/torch-2.11.0.dist-info/licenses/LICENSE"
check "Python's part is not" test ! -e "$target/torch/lib/libtorch_python.so" -a ! -e "$target/torch/nn"
check "static libraries are not" test ! -e "$target/nvidia/cu13/lib/libsmall.a"
check "the stamp holds the digests" is "$(cat "$target/complete")" "$(sed 's/ *#.*//' "$copy/packaging/libtorch.txt")"
check "no wheel and no work folder stays" is "$(find "$scratch/cache" -name '*.whl' -o -name '*.part' | wc -l)" 0

mv "$scratch/index" "$scratch/away"
mkdir "$scratch/index"
run "$fetch"
check "a second call succeeds without an index" is "$status" 0
check "a second call says nothing" test ! -s "$scratch/err"
rm "$target/complete"
run "$fetch"
check "a folder without its stamp does not count" is "$status" 1
rmdir "$scratch/index"
mv "$scratch/away" "$scratch/index"
run "$fetch"
check "and is made anew" test "$status" = 0 -a -f "$target/complete" -a -f "$target/torch/lib/libtorch_cpu.so"

# --- CUDA: only when asked; beside what is there
check "CUDA's libraries are not fetched unasked" test ! -e "$target/nvidia/cu13/lib/libcuda_small.so"
run "$fetch" --with-cuda
check "--with-cuda fetches them" test "$status" = 0 -a -f "$target/nvidia/cu13/lib/libcuda_small.so" -a -f "$target/complete-cuda"
check "what was there stays" test -f "$target/nvidia/cu13/lib/libsmall.so"
run "$fetch" --with-cpu
check "an unknown argument fails" is "$status" 1
check "an unknown argument: one clear line" one_clear_line

# --- wrong bytes
rm -rf "$scratch/cache"
echo more >>"$scratch/index/torch-2.11.0-py3-none-manylinux_2_17_x86_64.whl"
run "$fetch"
check "wrong bytes fail" is "$status" 1
check "wrong bytes: one clear line" one_clear_line
check "wrong bytes: says so" says "another digest than packaging/libtorch.txt pins"
check "wrong bytes: nothing under the final name" test ! -e "$target"
wheel torch 2.11.0 torch/lib/libtorch_cpu.so torch/lib/libtorch_python.so torch/include/ATen/a.h torch/nn/big.py >/dev/null
# The wheel's digest depends on its time stamps: pin the new one.
{
    head -n 1 "$copy/packaging/libtorch.txt"
    wheel torch 2.11.0 torch/lib/libtorch_cpu.so torch/include/ATen/a.h
} >"$scratch/pins"
cp "$scratch/pins" "$copy/packaging/libtorch.txt"
run "$fetch"
check "right bytes afterwards succeed" test "$status" = 0 -a -f "$target/complete"

# --- two at once
rm -rf "$scratch/cache"
run bash -c '"$1" & "$1" & wait' both "$fetch"
check "two at once leave one complete folder" test -f "$target/complete" -a -f "$target/torch/lib/libtorch_cpu.so"
check "two at once: neither fails" is "$(grep -c error "$scratch/err")" 0

# --- a LibTorch of the user's own that is none
run env CASP_LIBTORCH="$scratch/nowhere" bash -c '. "$1/packaging/lib.sh"; ensure_libtorch "$1/build"' own "$copy"
check "a wrong CASP_LIBTORCH fails" is "$status" 1
check "a wrong CASP_LIBTORCH: one clear line" one_clear_line
check "a wrong CASP_LIBTORCH: names it" says "CASP_LIBTORCH=$scratch/nowhere"

# --- Debian packages that are missing, for a user who may install none
cat >>"$copy/packaging/debian-packages.txt" <<'TEXT'

[imaginary]  # for this test
casp-imaginary-dev    header:casp/imaginary.h
casp-imaginary-tool   command:casp-imaginary-tool
bash                  command:bash
TEXT
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/sudo"
chmod +x "$scratch/bin/sudo"
# EUID is bash's own and cannot be set: the function is asked with the two conditions it is made of.
as_user=()
if ((EUID == 0)); then as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
chmod -R a+rX "$scratch"
run "${as_user[@]}" env HOME=/nonexistent PATH="$scratch/bin:$PATH" bash -c '. "$1/packaging/lib.sh"; ensure_packages imaginary' p "$copy"
check "missing packages fail" is "$status" 1
check "missing packages: one clear line" one_clear_line
check "missing packages: both, and only they, are named" grep -qE 'casp-imaginary-dev casp-imaginary-tool$|called: casp-imaginary-dev casp-imaginary-tool\. ' "$scratch/err"
printf '#!/bin/sh\n' >"$scratch/bin/casp-imaginary-tool"
chmod a+rx "$scratch/bin/casp-imaginary-tool"
mkdir -p "$scratch/include/casp"
touch "$scratch/include/casp/imaginary.h"
chmod -R a+rX "$scratch"
run "${as_user[@]}" env HOME=/nonexistent CPATH="$scratch/include" PATH="$scratch/bin:$PATH" \
    bash -c '. "$1/packaging/lib.sh"; ensure_packages imaginary' p "$copy"
check "what stands there without dpkg counts" is "$status" 0

# --- sizes and jobs
# shellcheck source=packaging/lib.sh
sizes=$(. "$root/packaging/lib.sh"; for n in 2243632 530604548 1968804915 9999999999 12000000000; do megabytes "$n"; echo; done | paste -sd,)
check "sizes read well: $sizes" is "$sizes" "3 MB,531 MB,2.0 GB,10.0 GB,12 GB"
run env CASP_JOBS=0 bash -c '. "$1/packaging/lib.sh"; build_jobs' j "$copy"
check "CASP_JOBS=0 is refused" test "$status" = 1
run env CASP_JOBS=3 bash -c '. "$1/packaging/lib.sh"; build_jobs' j "$copy"
check "CASP_JOBS=3 counts" is "$(cat "$scratch/out")" 3

# --- an older LibTorch is refused before anything is compiled
old=$scratch/old
mkdir -p "$old/lib" "$old/include/torch/headeronly"
touch "$old/lib/libtorch_cpu.so" "$old/lib/libc10.so"
printf '#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 8\n#define TORCH_VERSION_PATCH 1\n' \
    >"$old/include/torch/headeronly/version.h"
run cmake -S "$root" -B "$scratch/configured" -G Ninja -DCASP_GUI=OFF -DCASP_LIBTORCH="$old"
check "CMake refuses LibTorch 2.8" test "$status" != 0
check "and says which it is, and what is needed" bash -c 'tr -s " \n" " " <"$1" | grep -q "is of version \"2.8.1\"; 2.9 or later is needed"' v "$scratch/err"

# --- a package that cannot be had: one clear line, with the size told before
if (. "$root/packaging/lib.sh" && is_debian_12); then
    printf '\n[unreachable]\ncasp-unreachable-dev  header:casp/unreachable.h\n' >>"$copy/packaging/debian-packages.txt"
    printf '#!/bin/sh\nshift\nexec "$@"\n' >"$scratch/bin/sudo"
    cat >"$scratch/bin/apt-get" <<'TEXT'
#!/bin/sh
case " $* " in
*" --assume-no "*) echo "Need to get 5,120 kB of archives."; exit 1 ;;
*" update "*) exit 0 ;;
esac
echo "E: Failed to fetch http://deb.example.org/casp-unreachable-dev.deb  404  Not Found"
exit 100
TEXT
    chmod a+rx "$scratch/bin/sudo" "$scratch/bin/apt-get"
    run env PATH="$scratch/bin:$PATH" bash -c '. "$1/packaging/lib.sh"; ensure_packages unreachable' p "$copy"
    check "a package that cannot be fetched: status 1" is "$status" 1
    check "and one clear line at the end" one_clear_line
    check "with apt's reason and the package" grep -q 'Failed to fetch http.*missing: casp-unreachable-dev' "$scratch/err"
    check "the download's size came before" says "download: 5,120 kB"
    rm "$scratch/bin/sudo" "$scratch/bin/apt-get"
fi

# --- relative arguments are the caller's: run.sh keeps the folder it was called from
mkdir -p "$copy/build/release/app" "$scratch/elsewhere" "$scratch/libtorch/lib" "$scratch/libtorch/include"
touch "$scratch/libtorch/lib/libtorch_cpu.so" "$scratch/elsewhere/mine.toml"
cat >"$copy/build/release/build.ninja" <<'TEXT'
rule nothing
  command = true
build caspstudio: nothing
TEXT
printf '#!/bin/sh\npwd\nls "$2"\nprintf "%%s\\n" "$#"\nexit 130\n' >"$copy/build/release/app/caspstudio"
chmod +x "$copy/build/release/app/caspstudio"
# shellcheck disable=SC2016
run env CASP_LIBTORCH="$scratch/libtorch" bash -c '
    . "$1/packaging/lib.sh"; export CASP_LIBTORCH
    configuration_key >"$1/build/release/.configured"
    cd "$2" && "$1/packaging/run.sh" --batch mine.toml "two words"' r "$copy" "$scratch/elsewhere"
check "run.sh gives the program's status" is "$status" 130
check "run.sh: folder, relative file and words arrive; nothing else on standard output" \
    is "$(cat "$scratch/out")" "$scratch/elsewhere"$'\nmine.toml\n3'

# --- the window is built when it is asked for, and stays
mkdir -p "$copy/build/headless/app"
cp "$copy/build/release/build.ninja" "$copy/build/headless/"
cp "$copy/build/release/app/caspstudio" "$copy/build/headless/app/"
cat >"$scratch/bin/cmake" <<'TEXT'
#!/bin/sh
echo "$*" >>"$CASP_CALLS"
TEXT
chmod a+rx "$scratch/bin/cmake"
configured_for() { # the configuration that run.sh makes for these arguments; "" if it keeps the last one
    : >"$scratch/calls"
    env CASP_CALLS="$scratch/calls" CASP_LIBTORCH="$scratch/libtorch" PATH="$scratch/bin:$PATH" \
        "$copy/packaging/run.sh" "$@" >/dev/null 2>&1
    sed -E 's/--preset (\w+) .*-DCASP_GUI=(\w+) -DCASP_TESTS=(\w+).*/\1 \2 \3/' "$scratch/calls"
}
rm -f "$copy/build/release/.configured"
check "run.sh --batch is built without the window" is "$(configured_for --batch mine.toml)" "release OFF OFF"
check "and not configured again" is "$(configured_for --describe mine.csv)" ""
check "run.sh --figures is built with it" is "$(configured_for --batch mine.toml --figures all)" "release ON ON"
check "which then stays" is "$(configured_for --batch mine.toml)" ""
rm -f "$copy/build/release/.configured"
check "run.sh with a file is built with it" is "$(configured_for mine.csv)" "release ON ON"
rm -f "$copy/build/release/.configured"
check "and with CASP_GUI=ON" is "$(CASP_GUI=ON configured_for --describe mine.csv)" "release ON ON"
check "but not with CASP_GUI=OFF" is "$(CASP_GUI=OFF configured_for mine.csv)" "headless OFF OFF"
rm "$scratch/bin/cmake"

# --- site.sh replaces only its own folder
mkdir "$scratch/mine"
touch "$scratch/mine/letter"
run "$copy/packaging/site.sh" "$scratch/mine"
check "site.sh in a folder with other files fails" is "$status" 1
check "with one clear line" one_clear_line
check "which names the folder" says "$scratch/mine is not empty and not a documentation site"
check "and deletes nothing" test -e "$scratch/mine/letter"
run "$copy/packaging/site.sh" "$scratch/mine/letter"
check "site.sh in place of a file fails, too" test "$status" = 1 -a -e "$scratch/mine/letter"

printf '%d checks, %d failed\n' "$count" "$failures"
((failures == 0))
