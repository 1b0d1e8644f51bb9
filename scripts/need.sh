#!/bin/sh
# Installs what is missing for the named purposes. Debian and its kin, as root or through sudo; elsewhere it prints the one command
# to run and fails. Without the purposes after --try others go on: what can't be had is named, and no failure.
#   need.sh PURPOSE... [--try PURPOSE...]     build, jpeg, render, test, python, coverage, web, lint, reference
set -eu
cd "$(dirname "$0")/.."

needed=""
packages=""
want() { # want PACKAGE TEST...: the package is missing if the test fails
  package=$1
  shift
  case "$needed$packages " in
    *" $package "*) return ;;
  esac
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
python_headers() {
  python3 -c 'import os, sysconfig; os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))'
}
cmocka() {
  printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\n' |
    cc -E -x c - -o /dev/null
}

trying=""
for purpose in "$@"; do
  case $purpose in
    --try)
      needed=$packages
      packages=""
      trying=yes
      ;;
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
      want zlib1g-dev header zlib.h
      # from the first build on: what is compiled before it came is compiled again
      want ccache command -v ccache
      ;;
    jpeg)
      want libjpeg-dev header jpeglib.h
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
      want valgrind command -v valgrind
      want pkg-config command -v pkg-config
      want python3 command -v python3
      ;;
    python)
      want python3 command -v python3
      want python3-dev python_headers
      want python3-venv python3 -c "import venv, ensurepip"
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

optional=$packages
[ -n "$trying" ] || { needed=$packages optional=""; }

complain() { # complain MESSAGE: the end, where a needed package is missing
  echo "$1" >&2
  [ -z "$needed" ] || exit 1
}
install() { # install PACKAGE...
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" > /dev/null 2> "$errors"
}

if [ -n "$needed$optional" ]; then
  sudo=""
  if ! command -v apt-get > /dev/null; then
    complain "Missing (Debian's names):$needed$optional. Install them with this system's package manager."
  elif [ "$(id -u)" != 0 ] && ! command -v sudo > /dev/null; then
    complain "Missing:$needed$optional. Run as root: apt-get install -y$needed$optional"
  else
    [ "$(id -u)" = 0 ] || sudo="sudo"
    echo "Installing$needed$optional"
    errors=$(mktemp)
    trap 'rm -f "$errors"' EXIT
    $sudo apt-get update -qq > /dev/null 2> "$errors" || cat "$errors" >&2
    # shellcheck disable=SC2086
    [ -z "$needed" ] || install $needed || { cat "$errors" >&2; exit 1; }
    # shellcheck disable=SC2086
    if [ -n "$optional" ] && ! install $optional; then
      for package in $optional; do
        install "$package" || { cat "$errors"; echo "Can't install $package"; } >&2
      done
    fi
  fi
fi

case " $* " in
  *" reference "*) scripts/reference.sh > /dev/null || echo "The reference engine can't be installed here: live comparisons are skipped." >&2 ;;
esac
