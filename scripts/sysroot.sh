#!/bin/sh
# Fetches the libraries that the engine and its tests are built on, for another processor: into build/cross/ARCHITECTURE, where
# cmake/cross/ARCHITECTURE.cmake finds them. Nothing of this machine's packages changes.
#   sysroot.sh ARCHITECTURE     as Debian calls it: arm64
# The compiler and the emulator: apt-get install g++-aarch64-linux-gnu qemu-user-static
set -eu
cd "$(dirname "$0")/.."
architecture=$1
folder=$PWD/build/cross/$architecture
[ ! -e "$folder/complete" ] || exit 0

mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/packages"
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
echo "deb [arch=$architecture signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(scripts/mirror.sh) $release main" \
  > "$folder/apt/sources.list"
apt() {
  command apt-get -qq -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$folder/apt/lists" \
    -o Dir::State::status=/dev/null -o Dir::Cache="$folder/apt" -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
    -o APT::Sandbox::User= -o Debug::NoLocking=1 "$@"
}
apt update
(cd "$folder/packages" && apt download libexpat1 libexpat1-dev zlib1g zlib1g-dev libqhull-r8.0 libqhull-dev libccd2 libccd-dev libspng0 libspng-dev \
  libjpeg62-turbo libjpeg62-turbo-dev libcmocka0 libcmocka-dev)
for package in "$folder"/packages/*.deb; do
  dpkg -x "$package" "$folder"
done
# a compiler for another processor knows no folder for headers of that one alone
cp -r "$folder"/usr/include/*-linux-gnu/. "$folder/usr/include/"
touch "$folder/complete"
