#!/bin/sh
# Builds the viewer: build/web/viewer.html, one file for browsers, with the engine in it. What is newer than its sources stays.
#   web.sh [--if-possible] [FOLDER]     FOLDER: build/web by default; --if-possible: for builds that go on without the page
# Exits with 77 where tools, sources or packages can't be had. The libraries that the engine is built on come as sources from the
# distribution (apt-get source), or as cmake/libraries.cmake names them where a mirror has no sources of this release; three.js and
# tools come from npm.
set -eu
cd "$(dirname "$0")/.."
if [ "${1-}" = --if-possible ]; then
  shift
  scripts/web.sh "$@" || echo "Warning: this build has no page of the viewer, which condyle view shows;" \
    "scripts/need.sh web && make web (as root, in $PWD) brings it, then build again" >&2
  exit 0
fi
folder=${1:-build/web}
page=$folder/viewer.html

if [ -f "$page" ] && [ -z "$(find CMakeLists.txt cmake include models scripts/web.sh src web -name node_modules -prune -o -newer "$page" -print)" ]; then
  exit 0
fi

unreachable() { # unreachable WHAT
  echo "The page of the viewer can't be built: $1" >&2
  exit 77
}
for tool in emcc node npm dpkg-source; do
  command -v $tool > /dev/null || unreachable "no $tool (scripts/need.sh web)"
done

# sources, found through lists of our own: those of the system may leave sources out, and need root
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/sources"
folder=$(cd "$folder" && pwd)
page=$folder/viewer.html
version=$(sed -n 's/^project(condyle VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
apt() {
  command apt-get -qq -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$folder/apt/lists" \
    -o Dir::Cache="$folder/apt" -o APT::Sandbox::User= -o Debug::NoLocking=1 "$@"
}
sources=$folder/sources
missing=""
for package in expat qhull libspng libccd zlib; do
  ls -d "$folder/sources/$package"-*/ > /dev/null 2>&1 || missing="$missing $package"
done
absent=$missing
[ ! -d "$folder/libraries/sources" ] || missing=""
if [ -n "$missing" ]; then
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(scripts/mirror.sh) $release main" > "$folder/apt/sources.list"
  apt update > "$folder/apt.log" 2>&1 || true
  absent=""
  for package in $missing; do
    (cd "$folder/sources" && apt source "$package" >> "$folder/apt.log" 2>&1) || absent="$absent $package"
  done
fi
if [ -n "$absent" ]; then
  sources=$folder/libraries/sources
  printf 'include("%s/cmake/libraries.cmake")\ncondyle_fetch_libraries(sources %s ${CONDYLE_ARCHIVES})\n' "$PWD" "$(scripts/mirror.sh)" > "$folder/fetch.cmake"
  (cd "$folder" && cmake -P fetch.cmake > fetch.log 2>&1) ||
    unreachable "apt-get source has no$absent here ($folder/apt.log), nor have the archives in cmake/libraries.cmake ($folder/fetch.log)"
fi

# a CMake project of its own, because another compiler makes it
cmake -G Ninja -S web -B "$folder/engine" -DCMAKE_TOOLCHAIN_FILE="$PWD/web/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
  -DWEB_SOURCES="$sources" -DCONDYLE_VERSION="$version" > "$folder/configure.log" 2>&1 || { cat "$folder/configure.log"; exit 1; }
cmake --build "$folder/engine"

[ web/node_modules/.package-lock.json -nt web/package-lock.json ] || npm --prefix web ci --no-progress > "$folder/npm.log" 2>&1 || {
  cat "$folder/npm.log"
  unreachable "npm can't fetch its packages"
}
npm --prefix web run --silent check
node web/build.mjs "$folder/engine" models "$page"
