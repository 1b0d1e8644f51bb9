#!/bin/sh
# A program linked with the core and libm alone loads models that the whole library has saved, and makes the same bits as with that one where
# no product is fused (docs/core.md); it is small, and what it lacks is refused by name.
# usage: check.sh BUILD_DIR SOURCE_DIR COMPILER [FLAG...], flags as the libraries were compiled with
set -u
build=$1
source=$2
compiler=$3
shift 3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0

# check NAME COMMAND...: the command succeeds
check() {
  name=$1
  shift
  if "$@" > "$here/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name"
    cat "$here/log"
  fi
}

for model in models/humanoid models/hand models/rubble models/limits models/chain tests/models/actuator_muscle \
  tests/models/composite_cable tests/models/flex_contact_solid tests/models/hard_stack; do
  [ -f "$source/$model.xml" ] || continue
  "$build/bin/condyle" compile "$source/$model.xml" -o "$here/$(basename $model).mjb" > "$here/log" 2>&1 || { cat "$here/log"; exit 1; }
done

set -- "$compiler" -O1 -Wall -Wextra -Werror "-I$source/include" "$@"
"$@" "$source/tests/core/step.c" "$build/libcondyle_core.a" -Wl,--gc-sections -lpthread -lm -o "$here/core" || exit 1
"$@" "$source/tests/core/step.c" "$build/libcondyle.so" "-Wl,-rpath,$build" -o "$here/whole" || exit 1
"$@" "$source/tests/core/lacks.c" "$build/libcondyle_core.a" -lpthread -lm -o "$here/lacks" || exit 1

# libraries: whatever of libc, libm and the loader
foreign=$(readelf -d "$here/core" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|libpthread|ld-.*)\.so\.[0-9]+$')
check "libraries: $foreign" test -z "$foreign"

strip -o "$here/stripped" "$here/core"
size=$(wc -c < "$here/stripped")
if grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Release' "$build/CMakeCache.txt"; then
  check "$size bytes, more than 1500000" test "$size" -lt 1500000
fi

"$here/core" 100 "$here"/*.mjb > "$here/of_core" 2> "$here/errors" || exit 1
check "nine models at least" test "$(wc -l < "$here/of_core")" -ge 9
check "steps, derivatives, batches of each: $(cat "$here/of_core")" test "$(grep -c ' - ' "$here/of_core")" -le 2

# the whole library: where it has versions of kernels for AVX2, on a processor without
runner=
if nm "$build/libcondyle.so" | grep -q 'arch_x86_64_v3'; then
  runner=qemu-x86_64-static
fi
if [ -z "$runner" ] || command -v $runner > /dev/null; then
  ${runner:+$runner -cpu qemu64} "$here/whole" 100 "$here"/*.mjb > "$here/of_whole" 2> "$here/errors"
  check "the bits of the whole library" diff "$here/of_whole" "$here/of_core"
else
  echo "not compared with the whole library: $runner is missing (apt-get install qemu-user-static)"
fi

"$build/bin/condyle" compile "$source/models/chain.xml" -o "$here/chain.mjz" > "$here/log" 2>&1 || { cat "$here/log"; exit 1; }
cat > "$here/expected" << 'END'
libcondyle_core has no libccd, which convex contacts need where the flag nativeccd is disabled: enable it
0 lanes: libcondyle_core has no lanes: it steps worlds one by one
stepped
chain.xml: libcondyle_core reads no archives: it has no zlib
END
"$here/lacks" "$here/hand.mjb" "$here/chain.mjb" "$here/chain.mjz/chain.xml" 2>&1 | sed "s,^Error.*/\(chain.xml\).:,\1:," > "$here/said"
check "what is refused" diff "$here/expected" "$here/said"

echo "$passed passed, $failed failed; $size bytes"
[ $failed -eq 0 ]
