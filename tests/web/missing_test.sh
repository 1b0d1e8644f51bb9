#!/bin/sh
# Where the page can't be built: what goes on without it says what brings it, and what is about it ends with 77.
#   missing_test.sh SOURCE_DIR
set -u
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0

# the commands of a machine without the page's tools
mkdir "$here/bin"
for command in sh dirname find; do
  ln -s "$(command -v $command)" "$here/bin/$command"
done

# check NAME STATUS PATTERN ARGUMENT...: web.sh ends with STATUS, and what it says matches PATTERN
check() {
  name=$1 status=$2 pattern=$3
  shift 3
  PATH=$here/bin "$source/scripts/web.sh" "$@" > "$here/output" 2>&1
  got=$?
  echo "ended with $got" >> "$here/output"
  if [ $got -eq "$status" ] && grep -Eq "$pattern" "$here/output"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: status $got (expected $status), no '$pattern' in:"
    cat "$here/output"
  fi
}

source=$(cd "$1" && pwd)
check "the page itself" 77 'no emcc \(scripts/need.sh web\)' "$here/web"
check "a build that goes on" 0 'no page of the viewer.*scripts/need.sh web && make web' --if-possible "$here/web"

# what is newer than its sources needs no tools
mkdir "$here/web"
touch "$here/web/viewer.html"
check "a page that is there" 0 '' "$here/web"
touch -d '2000-01-01' "$here/web/viewer.html"
check "a page that is older than its sources" 77 'no emcc' "$here/web"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
