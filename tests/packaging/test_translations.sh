#!/usr/bin/env bash
# Tests of packaging/translations.sh: the files of translations are up to date, and a text that is new or changed in the window
# or in core/ is found. In a copy of the sources; skipped (77) without lupdate.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
if [[ ! -x /usr/lib/qt6/bin/lupdate ]] && ! command -v lupdate >/dev/null; then
    echo "skipped: lupdate is missing (package qt6-l10n-tools)"
    exit 77
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
copy=$scratch/project
ts=$copy/resources/translations/caspstudio_zh_CN.ts

failures=0 count=0
# check WHAT COMMAND...: counts, and names what does not hold.
check() {
    local what=$1
    shift
    count=$((count + 1))
    "$@" && return
    failures=$((failures + 1))
    printf 'FAIL: %s\n' "$what"
    sed 's/^/    | /' "$scratch/out"
}
says() { grep -qF -- "$1" "$scratch/out"; }
holds() { grep -qF -- "$1" "$ts"; }
lacks() { ! holds "$1"; }
run() { "$copy/packaging/translations.sh" "$@" >"$scratch/out" 2>&1 </dev/null; }
fails() { ! run "$@"; }
fresh() {
    rm -rf "$copy"
    mkdir -p "$copy/app" "$copy/datasets" "$copy/resources/paper"
    cp -r "$root/packaging" "$root/widgets" "$root/core" "$copy/"
    cp -r "$root/app/gui" "$copy/app/"
    cp "$root/datasets/catalog.toml" "$copy/datasets/"
    cp "$root/resources/paper/tables.toml" "$copy/resources/paper/"
    cp -r "$root/resources/translations" "$copy/resources/"
}

fresh
check 'the files of translations are up to date' run --check
check 'an unknown argument is an error' fails --verify
check 'and its message names what is taken' says 'takes --check or nothing'

# found WHAT FILE OLD NEW MESSAGE: after OLD is replaced by NEW in FILE, --check fails, and an update adds MESSAGE.
found() {
    local what=$1 file=$copy/$2
    fresh
    check "$what: the place is there" grep -qF -- "$3" "$file"
    python3 -c 'import sys
path, old, new = sys.argv[1:]
text = open(path, encoding="utf-8").read()
open(path, "w", encoding="utf-8").write(text.replace(old, new, 1))' "$file" "$3" "$4"
    check "$what: --check fails" fails --check
    check "$what: --check says what to do" says 'Run packaging/translations.sh'
    check "$what: --check changes nothing" cmp -s "$root/resources/translations/${ts##*/}" "$ts"
    check "$what: the update" run
    check "$what: the new message is in the file" holds "<source>$5</source>"
    check "$what: the translations of others are kept" \
        test "$(grep -c '<translation>' "$ts")" -ge "$(($(grep -c '<translation>' "$root/resources/translations/${ts##*/}") - 1))"
    check "$what: --check passes then" run --check
}

found 'a text of the window' app/gui/start_page.cpp 'tr("Recent files")' 'tr("Files of the last days")' 'Files of the last days'
found 'help of a setting' core/config/options.def '"Horizon: length of the forecast"' '"Horizon: rows of the forecast"' \
    'Horizon: rows of the forecast'
found 'name of a setting, from its key' core/config/options.def 'CASP_OPTION(std::int64_t, horizon,' 'CASP_OPTION(std::int64_t, steps_ahead,' \
    'Steps ahead'
found 'setting of a model' core/config/models/dlinear.def ', "", ""' ', "moons", ""' 'moons'
found 'stage of progress in core' core/util/progress.cpp 'CASP_TEXT("Computing errors")' 'CASP_TEXT("Adding errors up")' 'Adding errors up'
found 'title of a data set' datasets/catalog.toml 'title = "Electricity transformer temperature, station 1, hourly"' \
    'title = "Oil temperature, hourly"' 'Oil temperature, hourly'

fresh
cat >"$copy/app/gui/no_context.cpp" <<'END'
QString somewhere() { return tr("Nobody knows of which class"); }
END
check 'a text without a class is an error' fails
check 'which is named' says 'context'

printf '%d checks, %d failed\n' "$count" "$failures"
((failures == 0))
