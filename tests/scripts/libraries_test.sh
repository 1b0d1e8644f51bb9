#!/bin/sh
# Where the system lacks a library: what the configuration says, and that sources in a folder take its place.
#   libraries_test.sh SOURCE_DIR
set -u
source=$(cd "$1" && pwd)
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0

# check NAME STATUS PATTERN: the configuration of a project that wants the libraries, with the lines from standard input before
check() {
  mkdir -p "$here/project"
  rm -rf "$here/build"
  ln -sfn "$source/cmake" "$here/project/cmake"
  { printf 'cmake_minimum_required(VERSION 3.22)\nproject(wanting LANGUAGES NONE)\nset(CMAKE_C_BYTE_ORDER LITTLE_ENDIAN)\n'
    cat
  } > "$here/project/CMakeLists.txt"
  cmake -S "$here/project" -B "$here/build" > "$here/output" 2>&1
  got=$(($? != 0))
  # messages are broken into lines
  tr -s ' \n' ' ' < "$here/output" > "$here/told"
  if [ $got -eq "$2" ] && grep -Eq -- "$3" "$here/told"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $1: status $got (expected $2), no '$3' in:"
    cat "$here/output"
  fi
}

# nothing is found, and no thread library is asked for, which would need a compiler
cat > "$here/without.cmake" << 'END'
macro(find_package name)
  set(${name}_FOUND OFF)
endmacro()
END
check "a library of the system is missing" 1 \
  'Expat is missing; on Debian: apt-get install libexpat1-dev.*DCONDYLE_LIBRARIES=fetch.*DCONDYLE_LIBRARIES=/folder.*--config-settings' << END
include($here/without.cmake)
include(cmake/dependencies.cmake)
END

# archives that answer with something else
mkdir -p "$here/mirror/pool/main/e/expat"
echo "not an archive" > "$here/mirror/pool/main/e/expat/expat_2.7.1.orig.tar.gz"
check "a wrong archive" 1 'expat-2.7.1 can.t be fetched:.*its SHA256 is [0-9a-f]{64}, not [0-9a-f]{64}' << END
include(cmake/libraries.cmake)
condyle_fetch_libraries(sources file://$here/mirror)
END
check "no archive at all" 1 'expat-2.7.1 can.t be fetched:.*file:///nowhere/pool/main/e/expat/.*CONDYLE_LIBRARIES=/folder' << END
include(cmake/libraries.cmake)
condyle_fetch_libraries(sources file:///nowhere)
END

# sources, as archives have them: one in the folder of its repository, the others not
for file in expat-2.7.1/expat/lib/expat.h zlib-1.3/inflate.c qhull-2020.2/src/libqhull_r/geom_r.c \
  qhull-2020.2/src/libqhull_r/rboxlib_r.c libccd-2.1/src/ccd.c libspng-0.7.4/spng/spng.c; do
  mkdir -p "$here/sources/$(dirname $file)"
  touch "$here/sources/$file"
done
check "sources in a folder" 0 'sources ccd.c geom_r.c inflate.c adler32.c compress.c .*xmlparse.c .*spng.c; expat/lib/xmltok.c' << END
include(cmake/libraries.cmake)
condyle_list_libraries($here/sources)
foreach(file \${library_sources})
  get_filename_component(name \${file} NAME)
  string(APPEND names " \${name}")
endforeach()
list(FILTER library_sources INCLUDE REGEX "expat/lib/xmltok.c")
string(REGEX REPLACE ".*/(expat/lib)" "\\\\1" place "\${library_sources}")
message("sources\${names}; \${place}")
END
rm -r "$here/sources/qhull-2020.2"
check "sources are missing" 1 'should have one folder qhull-VERSION with the unpacked sources of qhull; it has 0' << END
include(cmake/libraries.cmake)
condyle_list_libraries($here/sources)
END
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
