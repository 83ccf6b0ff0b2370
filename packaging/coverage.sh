#!/usr/bin/env bash
# packaging/coverage.sh [ctest's arguments]
#
# Line coverage of core/ and app/batch/: builds the preset `coverage` (g++, without the window), runs the tests, e.g.
# `packaging/coverage.sh -L core`, prints the summary and writes build/coverage/report/index.html.
#
#   CASP_LIBTORCH=DIR   use this LibTorch (>= 2.9) and fetch none
#   CASP_JOBS=N         compile N files at a time
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

ensure_packages build tests coverage
ensure_libtorch "$CASP_ROOT/build/coverage"
build coverage all
cd "$CASP_ROOT"
find build/coverage -name '*.gcda' -delete # counts of earlier calls
status=0
ctest --preset coverage "$@" || status=$?
mkdir -p build/coverage/report
gcovr --root . --filter core/ --filter app/batch/ --exclude-throw-branches --gcov-ignore-parse-errors \
    --print-summary --html-details build/coverage/report/index.html \
    --txt build/coverage/report/lines.txt build/coverage
say "line by line: build/coverage/report/index.html"
exit "$status"
