#!/bin/sh
# The page in a browser, where there is one.        usage: page.sh SOURCE_DIR CONDYLE
[ -f "$1/build/web/viewer.html" ] && command -v chromium > /dev/null || exit 77
node "$1/tests/web/loading_test.mjs" "$1/build/web/viewer.html" "$2" || exit 1
exec node "$1/tests/web/page_test.mjs" "$1/build/web/viewer.html" "$2" "$1"
