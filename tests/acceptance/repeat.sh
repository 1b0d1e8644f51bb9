#!/bin/sh
# Same models, same bits after many steps: in another process, in memory that is laid out and filled otherwise, on any number of
# threads, from a copy of the data and after a binary file. usage: repeat.sh PROGRAM SOURCE_DIR STEPS
set -u
program=$1
source=$2
steps=$3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0

# check NAME HOW [WORD...]: the program, run so and by these words before it, prints what it printed first
check() {
  name=$1 how=$2
  shift 2
  if "$@" "$program" "$how" "$steps" "$source" > "$here/output" 2> "$here/errors" && diff "$here/first" "$here/output" > "$here/diff"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: < first > then"
    cat "$here/errors" "$here/diff"
  fi
}

"$program" run "$steps" "$source" > "$here/first" || exit 1
check "a second process" run env
check "fresh memory of 0x55" run env MALLOC_PERTURB_=170
check "fresh memory of 0xfe" run env MALLOC_PERTURB_=1
if setarch -R true 2> /dev/null; then
  check "memory at fixed addresses" run setarch -R
fi
check "a copy of the data" copy env
check "a binary file" mjb env
for threads in 1 2 3 5; do
  check "$threads threads" "$threads" env
done

# and hashes tell states apart
"$program" nudge "$steps" "$source" > "$here/nudged" || exit 1
same=$(sort "$here/first" "$here/nudged" | uniq -d)
if [ -z "$same" ] && [ "$(wc -l < "$here/first")" -eq 10 ]; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  echo "FAILED other states have other hashes: $same"
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
