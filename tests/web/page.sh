#!/bin/sh
# The page in a browser, where there is one.        usage: page.sh SOURCE_DIR CONDYLE
skip() { # skip WHY
  echo "[  REASON  ] the page of the viewer in a browser: $1"
  exit 77
}
[ -f "$1/build/web/viewer.html" ] || skip "it isn't built (make web)"
command -v chromium > /dev/null || skip "no chromium (scripts/need.sh web)"
node "$1/tests/web/loading_test.mjs" "$1/build/web/viewer.html" "$2" || exit 1
node "$1/tests/web/robot_test.mjs" "$1/build/web/viewer.html" "$2" || exit 1
node "$1/tests/web/archive_test.mjs" "$1/build/web/viewer.html" "$2" || exit 1
exec node "$1/tests/web/page_test.mjs" "$1/build/web/viewer.html" "$2" "$1"
