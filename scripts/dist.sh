#!/bin/sh
# Makes what a release consists of, in dist/, from what is committed:
#   condyle-VERSION.tar.gz           sources for pip (sdist), without tests
#   condyle-VERSION-source.tar.gz    all sources
#   condyle-VERSION-*.whl            wheels (scripts/wheels.sh)
#   SHA256SUMS
# Both archives have the viewer's page (web/viewer.html), so that building them needs compilers and CMake alone.
#   dist.sh [--no-wheels | PYTHON...]     PYTHON: interpreters for wheels, as in wheels.sh
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(condyle VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
if [ -n "$(git status --porcelain)" ]; then
  echo "dist.sh: these changes are in no commit, so they would be in the wheels and not in the archives:" >&2
  git status --short >&2
  exit 1
fi
# the same bytes from the same commit
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

scripts/web.sh
mkdir -p dist build/dist
rm -rf build/dist/* dist/*
[ "${1-}" = --no-wheels ] || scripts/wheels.sh "$@"

name=condyle-$version
git archive --prefix="$name/" HEAD | tar -x -C build/dist
cp build/web/viewer.html "build/dist/$name/web/"
tar -c -C build/dist --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -9 -n > "dist/$name-source.tar.gz"

tools=build/dist_tools
[ -x $tools/bin/python ] || python3 -m venv $tools
$tools/bin/python -m pip install --quiet --disable-pip-version-check scikit-build-core
dist=$PWD/dist
python=$PWD/$tools/bin/python
(cd "build/dist/$name" && "$python" -c 'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])' "$dist" > ../log 2>&1) || {
  cat build/dist/log
  exit 1
}
(cd dist && sha256sum condyle-* > SHA256SUMS)
ls -l dist
