#!/bin/sh
# Prints what a run of ctest left out, why, and in parentheses what brings it; the last line counts the single tests of all programs.
#   summary.sh LOG     LOG: Testing/Temporary/LastTest.log of the build folder
set -eu
# a cmocka program or script counts its tests, any other program is one test; skips are counted by reason. A script that gives a
# reason and no count is one test left out
awk '
  /^[0-9]+\/[0-9]+ Testing: / { close_program(); inside = 1; passed = failed = skipped = ok = excused = 0 }
  # from its version 2 on cmocka says what it counts
  /^\[  (FAILED|SKIPPED) *\] tests: [0-9]/ { sub(/tests: /, "") }
  /^\[  PASSED  \] [0-9]+ test/ { passed += $4 }
  /^\[  FAILED  \] [0-9]+ test/ { failed += $4 }
  /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4 }
  /^\[  REASON  \] / { reasons[substr($0, 14)]++; excused = 1 }
  /^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
  /^Test Passed\./ { ok = 1 }
  function close_program() {
    if (!inside) return
    if (passed + failed + skipped == 0) { if (!ok) failed = 1; else if (excused) skipped = 1; else passed = 1 }
    else if (!ok && failed == 0) failed = 1
    total_passed += passed
    total_failed += failed
    total_skipped += skipped
    inside = 0
  }
  END {
    close_program()
    for (reason in reasons) {
      print "Left out: " (reasons[reason] > 1 ? reasons[reason] " tests: " : "") reason | "sort"
    }
    close("sort")
    printf "%d passed, %d failed, %d skipped\n", total_passed, total_failed, total_skipped
  }
' "$1"
