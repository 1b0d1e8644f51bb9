#!/bin/sh
# Installs what is missing for the named purposes. Debian and its kin, as root or through sudo; elsewhere it prints the one command
# to run, by the names of Fedora, Arch or Alpine, and fails. Without the purposes after --try others go on: what can't be had is named, and no failure.
#   need.sh PURPOSE... [--try PURPOSE...]     build, jpeg, render, test, python, coverage, web, lint, compilers,
#       reference
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
  /sbin/ldconfig -p | grep -q "$1" || ls /usr/lib/"$1" # musl has no list
}
mesa() { # Mesa's software renderer
  ls /usr/lib/*/dri/swrast_dri.so /usr/lib/*/libgallium-*.so /usr/lib/dri/swrast_dri.so /usr/lib64/dri/swrast_dri.so /usr/lib*/libgallium-*.so 2> /dev/null | grep -q .
}
python_headers() {
  python3 -c 'import os, sysconfig; os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))'
}
emulator() { # QEMU's user mode, by either name
  command -v qemu-aarch64 || command -v qemu-aarch64-static
}
sanitizers() { # Clang's are a package of their own
  ! cc --version | grep -q clang || echo 'int main(void) { return 0; }' | cc -fsanitize=address -x c - -o /dev/null
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
      want gcc command -v cc # may be Clang
      want g++ command -v c++
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
      want libclang-rt-dev sanitizers
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
    compilers) # others, for the one file and the program
      want clang command -v clang
      want musl-tools command -v musl-gcc
      want tcc command -v tcc
      want gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
      want gcc-riscv64-linux-gnu command -v riscv64-linux-gnu-gcc
      want qemu-user emulator
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

# What another distribution calls Debian's packages: its own name where it has another, - where it has none.
#   name_of COLUMN PACKAGE    2: Fedora, 3: Arch, 4: Alpine
name_of() {
  while read -r debian fedora arch alpine; do
    [ "$debian" = "$2" ] || continue
    case $1 in
      2) echo "$fedora" ;;
      3) echo "$arch" ;;
      4) echo "$alpine" ;;
    esac
    return
  done << END
g++ gcc-c++ gcc g++
libc6-dev glibc-devel glibc musl-dev
ninja-build ninja-build ninja samurai
libexpat1-dev expat-devel expat expat-dev
libccd-dev libccd-devel libccd libccd-dev
libqhull-dev qhull-devel qhull qhull-dev
libspng-dev libspng-devel libspng libspng-dev
zlib1g-dev zlib-devel zlib zlib-dev
libjpeg-dev libjpeg-turbo-devel libjpeg-turbo libjpeg-turbo-dev
libfreetype-dev freetype-devel freetype2 freetype-dev
fonts-dejavu-core dejavu-sans-fonts ttf-dejavu font-dejavu
libgl-dev libglvnd-devel libglvnd mesa-dev
libegl-dev libglvnd-devel libglvnd mesa-dev
libegl1 libglvnd-egl libglvnd mesa-egl
libgl1-mesa-dri mesa-dri-drivers mesa mesa-dri-gallium
libcmocka-dev libcmocka-devel cmocka cmocka-dev
libclang-rt-dev compiler-rt compiler-rt compiler-rt
pkg-config pkgconf-pkg-config pkgconf pkgconf
python3 python3 python python3
python3-dev python3-devel python python3-dev
python3-venv python3 python python3
dpkg-dev dpkg-dev dpkg dpkg-dev
npm nodejs-npm npm npm
clang-format clang-tools-extra clang clang-extra-tools
musl-tools musl-gcc musl musl-dev
gcc-aarch64-linux-gnu gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc -
gcc-riscv64-linux-gnu gcc-riscv64-linux-gnu riscv64-linux-gnu-gcc -
qemu-user qemu-user qemu-user qemu-aarch64
clang-tidy clang-tools-extra clang clang-extra-tools
END
  echo "$2"
}
names_of() { # names_of COLUMN PACKAGE...: each once
  column=$1 names=""
  shift
  for package in "$@"; do
    name=$(name_of "$column" "$package")
    case "$names - " in
      *" $name "*) ;;
      *) names="$names $name" ;;
    esac
  done
  echo "$names"
}

# The command of this system's package manager, and the column of its names.
if command -v dnf > /dev/null; then
  column=2 command="dnf install -y"
elif command -v pacman > /dev/null; then
  column=3 command="pacman -S --needed --noconfirm"
elif command -v apk > /dev/null; then
  column=4 command="apk add"
else
  column="" command=""
fi

if [ -n "$needed$optional" ]; then
  sudo=""
  if ! command -v apt-get > /dev/null && [ -n "$command" ]; then
    # shellcheck disable=SC2086
    {
      [ -z "$optional" ] || echo "Missing for more of it. Run as root: $command$(names_of $column $optional)" >&2
      [ -z "$needed" ] || complain "Missing. Run as root: $command$(names_of $column $needed)"
    }
  elif ! command -v apt-get > /dev/null; then
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
