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

# tools that are there, and neither sources of the distribution nor archives
for command in sed ls mkdir head cat; do
  ln -s "$(command -v $command)" "$here/bin/$command"
done
for command in emcc node npm dpkg-source apt-get cmake; do
  printf '#!/bin/sh\nexit 1\n' > "$here/bin/$command"
  chmod +x "$here/bin/$command"
done
rm -r "$here/web"
check "no sources" 77 'apt-get source has no expat qhull libspng libccd zlib here .*apt.log.*nor have the archives .*fetch.log' "$here/web"
mkdir -p "$here/web/sources/expat-2" "$here/web/sources/zlib-1"
check "not all sources" 77 'apt-get source has no qhull libspng libccd here' "$here/web"

# all the archives, which then serve for good: the configuration is the next that fails
printf '#!/bin/sh\n[ "$1" = -P ] && mkdir -p libraries/sources\n' > "$here/bin/cmake"
printf '#!/bin/sh\necho "asked for sources" >&2\nexit 1\n' > "$here/bin/apt-get"
check "archives" 1 '^ended with 1$' "$here/web"
rm "$here/bin/apt-get"
check "archives again" 1 '^ended with 1$' "$here/web"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
