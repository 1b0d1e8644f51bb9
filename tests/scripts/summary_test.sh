#!/bin/sh
# The last lines of make test, from the log of made-up tests.         summary_test.sh SOURCE_DIR
set -u
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

# entry STATUS OUTPUT: a test of a log of ctest
entry() {
  printf '1/9 Testing: a\n1/9 Test: a\nOutput:\n----\n%b\n<end of output>\nTest %s.\n----\n\n' "$2" "$1"
}
{
  entry Passed 'hello'
  entry Failed 'oh'
  entry Passed '[  PASSED  ] 5 test(s).'
  entry Failed '[  PASSED  ] 3 test(s).\n[  FAILED  ] 2 test(s), listed below:'
  entry Passed '[  REASON  ] the sun (wait)\n[  REASON  ] the sun (wait)\n[  PASSED  ] 1 test(s).\n[  SKIPPED ] 2 test(s), listed below:'
  entry Failed '[  PASSED  ] 3 test(s).\n[  SKIPPED ] tests: 1 test(s), listed below:\n[  FAILED  ] tests: 2 test(s), listed below:'
  entry Passed '[  REASON  ] all of the moon (go there)'
  entry Passed '7 passed, 0 failed'
} > "$here/log"
cat > "$here/expected" << 'END'
Left out: 2 tests: the sun (wait)
Left out: all of the moon (go there)
20 passed, 5 failed, 4 skipped
END
"$1/scripts/summary.sh" "$here/log" > "$here/output"
if diff "$here/expected" "$here/output"; then
  echo "1 passed, 0 failed"
else
  echo "0 passed, 1 failed"
  exit 1
fi
