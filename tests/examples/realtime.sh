#!/bin/sh
# The example of a real-time thread counts every step once, and its shares are in order.   usage: realtime.sh PROGRAM SOURCE_DIR
set -eu
told=$("$1" "$2/models/humanoid.xml" 500)
echo "$told"
echo "$told" | awk '
  / us and more / { count += $NF }
  /^mean / { gsub(",", ""); median = $5; most = $7; nearly = $9; worst = $11; seen = 1 }
  END {
    if (!seen || count != 500) { print "counted " count " of 500 steps"; exit 1 }
    if (!(median > 0 && median <= most && most <= nearly)) { print "not in order"; exit 1 }
  }'
