#!/bin/sh
# An installed Condyle serves examples/first.c through pkg-config, and a C++17 project through its CMake package.
# usage: check.sh BUILD_DIR SOURCE_DIR
set -eu
build=$1
source=$2
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix/root" > "$prefix/log" 2>&1 || { cat "$prefix/log"; exit 1; }
"$prefix/root/bin/condyle" --version
# the page of the viewer comes along; where it isn't built, the installation says what brings it
if [ -f "$source/build/web/viewer.html" ]; then
  cmp "$source/build/web/viewer.html" "$prefix/root/share/condyle/viewer.html"
else
  grep 'make web' "$prefix/log"
fi

PKG_CONFIG_PATH=$(dirname "$(find "$prefix/root" -name condyle.pc)")
export PKG_CONFIG_PATH
library=$(pkg-config --variable=libdir condyle)
# shellcheck disable=SC2046
cc "$source/examples/first.c" -Wall -Wextra -Werror $(pkg-config --cflags --libs condyle) -Wl,-rpath,"$library" -o "$prefix/first"
(cd "$source" && "$prefix/first") | grep -E '^after 2[0-9.]* s the head is 0\.[0-9]+ m above the floor$'

mkdir "$prefix/project"
cat > "$prefix/project/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.22)
project(consumer CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(condyle REQUIRED)
add_compile_options(-Wall -Wextra -Wpedantic -Werror)
add_executable(shared main.cc)
target_link_libraries(shared condyle::condyle)
add_executable(static main.cc)
target_link_libraries(static condyle::condyle_static)
# the archive holds machine code as well, so that nobody has to wait for link-time optimisation
target_link_options(static PRIVATE -fno-lto)
END
cat > "$prefix/project/main.cc" << 'END'
#include <condyle/condyle.h>
#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>
#include <iostream>

int main() {
  mjModel* m = mj_loadXML("models/chain.xml", nullptr, nullptr, 0);
  std::cout << cnd_version() << " " << mj_version() << " " << (m ? m->nv : -1) << "\n";
  mj_deleteModel(m);
}
END
cmake -S "$prefix/project" -B "$prefix/project/build" -DCMAKE_PREFIX_PATH="$prefix/root" > "$prefix/log" 2>&1 &&
  cmake --build "$prefix/project/build" > "$prefix/log" 2>&1 || { cat "$prefix/log"; exit 1; }
for program in shared static; do
  (cd "$source" && "$prefix/project/build/$program") | grep -E '^[0-9.]+ 337 18$'
done
