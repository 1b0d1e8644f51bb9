#!/bin/sh
# Builds the libraries that the engine and its tests are built on, from the sources of the distribution's packages, as static ones,
# into build/cross/SYSTEM, where cmake/cross/SYSTEM.cmake finds them. Nothing of this machine's packages changes.
#   libraries.sh SYSTEM     windows, macos
# The compilers, and what runs programs: apt-get install g++-mingw-w64-x86-64 wine64; pip install ziglang
set -eu
cd "$(dirname "$0")/.."
system=$1
source=$PWD
folder=$PWD/build/cross/$system
[ ! -e "$folder/complete" ] || exit 0

mkdir -p "$folder/apt/lists/partial" "$folder/sources"
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(scripts/mirror.sh) $release main" > "$folder/apt/sources.list"
apt() {
  command apt-get -qq -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::State::lists="$folder/apt/lists" -o APT::Sandbox::User= -o Debug::NoLocking=1 "$@"
}
apt update
cd "$folder/sources"
# the sources as their makers published them
apt source --tar-only zlib expat qhull libccd libspng libjpeg-turbo cmocka
for archive in *.orig.tar.*; do
  tar xf "$archive"
done

# configure NAME OPTION...: the library whose sources are in NAME-VERSION
configure() {
  name=$1
  shift
  place=$(echo "$folder/sources/$name-"*)
  [ -e "$place/CMakeLists.txt" ] || place=$place/expat
  cmake -S "$place" -B "$folder/sources/build.$name" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$source/cmake/cross/$system.cmake" -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_INSTALL_PREFIX="$folder" -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF "$@"
}
build() {
  echo "$1"
  { configure "$@" && cmake --build "$folder/sources/build.$1" && cmake --install "$folder/sources/build.$1"; } > "$folder/log" 2>&1 || {
    tail -20 "$folder/log" >&2
    exit 1
  }
}
# write_list NAME: a CMakeLists.txt, from standard input, for a library that can't be made static alone
write_list() {
  mkdir -p "$folder/sources/$1-alone"
  { printf 'cmake_minimum_required(VERSION 3.22)\nproject(%s LANGUAGES C)\n' "$1"; cat; } > "$folder/sources/$1-alone/CMakeLists.txt"
}

write_list z << END
file(GLOB sources $(echo "$folder"/sources/zlib-*)/*.c)
add_library(z STATIC \${sources})
target_compile_definitions(z PRIVATE \$<\$<NOT:\$<BOOL:\${WIN32}>>:Z_HAVE_UNISTD_H>)
# it would define the function away, for a system of 1999
target_compile_definitions(z PRIVATE fdopen=fdopen)
install(TARGETS z)
install(FILES $(echo "$folder"/sources/zlib-*/zlib.h) $(echo "$folder"/sources/zlib-*/zconf.h) DESTINATION include)
END
build z
build libexpat -DEXPAT_BUILD_TOOLS=OFF -DEXPAT_BUILD_EXAMPLES=OFF -DEXPAT_BUILD_TESTS=OFF -DEXPAT_SHARED_LIBS=OFF -DEXPAT_BUILD_DOCS=OFF
build qhull
build libccd -DENABLE_DOUBLE_PRECISION=ON -DLIBM_LIBRARY=m # which zig has inside, where no search finds it
write_list spng << END
find_package(ZLIB REQUIRED)
add_library(spng STATIC $(echo "$folder"/sources/libspng-*/spng/spng.c))
target_compile_definitions(spng PRIVATE SPNG_STATIC)
target_link_libraries(spng PRIVATE ZLIB::ZLIB)
install(TARGETS spng)
install(FILES $(echo "$folder"/sources/libspng-*/spng/spng.h) DESTINATION include)
END
build spng
build libjpeg-turbo -DENABLE_SHARED=OFF -DWITH_TURBOJPEG=OFF -DWITH_SIMD=OFF
build cmocka -DWITH_EXAMPLES=OFF -DUNIT_TESTING=OFF -DWITH_STATIC_LIB=ON
mv "$folder/lib/libcmocka-static.a" "$folder/lib/libcmocka.a" 2> "$folder/log" || cp "$folder"/sources/build.cmocka/src/libcmocka-static.a "$folder/lib/libcmocka.a"
rm -f "$folder"/lib/libcmocka.dll.a
touch "$folder/complete"
