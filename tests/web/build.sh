#!/bin/sh
# Builds the viewer where its tools are installed, and holds its size.        usage: build.sh SOURCE_DIR
set -u
for tool in emcc clang-14 node npm dpkg-source chromium; do
  command -v $tool > /dev/null || {
    echo "[  REASON  ] no $tool (scripts/need.sh web)"
    exit 77
  }
done
"$1/scripts/web.sh" > web.log 2>&1 || {
  tail -40 web.log
  exit 1
}
size=$(gzip -9 -c "$1/build/web/viewer.html" | wc -c)
echo "$size bytes compressed"
[ "$size" -lt 3000000 ]
