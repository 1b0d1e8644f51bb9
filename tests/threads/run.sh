#!/bin/sh
# The tests of threads with the thread sanitizer: a small build of its own, of the few programs that start threads. Exit status 77
# (skipped) where the compiler has no such sanitizer. usage: run.sh SOURCE_DIR BUILD_DIR COMPILER
set -u
source=$1
build=$2
compiler=$3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
printf 'int main(void) { return 0; }\n' > "$here/empty.c"
"$compiler" -fsanitize=thread "$here/empty.c" -o "$here/empty" 2> /dev/null && "$here/empty" 2> /dev/null || {
  printf '[  REASON  ] no thread sanitizer\n[  SKIPPED ] 1 test\n'
  exit 77
}

# pools, stages and islands on them, batches, rollouts, loops, lanes, callbacks, plugins, the compiler's threads; data side by side
programs="base.memory.error base.parallel base.store robot.cache constraint.pool step.threads derivative.pool batch.batch batch.loop batch.parameter batch.rollout batch.rollout_lanes batch.simulations.run
  batch.simulations.expand plugin.hooks
  compile.mesh.mesh acceptance.determinism"
targets=
for program in $programs; do
  targets="$targets test.$program"
done
# little optimisation, and lanes in registers that every machine has: compiling takes longer than running
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g1 -w -DCONDYLE_NARROW" \
  -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1 -w" -DCONDYLE_SANITIZE=thread -DCONDYLE_TESTS=ON -DCONDYLE_REFERENCE= > "$here/log" 2>&1 &&
  cmake --build "$build" --target $targets >> "$here/log" 2>&1 || {
  tail -40 "$here/log"
  echo "0 passed, 1 failed"
  exit 1
}

# two at a time
export TSAN_OPTIONS="suppressions=$source/tests/support/tsan.txt"
printf '%s\n' $programs | xargs -P 2 -I @ sh -c '"$1/tests/test.@" > "$2/@.log" 2>&1; echo $? > "$2/@.status"' - "$build" "$here"
passed=0
failed=0
for program in $programs; do
  if [ "$(cat "$here/$program.status")" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $program:"
    tail -80 "$here/$program.log"
  fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
