#!/bin/sh
# Builds the viewer: build/web/viewer.html, one file for browsers, with the engine in it.   usage: web.sh [FOLDER], by default build/web
# The libraries that the engine is built on come as sources from the distribution (apt-get source), three.js and tools from npm.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/web}
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/sources"
folder=$(cd "$folder" && pwd)
version=$(sed -n 's/^project(condyle VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

# sources, found through lists of our own: those of the system may leave sources out, and need root
apt() {
  command apt-get -qq -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$folder/apt/lists" \
    -o Dir::Cache="$folder/apt" -o APT::Sandbox::User= -o Debug::NoLocking=1 "$@"
}
missing=""
for package in expat qhull libspng libccd zlib; do
  ls -d "$folder/sources/$package"-*/ > /dev/null 2>&1 || missing="$missing $package"
done
if [ -n "$missing" ]; then
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(sed -n 's/^URIs: *//p; s/^deb [^h]*\(http[^ ]*\) .*/\1/p' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2> /dev/null | head -1)
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" > "$folder/apt/sources.list"
  apt update
  # shellcheck disable=SC2086
  (cd "$folder/sources" && apt source $missing > /dev/null)
fi

# a CMake project of its own, because another compiler makes it
cmake -G Ninja -S web -B "$folder/engine" -DCMAKE_TOOLCHAIN_FILE="$PWD/web/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
  -DWEB_SOURCES="$folder/sources" -DCONDYLE_VERSION="$version" > "$folder/configure.log" 2>&1 || { cat "$folder/configure.log"; exit 1; }
cmake --build "$folder/engine"

[ web/node_modules/.package-lock.json -nt web/package-lock.json ] || npm --prefix web ci --no-progress > "$folder/npm.log" 2>&1 || {
  cat "$folder/npm.log"
  exit 1
}
npm --prefix web run --silent check
node web/build.mjs "$folder/engine" models "$folder/viewer.html"
