#!/usr/bin/env bash
# packaging/site.sh [DIR]
#
# Builds the documentation site in DIR (build/site): the Markdown files with Sphinx (docs/site/conf.py), and in api/ the
# headers with Doxygen. Warnings, dead links and paths of this machine are errors, which leave an earlier site as it is.
# Open DIR/index.html; no server is needed.
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

target=$(realpath -m -- "${1:-$CASP_ROOT/build/site}")
# Sphinx writes .buildinfo: without it, the folder is something else.
[[ ! -e $target || -e $target/.buildinfo || (-d $target && -z $(ls -A -- "$target")) ]] ||
    fail "$target is not empty and not a documentation site. Choose another folder, or delete it first."
ensure_packages docs
cd "$CASP_ROOT"
work=$(mktemp -d) || fail "no temporary folder can be created in ${TMPDIR:-/tmp}"
site=$work/site
trap 'rm -rf -- "$work"' EXIT

LC_ALL=C.UTF-8 sphinx-build -q -W --keep-going -c docs/site -d "$work/doctrees" . "$site" ||
    fail "sphinx-build failed; its messages are above"

# Debian's furo 2022.12 lacks what its bundler adds: a style sheet comes from a web server, the dark colours do not follow
# the system, and the script is an ECMAScript module, which browsers do not load from files.
styles=$site/_static/styles scripts=$site/_static/scripts
if grep -q '/javascript/normalize.css/' "$styles/furo.css"; then
    cp /usr/share/nodejs/normalize.css/normalize.css "$styles/"
    sed -i 's|/javascript/normalize.css/||' "$styles/furo.css"
    dark=$(sed -n '/^@media not print {$/,/^$/p' "$styles/furo.css")
    printf '@media (prefers-color-scheme: dark) {\n%s\n}\n' "${dark//=\"dark\"/=\"auto\"}" >>"$styles/furo.css"
    sed -i -e "/^import Gumshoe/{r $scripts/gumshoe-patched.js" -e 'd}' "$scripts/furo.js"
fi

{
    cat docs/Doxyfile
    printf 'OUTPUT_DIRECTORY = "%s"\nHTML_OUTPUT = api\nLAYOUT_FILE = docs/site/api-layout.xml\n' "$site"
    printf 'HTML_EXTRA_STYLESHEET = docs/site/api.css\n'
} >"$work/Doxyfile"
# Any output is a warning (Doxygen's own or the filter's).
if ! words=$(doxygen "$work/Doxyfile" 2>&1) || [[ -n $words ]]; then
    printf '%s\n' "$words" >&2
    fail "Doxygen failed or warned; its messages are above"
fi

# Doxygen links private nested classes in a summary without making the list.
{ grep -rl 'href="#nested-classes"' "$site/api" || true; } | xargs -r grep -L 'name="nested-classes"' |
    xargs -r sed -i -E 's!<a href="#nested-classes">Classes</a>( &#124;)?!!'

# Not within a longer path: a checkout in /app is not build/release/app/.
if LC_ALL=C grep -rlP "(?<![\w.-])(\Q$CASP_ROOT/\E|\Q$work/\E)" -- "$site"; then
    fail "the files above contain paths of this machine"
fi
docs/site/check_links.py "$site" || fail "the links above lead nowhere"
rm -rf -- "$target"
mkdir -p -- "$(dirname -- "$target")"
mv -- "$site" "$target"
say "documentation: $target/index.html"
