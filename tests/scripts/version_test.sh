#!/bin/sh
# What a version number promises (cmake/version.cmake, docs/releases.md), and that it is one number: in CMake, for pip, in CHANGELOG.md.
#   version_test.sh SOURCE_DIR
set -u
source=$(cd "$1" && pwd)
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0

equal() { # equal NAME GOT EXPECTED
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $1: '$2', not '$3'"
  fi
}

cat > "$here/tell.cmake" << END
include($source/cmake/version.cmake)
foreach(version 0.1.0 0.1.9 0.12.3 1.0.0 1.4.2 2.0.0)
  condyle_compatibility(soversion rule \${version})
  message("\${version} \${soversion} \${rule}")
endforeach()
END
equal "names of the library" "$(cmake -P "$here/tell.cmake" 2>&1)" "0.1.0 0.1 SameMinorVersion
0.1.9 0.1 SameMinorVersion
0.12.3 0.12 SameMinorVersion
1.0.0 1 SameMajorVersion
1.4.2 1 SameMajorVersion
2.0.0 2 SameMajorVersion"

version=$(sed -n 's/^project(condyle VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
equal "version for pip" "$(sed -n 's/^version = "\(.*\)"$/\1/p' "$source/pyproject.toml")" "$version"
# the newest release that it tells of is this one, or the one to come
equal "first release in CHANGELOG.md" "$(sed -nE 's/^## ([0-9.]+)( .*)?$/\1/p' "$source/CHANGELOG.md" | head -1)" "$(
  printf '%s\n' "$version" "$(sed -nE 's/^## ([0-9.]+) \(not yet released\)$/\1/p' "$source/CHANGELOG.md" | head -1)" | sort -V | tail -1)"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
