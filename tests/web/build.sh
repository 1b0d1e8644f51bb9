#!/bin/sh
# Builds the viewer where its tools and sources can be had, and holds its size.        usage: build.sh SOURCE_DIR
set -u
"$1/scripts/web.sh" > web.log 2>&1
status=$?
if [ $status -eq 77 ]; then
  echo "[  REASON  ] the page of the viewer: $(sed -n 's/^The page of the viewer //p' web.log)"
  exit 77
elif [ $status -ne 0 ]; then
  tail -40 web.log
  exit 1
fi
size=$(gzip -9 -c "$1/build/web/viewer.html" | wc -c)
echo "$size bytes compressed"
[ "$size" -lt 3000000 ]
