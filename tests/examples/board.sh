#!/bin/sh
# The example of a board, linked with the core: it takes no memory while it runs, keeps to its block, and follows its trajectory.
# usage: board.sh BUILD_DIR SOURCE_DIR COMPILER [FLAG...]        EMULATOR: the words before a program for another processor
set -eu
build=$1
source=$2
compiler=$3
shift 3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
${EMULATOR:-} "$build/bin/condyle" compile "$source/examples/board/arm.xml" -o arm.mjb > log 2>&1 || { cat log; exit 1; }
"$compiler" -O2 -Wall -Wextra -Werror "$@" "-I$source/include" '-DARM_MODEL="arm.mjb"' "$source/examples/board/board.c" \
  "$build/libcondyle_core.a" -Wl,--gc-sections -lpthread -lm -o board
${EMULATOR:-} ./board > told || { cat told; exit 1; }
cat told
memory=$(sed -n 's/.*memory: \([0-9]*\) bytes at most.*/\1/p' told)
[ "$memory" -lt 420000 ] || { echo "more memory than 420000 bytes"; exit 1; }

# and with a block that is too small it says so
sed 's/MEMORY = 448 \* 1024/MEMORY = 256 * 1024/' "$source/examples/board/board.c" > small.c
"$compiler" -O2 "$@" "-I$source/include" '-DARM_MODEL="arm.mjb"' small.c "$build/libcondyle_core.a" -lpthread -lm -o small
if ${EMULATOR:-} ./small > told 2>&1; then
  echo "256 KB were enough"
  exit 1
fi
