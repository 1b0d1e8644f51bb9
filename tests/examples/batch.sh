#!/bin/sh
# The example of batches prints one line, the same for any number of threads.   usage: batch.sh PROGRAM SOURCE_DIR
set -eu
one=$("$1" "$2/models/humanoid.xml" 12 1)
three=$("$1" "$2/models/humanoid.xml" 12 3)
echo "$one"
[ "$one" = "$three" ] || { echo "with three threads: $three"; exit 1; }
case $one in
  "height after "*" worlds: "*) ;;
  *) echo "unexpected"; exit 1 ;;
esac
if "$1" "$2/no/such.xml" 2 1 2> /dev/null; then
  echo "a missing model is no error"
  exit 1
fi
