#!/bin/sh
# Measures which lines and branches of src/ the tests reach: a table by file, the sum of each folder below its files; build/coverage/html shows them in
# the sources.   usage: coverage.sh [TESTS], a regular expression of ctest; by default all but those that repeat others under a
# tool or for a long time
set -eu
cd "$(dirname "$0")/.."
build=build/coverage
reference=$(scripts/reference.sh 2> /dev/null || true)
cmake --preset coverage -DCONDYLE_TESTS=ON -DCONDYLE_REFERENCE="$reference" > /dev/null
cmake --build "$build"

profiles=$(mktemp -d)
trap 'rm -rf "$profiles"' EXIT
LLVM_PROFILE_FILE="$profiles/%m_%p.profraw" \
  ctest --test-dir "$build" --parallel "$(nproc)" --timeout 900 -R "${1:-.}" -E 'valgrind|install|fuzz|endurance' |
  grep -E 'Failed|tests passed' || true
llvm-profdata merge -sparse -o "$build/tests.profdata" "$profiles"/*.profraw

objects=$(find "$build/tests" -maxdepth 1 -type f -name 'test.*' -exec echo -object {} +)
# shellcheck disable=SC2086
set -- "$build/bin/condyle" $objects -instr-profile "$build/tests.profdata" -ignore-filename-regex '/(tests|cli|include)/'
llvm-cov show "$@" -format html -show-branches count -output-dir "$build/html" 2> /dev/null
llvm-cov report "$@" 2> /dev/null | awk '
  function percent(missed, all) { return all ? sprintf("%.2f%%", 100 * (all - missed) / all) : "-" }
  function row(name, lines, missed, branches, untaken) {
    printf "%-32s %6d %8s %9d %8s\n", name, lines, percent(missed, lines), branches, percent(untaken, branches)
  }
  function close_folder() {
    if (folder != "") row(folder "/", sum[8], sum[9], sum[11], sum[12])
    for (i = 8; i <= 12; i++) sum[i] = 0
  }
  BEGIN { printf "%-32s %6s %8s %9s %8s\n", "src/", "lines", "reached", "branches", "taken" }
  $1 ~ /\.[ch]$/ && $8 > 0 {
    path = $1
    sub(/\/[^\/]*$/, "", path)
    if (path != folder) { close_folder(); folder = path }
    for (i = 8; i <= 12; i++) sum[i] += $i
    row("  " $1, $8, $9, $11, $12)
  }
  END { close_folder() }'
