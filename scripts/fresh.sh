#!/bin/sh
# Tries the README's two commands as a newcomer does: in a bare Debian with only make and git, on a clone of what is committed.
# Prints how long they took, what compilers warned of, and the last lines of the tests; all else is in the log.
#   fresh.sh [--cache] [--clang] [--tests "OPTIONS OF ctest"] RELEASE [FOLDER]
#       RELEASE: bookworm, trixie, forky; RELEASE/ and RELEASE.log are in FOLDER, by default /var/tmp/condyle-fresh
#       --cache    the compiler's cache stays there for the next time
#       --clang    cc and c++ are Clang, and there is no GCC; names are then RELEASE-clang
#       --tests    some of the tests: "-E ^python" leaves out those that begin so
#   fresh.sh --wheel FILE RELEASE [FOLDER]
#       instead of that: in a bare Debian without compilers, with only Python, pip installs the wheel, which steps, serves its page
#       and runs its demo (tests/wheel/installed.py)
# As root, with debootstrap. Packages come from where this machine gets its own: apt's mirror, the settings of apt, pip and npm,
# certificates and proxies are the same inside.
set -eu
cache="" clang="" tests="" wheel=""
while :; do
  case ${1-} in
    --cache) cache=yes ;;
    --clang) clang=yes ;;
    --tests) tests=$2 && shift ;;
    --wheel) wheel=$(realpath "$2") && shift ;;
    *) break ;;
  esac
  shift
done
release=${1:?usage: fresh.sh [--cache] [--clang] [--tests OPTIONS] [--wheel FILE] RELEASE [FOLDER]}
folder=${2:-/var/tmp/condyle-fresh}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."
if [ "$(id -u)" != 0 ] || ! command -v debootstrap > /dev/null; then
  echo "fresh.sh: needs root and debootstrap (apt-get install debootstrap)" >&2
  exit 1
fi

# mounts and processes of our own, which end with us; where that is forbidden, there are no mounts
if [ -z "${FRESH_MOUNTS-}" ]; then
  if unshare --mount --pid --fork true 2> /dev/null; then
    FRESH_MOUNTS=yes exec unshare --mount --pid --fork --kill-child scripts/fresh.sh ${cache:+--cache} ${clang:+--clang} \
      ${tests:+--tests "$tests"} ${wheel:+--wheel "$wheel"} "$release" "$folder"
  fi
  FRESH_MOUNTS=no
fi

name=$release${clang:+-clang}
root=$folder/$name
log=$folder/$name.log
rm -rf --one-file-system "$root"
echo "$release in $root, log in $log"

packages=ca-certificates,git,make${clang:+,clang}
[ -z "$wheel" ] || packages=ca-certificates,python3,python3-venv
# releases later than this machine's debootstrap are made like sid
script=
[ -e "/usr/share/debootstrap/scripts/$release" ] || script=sid
# shellcheck disable=SC2086
debootstrap --variant=minbase --include=$packages "$release" "$root" "$(scripts/mirror.sh)" $script > "$log" 2>&1 || {
  tail -20 "$log"
  exit 1
}

# how this machine reaches its packages
apt-config dump | grep -E '^Acquire::(http|https|ftp|Retries|Check-)' > "$root/etc/apt/apt.conf.d/90outside" || true
for file in /etc/pip.conf /etc/npmrc /usr/etc/npmrc "$HOME/.npmrc" "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf"; do
  if [ -f "$file" ]; then
    inside=$root/$(echo "$file" | sed "s|^$HOME/|/root/|")
    mkdir -p "$(dirname "$inside")"
    cp "$file" "$inside"
  fi
done
cp /etc/resolv.conf /etc/hosts "$root/etc/"
if [ -d /usr/local/share/ca-certificates ]; then
  mkdir -p "$root/usr/local/share/ca-certificates"
  cp -R /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
fi
if [ -n "$clang" ]; then
  # what others recommend doesn't bring it along
  printf 'Package: gcc g++ /^(gcc|g\\+\\+)-[0-9]+$/\nPin: release *\nPin-Priority: -1\n' > "$root/etc/apt/preferences.d/90clang"
fi
settings='CMAKE_BUILD_PARALLEL_LEVEL|CTEST_PARALLEL_LEVEL|PIP_[A-Z_]*|npm_config_[a-z_]*|NPM_CONFIG_[A-Z_]*|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS'
set -- PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
for setting in $(env | sed -nE "s/^($settings)=.*/\1/p"); do
  set -- "$@" "$setting=$(printenv "$setting")"
done
[ -z "$tests" ] || set -- "$@" "TESTS=$tests" # make's variable

if [ "$FRESH_MOUNTS" = yes ]; then
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  if [ -n "$cache" ]; then
    mkdir -p "$folder/$name.ccache" "$root/root/.cache/ccache"
    mount --bind "$folder/$name.ccache" "$root/root/.cache/ccache"
  fi
fi
inside() { # inside COMMAND: a line for the shell, in the clone
  chroot "$root" env -i "$@" sh -c "cd /root && $command" < /dev/null >> "$log" 2>&1
}
command="update-ca-certificates"
inside "$@"
if [ -n "$wheel" ]; then
  begin=$(date +%s)
  cp "$wheel" tests/wheel/installed.py "$root/root/"
  command="for tool in cc gcc g++ cmake make; do ! command -v \$tool || exit 1; done &&
    python3 -m venv environment && environment/bin/pip install --disable-pip-version-check $(basename "$wheel") &&
    cd environment && bin/python ../installed.py"
  inside "$@" || { tail -20 "$log" && exit 1; }
  tail -1 "$log"
  echo "$(basename "$wheel") in $release without compilers: $(($(date +%s) - begin)) s"
  exit 0
fi
git clone --quiet . "$root/root/condyle"
git -C "$root/root/condyle" checkout --quiet --detach "$(git rev-parse HEAD)"

status=0
for target in demo test; do
  begin=$(date +%s)
  echo "==== make $target" >> "$log"
  command="cd condyle && make $target"
  inside "$@" || status=1
  echo "make $target: $(($(date +%s) - begin)) s"
done
warned='(:[0-9]+:([0-9]+:)?|^(cc1|cc1plus|lto1|lto-wrapper|[^ ]*ld):) warning: '
echo "warnings of compilers: $(grep -cE "$warned" "$log" || true)"
grep -E "$warned" "$log" | sort | uniq -c || true
echo "files of the engine compiled again by make test: $(awk '
  /^==== make test/ { again = 1 }
  again && /^\[[0-9]+\/[0-9]+\] Building .*condyle_engine/ { count++ }
  END { print count + 0 }' "$log")"
[ -z "$clang" ] || ! chroot "$root" sh -c 'command -v gcc' || status=1
sed -n '/^Left out:/,$p' "$log" | grep . || tail -1 "$log"
exit $status
