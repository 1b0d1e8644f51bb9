#!/bin/sh
# Builds a preset and runs every test; the last lines (summary.sh) say what was left out and count the single tests.
#   test.sh [PRESET [OPTION OF ctest...]]     options choose among the tests
set -u
cd "$(dirname "$0")/.."
preset=${1:-release}
[ $# -eq 0 ] || shift
build=build/$preset
reference=$(scripts/reference.sh 2> /dev/null || true)

cmake --preset "$preset" -DCONDYLE_TESTS=ON -DCONDYLE_REFERENCE="$reference" > /dev/null && cmake --build "$build" || {
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
}
ctest --test-dir "$build" --output-on-failure --parallel "${CTEST_PARALLEL_LEVEL:-$(nproc)}" --timeout 300 "$@"
status=$?

scripts/summary.sh "$build/Testing/Temporary/LastTest.log"
exit $status
