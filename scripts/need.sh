#!/bin/sh
# Installs what is missing for the named purposes: build, render, test, coverage, web, lint, reference. Debian and its kin, as root or
# through sudo; elsewhere it prints the one command to run and fails.
set -eu
cd "$(dirname "$0")/.."

packages=""
want() { # want PACKAGE TEST...: the package is missing if the test fails
  package=$1
  shift
  "$@" > /dev/null 2>&1 || packages="$packages $package"
}
header() { # header NAME: does the compiler find it
  command -v cc > /dev/null && echo "#include <$1>" | cc -E -x c - -o /dev/null
}
freetype() { # does the compiler find FreeType
  echo '#include <ft2build.h>' | cc -I/usr/include/freetype2 -I/usr/local/include/freetype2 -E -x c - -o /dev/null
}
find_file() { # find_file NAME: is it among the fonts
  find /usr/share/fonts /usr/local/share/fonts -name "$1" 2> /dev/null | grep -q .
}
library() { # library NAME: does the loader find it
  /sbin/ldconfig -p | grep -q "$1"
}
mesa() { # Mesa's software renderer
  ls /usr/lib/*/dri/swrast_dri.so /usr/lib/*/libgallium-*.so /usr/lib/dri/swrast_dri.so 2> /dev/null | grep -q .
}
cmocka() {
  printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\n' |
    cc -E -x c - -o /dev/null
}

for purpose in "$@"; do
  case $purpose in
    build)
      want gcc command -v gcc
      want g++ command -v g++
      want libc6-dev header stdio.h
      want cmake command -v cmake
      want ninja-build command -v ninja
      want libexpat1-dev header expat.h
      want libccd-dev header ccd/ccd.h
      want libqhull-dev header libqhull_r/qhull_ra.h
      want libspng-dev header spng.h
      ;;
    render)
      want libfreetype-dev freetype
      want fonts-dejavu-core find_file DejaVuSans.ttf
      want libgl-dev header GL/glcorearb.h
      want libegl-dev header EGL/egl.h
      want libegl1 library libEGL.so.1
      want libgl1-mesa-dri mesa
      ;;
    test)
      want libcmocka-dev cmocka
      want ccache command -v ccache
      want valgrind command -v valgrind
      want pkg-config command -v pkg-config
      want python3 command -v python3
      ;;
    coverage)
      want clang command -v clang
      want llvm command -v llvm-cov
      ;;
    web)
      want emscripten command -v emcc
      want dpkg-dev command -v dpkg-source
      want nodejs command -v node
      want npm command -v npm
      want chromium command -v chromium
      ;;
    lint)
      want clang-format command -v clang-format
      want clang-tidy command -v clang-tidy
      ;;
    reference)
      want python3 command -v python3
      want python3-venv python3 -c "import venv, ensurepip"
      ;;
    *)
      echo "need.sh: unknown purpose '$purpose'" >&2
      exit 2
      ;;
  esac
done

if [ -n "$packages" ]; then
  if [ "$(id -u)" = 0 ]; then
    sudo=""
  elif command -v sudo > /dev/null; then
    sudo="sudo"
  else
    echo "Missing:$packages. Run as root: apt-get install -y$packages" >&2
    exit 1
  fi
  if ! command -v apt-get > /dev/null; then
    echo "Missing (Debian's names):$packages. Install them with this system's package manager." >&2
    exit 1
  fi
  echo "Installing$packages"
  errors=$(mktemp)
  # shellcheck disable=SC2086
  if ! { $sudo apt-get update -qq && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $packages; } \
      > /dev/null 2> "$errors"; then
    cat "$errors" >&2
    rm -f "$errors"
    exit 1
  fi
  rm -f "$errors"
fi

case " $* " in
  *" reference "*) scripts/reference.sh > /dev/null || echo "The reference engine can't be installed here: live comparisons are skipped." >&2 ;;
esac
