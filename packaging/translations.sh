#!/usr/bin/env bash
# Updates resources/translations/*.ts from the sources: new messages are added as unfinished, removed ones are dropped, and
# translations are kept. Run it after a change of any text of the window (CONTRIBUTING.md).
#
#   packaging/translations.sh           update the files
#   packaging/translations.sh --check   only report whether they are up to date (exit status 1 if not)
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
cd -- "$CASP_ROOT"

check=no
case ${1:-} in
    '') ;;
    --check) check=yes ;;
    *) fail "translations.sh takes --check or nothing, not \"$1\"" ;;
esac

# Debian's path first: lupdate in PATH may be Qt 5's.
lupdate=/usr/lib/qt6/bin/lupdate
[[ -x $lupdate ]] || lupdate=$(command -v lupdate) || fail "lupdate is missing (package qt6-l10n-tools)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 packaging/core_texts.py >"$work/core_texts.cpp"
# The order of the files is the order of the messages.
{
    find app/gui widgets \( -name '*.cpp' -o -name '*.h' \) | LC_ALL=C sort
    printf '%s\n' "$work/core_texts.cpp"
} >"$work/sources"

outdated=()
for file in resources/translations/*.ts; do
    language=${file##*/caspstudio_}
    copy=$work/${file##*/}
    cp "$file" "$copy"
    "$lupdate" -silent -I app -I widgets -I core -locations none -no-obsolete -no-ui-lines -source-language en -target-language "${language%.ts}" \
        "@$work/sources" -ts "$copy" >"$work/log" 2>&1 || fail "lupdate failed: $(head -n 3 "$work/log")"
    # A class without Q_OBJECT has another context at run time.
    ! grep -E 'lacks Q_OBJECT|without context' "$work/log" >&2 ||
        fail "messages without a context"
    ! grep '<name>' "$copy" | grep -vE '<name>(casp::.*|QObject|core)</name>' >&2 ||
        fail "these contexts are incomplete: use QObject::tr() there"
    cmp -s "$file" "$copy" && continue
    outdated+=("$file")
    [[ $check == yes ]] || cp "$copy" "$file"
done

if [[ $check == yes ]] && ((${#outdated[@]})); then
    fail "not up to date: ${outdated[*]}. Run packaging/translations.sh and commit the result."
fi
((${#outdated[@]})) && say "updated: ${outdated[*]}"
exit 0
