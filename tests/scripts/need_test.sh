#!/bin/sh
# scripts/need.sh on a machine that lacks everything, with an apt-get that only notes what it is asked for: what is wanted and can't be
# had holds up nothing, what is needed does.         need_test.sh SOURCE_DIR
set -u
source=$(cd "$1" && pwd)
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0
mkdir "$here/bin"
for command in sh dirname cat env grep find ls mktemp rm; do
  ln -s "$(command -v $command)" "$here/bin/$command"
done
printf '#!/bin/sh\necho 0\n' > "$here/bin/id"
cat > "$here/bin/apt-get" << END
#!/bin/sh
echo "\$*" >> "$here/asked"
case "\$* " in
  *" ABSENT "*) echo "E: no ABSENT" >&2 && exit 100 ;;
esac
END
chmod +x "$here/bin/id" "$here/bin/apt-get"

# check NAME STATUS ABSENT PATTERN PURPOSE...: without the package ABSENT, need.sh ends with STATUS and asks for PATTERN
check() {
  name=$1 status=$2 absent=$3 pattern=$4
  shift 4
  : > "$here/asked"
  sed -i "s/\*\" [^ ]* \"\*) echo \"E: no [^ ]*\"/*\" $absent \"*) echo \"E: no $absent\"/" "$here/bin/apt-get"
  PATH=$here/bin "$source/scripts/need.sh" "$@" > "$here/output" 2>&1
  got=$?
  if [ $got -eq "$status" ] && grep -Eq "$pattern" "$here/asked"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: status $got (expected $status), asked for no '$pattern':"
    cat "$here/output" "$here/asked"
  fi
}

check "what is needed" 0 nothing 'install .* gcc .* cmake .* ccache' build
check "what is needed and absent" 1 libccd-dev 'install .* gcc' build --try web
check "what tests want" 0 nothing 'install .* python3-dev .*emscripten .*chromium' build test --try python web
check "one of the wanted is absent" 0 emscripten 'install -y -qq chromium$' build test --try python web
check "a package of two purposes, once" 0 nothing 'install -y -qq [^ ]* [^ ]* pkg-config python3$' test --try python
check "a purpose without --try" 1 chromium 'install .* chromium' web

# elsewhere: the one command, by the names of the system, and nothing is run
rm "$here/bin/apt-get"
told() { # told NAME MANAGER PATTERN PURPOSE...
  name=$1 pattern=$3
  printf '#!/bin/sh\necho "$*" >> "%s/asked"\n' "$here" > "$here/bin/$2"
  chmod +x "$here/bin/$2"
  : > "$here/asked"
  shift 3
  PATH=$here/bin "$source/scripts/need.sh" "$@" > "$here/output" 2>&1
  got=$?
  if [ $got -eq 1 ] && [ ! -s "$here/asked" ] && grep -Eq "$pattern" "$here/output"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: status $got (expected 1), said no '$pattern':"
    cat "$here/output" "$here/asked"
  fi
  rm -f "$here/bin/dnf" "$here/bin/pacman" "$here/bin/apk"
}
told "Fedora" dnf 'root: dnf install -y gcc gcc-c\+\+ glibc-devel cmake ninja-build expat-devel libccd-devel qhull-devel' build test
told "Arch, each name once" pacman 'root: pacman -S --needed --noconfirm gcc glibc cmake ninja expat libccd' build
told "Alpine" apk 'root: apk add gcc g\+\+ musl-dev cmake samurai expat-dev' build
told "what is only wanted, too" apk 'for more of it. Run as root: apk add libjpeg-turbo-dev' build --try jpeg
told "what Alpine has no package for" apk 'root: apk add( clang)? musl-dev tcc qemu-aarch64$' compilers
told "a manager unknown" emerge "Missing \(Debian's names\): gcc g\+\+" build
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
