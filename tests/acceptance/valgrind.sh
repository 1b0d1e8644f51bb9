#!/bin/sh
# The program under valgrind on two short runs and a broken model: no error, no leak. Exit status 77 (skipped) without valgrind.
# usage: valgrind.sh CONDYLE SOURCE_DIR
set -u
condyle=$1
models=$(cd "$2" && pwd)/models
command -v valgrind > /dev/null || {
  printf '[  REASON  ] the program under valgrind: it is missing (scripts/need.sh test)\n[  SKIPPED ] 1 test\n'
  exit 77
}
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0

# check NAME STATUS ARGUMENT...: the program ends with STATUS, which is another one if valgrind finds anything
check() {
  name=$1 status=$2
  shift 2
  valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=99 \
    "$condyle" "$@" > "$here/output" 2>&1
  got=$?
  if [ $got -eq "$status" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: status $got (expected $status):"
    tail -60 "$here/output"
  fi
}

check "a humanoid that leaps" 0 simulate "$models/humanoid.xml" --key leap --steps 100 --ctrl noise:0.5
check "rubble with elliptic cones" 0 simulate "$models/rubble.xml" --steps 250 --out "$here/rubble.csv"
printf '<mujoco>\n  <worldbody>\n    <body><geom size="0.1" class="none"/></body>\n    <bdy/>\n  </worldbody>\n</mujoco>\n' > "$here/bad.xml"
check "a broken model" 2 compile "$here/bad.xml"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
