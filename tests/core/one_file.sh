#!/bin/sh
# The one file, compiled by whatever compilers there are, makes the bits of the core, and runs the example of a board: GCC, Clang,
# GCC with musl and that for arm64 in a thousand steps of twelve models, others in a hundred steps of three.
# usage: one_file.sh BUILD_DIR SOURCE_DIR COMPILER
set -u
build=$1
source=$2
compiler=$3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0

"$source/scripts/amalgamate.py" "$here" > "$here/log" || exit 1
mkdir "$here/few" "$here/all"
for model in models/humanoid models/hand models/rubble models/humanoid_mesh models/limits models/chain \
  tests/models/actuator_muscle tests/models/composite_cable tests/models/flex_contact_solid tests/models/hard_stack \
  tests/models/hfield_marbles tests/models/tendon_everything; do
  "$build/bin/condyle" compile "$source/$model.xml" -o "$here/all/${model##*/}.mjb" > "$here/log" 2>&1 || { cat "$here/log"; exit 1; }
done
ln "$here"/all/humanoid.mjb "$here"/all/hand.mjb "$here"/all/rubble.mjb "$here/few"
"$compiler" -O1 "-I$source/include" "$source/tests/core/step.c" "$build/libcondyle_core.a" -lpthread -lm -o "$here/core" || exit 1
"$here/core" 1000 "$here"/all/*.mjb > "$here/of_all" 2> "$here/errors" || exit 1
"$here/core" 100 "$here"/few/*.mjb > "$here/of_few" || exit 1
# without batches
sed 's/ [^ ]*$//' "$here/of_few" > "$here/of_few_alone"

# compare NAME EXPECTED COMMAND...: what the program prints, is it what the core does? EXPECTED: of_all, of_few, of_few_alone
compare() {
  name=$1 expected=$2 steps=100 models=few
  shift 2
  [ "$expected" != of_all ] || { steps=1000 && models=all; }
  if "$@" $steps "$here"/$models/*.mjb > "$here/$name.told" 2> "$here/errors" && diff "$here/$expected" "$here/$name.told"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: < core > one file"
    cat "$here/errors"
  fi
}

# board NAME COMPILER RUNNER [FLAG...]: does the example of a board run with the one file as NAME.o?
board() {
  name=$1 cc=$2 runner=$3
  shift 3
  if $cc -O2 -Wall -Wextra -Werror '-DARM_MODEL="board/arm.mjb"' board.c "$name.o" -lpthread -lm "$@" -o "$name.board" 2> errors &&
    $runner "./$name.board" > told 2>> errors; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: the example of a board"
    cat errors
  fi
}

cp "$source/tests/core/step.c" "$here"
# the example, with the one header for those of the core
sed 's,<mujoco/api/model.h>,"condyle.h",; /<mujoco\/api\//d' "$source/examples/board/board.c" > "$here/board.c"
mkdir "$here/board"
"$build/bin/condyle" compile "$source/examples/board/arm.xml" -o "$here/board/arm.mjb" > "$here/log" 2>&1 || { cat "$here/log"; exit 1; }
cd "$here" || exit 1
# try NAME COMPILER LEVEL EXPECTED RUNNER [FLAG...]
try() {
  name=$1 cc=$2 level=$3 expected=$4 runner=$5
  shift 5
  if $cc "$level" -Wall -Werror -Wno-unused-const-variable -Wno-unused-function -c condyle.c -o "$name.o" &&
    $cc "$level" -DONE_FILE step.c "$name.o" -lpthread "$@" -lm -o "$name"; then
    # shellcheck disable=SC2086
    compare "$name" "$expected" $runner "./$name"
    board "$name" "$cc" "$runner" "$@"
  else
    failed=$((failed + 1))
    echo "FAILED $name: doesn't compile"
  fi
}

# the bits must be the same at any level of optimisation, with musl's library for C, too
for cc in gcc clang musl-gcc; do
  level=-O1
  [ $cc != clang ] || level=-O0
  if command -v $cc > /dev/null; then
    try $cc $cc $level of_all ""
  else
    echo "no $cc"
  fi
done

# other processors, under QEMU's user mode; arm has 32 bits
for cc in aarch64-linux-gnu-gcc arm-linux-gnueabihf-gcc riscv64-linux-gnu-gcc; do
  processor=${cc%%-*}
  level=-O0 expected=of_few
  [ $processor != aarch64 ] || { level=-O1 && expected=of_all; }
  emulator=$(command -v qemu-$processor-static || command -v qemu-$processor)
  if command -v $cc > /dev/null && [ "$emulator" ]; then
    try $processor $cc $level $expected "$emulator" -static -latomic
  fi
done

# Windows, under Wine, or compiled and linked where that is missing: the system's header has thousands of names, any of which a
# constant of ours may clash with; mingw-w64's library has a square root that rounds twice, which GCC calls where it doesn't optimise
wine() {
  WINEDEBUG=-all command wine "$@" | tr -d '\r'
}
windows() { # windows NAME LEVEL COMPILER...
  name=$1 level=$2
  shift 2
  if "$@" "$level" -Wall -Werror -Wno-unused-const-variable -Wno-unused-function -c condyle.c -o "$name.o" &&
    "$@" -D__USE_MINGW_ANSI_STDIO=1 -DONE_FILE step.c "$name.o" -static -o "$name.exe" 2> errors; then
    if [ "$wine" ]; then
      compare "$name" of_few wine "./$name.exe"
    else
      passed=$((passed + 1))
    fi
  else
    failed=$((failed + 1))
    echo "FAILED $name: doesn't compile"
    cat errors
  fi
}
wine=$(command -v wine || true)
mingw=x86_64-w64-mingw32-gcc-posix
if command -v $mingw > log; then
  windows mingw -O1 $mingw
fi

# by zig's Clang: Windows, and macOS, where nothing can be run: compiled and linked
zig=${ZIG:-python3 -m ziglang}
if $zig version > log 2>&1; then
  # shellcheck disable=SC2086
  windows zig_windows -O0 $zig cc -target x86_64-windows-gnu -fno-sanitize=undefined
  for processor in aarch64 x86_64; do
    macos="$zig cc -target $processor-macos -fno-sanitize=undefined -O0 -Wall -Werror -Wno-unused-const-variable -Wno-unused-function"
    if $macos -c condyle.c -o macos.o && $macos -DONE_FILE step.c macos.o -o macos; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAILED macOS, $processor: doesn't compile"
    fi
  done
fi

if command -v emcc > /dev/null && command -v node > /dev/null; then
  # batches need threads, which take a program of their own in a browser; stacks have 64 kB from 3.1.27 on, where unoptimised code needs
  # more, and before that 5 MB and no such setting
  stack=-sSTACK_SIZE=1MB
  emcc -O0 -x c "$stack" -o stack.js - > /dev/null 2>&1 << 'END' || stack=
int main(void) { return 0; }
END
  # shellcheck disable=SC2086
  if emcc -O0 -c condyle.c -o emcc.o && emcc -O0 -DONE_FILE -DNO_BATCH step.c emcc.o -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 \
    -sSINGLE_FILE=1 $stack -o emcc.js; then
    compare emcc of_few_alone node emcc.js
  else
    failed=$((failed + 1))
    echo "FAILED emcc: doesn't compile"
  fi
fi

# in plain C, without vectors and threads, and so without batches
if tools=$("$source/scripts/python_tools.sh") && "$source/$tools/bin/python" "$source/scripts/amalgamate.py" --plain plain > log; then
  cp step.c plain
  for cc in "gcc -std=c17" "tcc"; do
    name=plain.${cc%% *}
    if ! command -v "${cc%% *}" > log; then
      echo "no $cc"
    elif $cc -w -c plain/condyle.c -o "$name.o" && $cc -w -DONE_FILE -DNO_BATCH plain/step.c "$name.o" -lpthread -lm -o "$name"; then
      compare "$name" of_few_alone "./$name"
    else
      failed=$((failed + 1))
      echo "FAILED $name: doesn't compile"
    fi
  done
else
  echo "no plain C: no package index has pycparser"
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
