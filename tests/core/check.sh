#!/bin/sh
# A program linked with the core and libm alone loads models that the whole library has saved, and makes the same bits as with that one where
# no product is fused (docs/core.md), which are those of every machine (hashes.txt); it is small, and what it lacks is refused by name.
# usage: check.sh BUILD_DIR SOURCE_DIR COMPILER [FLAG...], flags as the libraries were compiled with
# EMULATOR: the words before a program for another processor.   RECORD=1: writes hashes.txt anew
set -u
build=$1
source=$2
compiler=$3
shift 3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0

models="models/humanoid models/humanoid_mesh models/hand models/rubble models/limits models/chain tests/models/actuator_muscle
  tests/models/composite_cable tests/models/flex_contact_solid tests/models/hard_stack tests/models/hfield_marbles
  tests/models/tendon_everything"

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

set -- "$compiler" -O1 -Wall -Wextra -Werror "-I$source/include" "$@"
"$@" "$source/tests/core/step.c" "$build/libcondyle_core.a" -Wl,--gc-sections -lpthread -lm -o "$here/core" || exit 1
"$@" "$source/tests/core/step.c" "$build/libcondyle.so" "-Wl,-rpath,$build" -o "$here/whole" || exit 1
"$@" "$source/tests/core/lacks.c" "$build/libcondyle_core.a" -lpthread -lm -o "$here/lacks" || exit 1
"$@" "$source/tests/core/compile.c" "$build/libcondyle.so" "-Wl,-rpath,$build" -o "$here/compile" || exit 1

# the whole library, where no product is fused: if it has versions of kernels for AVX2, on a processor without
runner=${EMULATOR:-} unfused=yes
if nm "$build/libcondyle.so" | grep -q 'arch_x86_64_v3'; then
  runner=$(command -v qemu-x86_64-static || command -v qemu-x86_64) && runner="$runner -cpu qemu64" || unfused=
fi
files=
for model in $models; do
  files="$files $source/$model.xml"
done
# shellcheck disable=SC2086
$runner "$here/compile" "$here" $files > "$here/log" 2>&1 || { cat "$here/log"; exit 1; }

# libraries: whatever of libc, libm and the loader
foreign=$(readelf -d "$here/core" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|libpthread|ld-.*)\.so\.[0-9]+$')
check "libraries: $foreign" test -z "$foreign"

# sines and their kin that C libraries round differently: base/algebra/elementary.h has those of the engine. What is drawn may differ,
# and the angle of a camera is a float of the C library, as in the reference; so are bytes of gradients, and the angles by which faces of meshes are sorted
functions='a?(sin|cos|tan)h?|atan2|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|tgamma|lgamma|erf|erfc|sincos'
find "$build/CMakeFiles/condyle_engine.dir" -name '*.o' ! -path '*/src/view/*' ! -path '*/src/lint/*' -exec nm -A -u {} + |
  grep -E " U ($functions)f?$" | grep -vE 'compile/tree/camera.*atan2f$|compile/(texture/gradient|mesh/direction_angle)' > "$here/libm"
check "functions of the C library: $(cat "$here/libm")" test ! -s "$here/libm"

"$("$compiler" -print-prog-name=strip)" -o "$here/stripped" "$here/core"
size=$(wc -c < "$here/stripped")
if grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Release' "$build/CMakeCache.txt"; then
  check "$size bytes, more than 1500000" test "$size" -lt 1500000
fi

${EMULATOR:-} "$here/core" 100 "$here"/*.mjb > "$here/of_core" 2> "$here/errors" || exit 1
check "twelve models" test "$(wc -l < "$here/of_core")" -eq 12
check "steps, derivatives, batches of each: $(cat "$here/of_core")" test "$(grep -c ' - ' "$here/of_core")" -le 4

if [ "$unfused" ]; then
  $runner "$here/whole" 100 "$here"/*.mjb > "$here/of_whole" 2> "$here/errors"
  check "the bits of the whole library" diff "$here/of_whole" "$here/of_core"

  # compiled, stepped a thousand times and differentiated: the same on every machine
  ${EMULATOR:-} "$here/core" 1000 "$here"/*.mjb > "$here/hashes" 2> "$here/errors"
  [ -z "${RECORD:-}" ] || cp "$here/hashes" "$source/tests/core/hashes.txt"
  check "the recorded bits" diff "$source/tests/core/hashes.txt" "$here/hashes"
else
  echo "neither compared with the whole library nor with recorded bits: qemu-x86_64 is missing (apt-get install qemu-user)"
fi

${EMULATOR:-} "$build/bin/condyle" compile "$source/models/chain.xml" -o "$here/chain.mjz" > "$here/log" 2>&1 || { cat "$here/log"; exit 1; }
cat > "$here/expected" << 'END'
libcondyle_core has no libccd, which convex contacts need where the flag nativeccd is disabled: enable it
0 lanes: libcondyle_core has no lanes: it steps worlds one by one
stepped
chain.xml: libcondyle_core reads no archives: it has no zlib
END
${EMULATOR:-} "$here/lacks" "$here/hand.mjb" "$here/chain.mjb" "$here/chain.mjz/chain.xml" 2>&1 | sed "s,^Error.*/\(chain.xml\).:,\1:," > "$here/said"
check "what is refused" diff "$here/expected" "$here/said"

echo "$passed passed, $failed failed; $size bytes"
[ $failed -eq 0 ]
