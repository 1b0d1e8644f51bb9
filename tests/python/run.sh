#!/bin/sh
# Builds the wheel, installs it with the tests' packages in a fresh environment, and runs the tests of Python there. The last line
# counts them. Without a package index, or without the headers of Python, they are skipped with the reason.
#   run.sh SOURCE_DIR BUILD_DIR
set -u
export CONDYLE_CACHE=off # no test leaves meshes in the home of who runs it
source=$1
build=$2
environment=$build/environment
wheels=$build/wheels

skip() {
  echo "[  SKIPPED ] 1 test"
  echo "[  REASON  ] $1"
  echo "0 passed, 0 failed"
  exit 0
}

fail() {
  cat "$build/log" >&2
  echo "0 passed, 1 failed"
  exit 1
}

mkdir -p "$build"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "all tests of Python: it is older than 3.10"
python3 -c 'import os, sysconfig; os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2> "$build/log" ||
  skip "all tests of Python: its headers are missing (scripts/need.sh python)"
rm -rf "$environment" "$wheels"
python3 -m venv "$environment" > "$build/log" 2>&1 ||
  skip "all tests of Python: no environment can be made (scripts/need.sh python)"
python=$environment/bin/python
"$python" -m pip install --quiet --no-compile --disable-pip-version-check scikit-build-core nanobind numpy pytest mypy > "$build/log" 2>&1 ||
  skip "all tests of Python: no package index can be reached (make test where pip reaches one)"
# what tests compare with or run where it can be had for this interpreter
reference=mujoco==3.3.7
"$python" -m pip install --quiet --no-compile --disable-pip-version-check $reference > "$build/log" 2>&1 || reference=
# the newest release, beside it: a folder of its own, because both have one name
rm -rf "$build/release_4"
"$python" -m pip install --quiet --no-compile --disable-pip-version-check --no-deps --target "$build/release_4" mujoco==4.0.0 mujoco-core==4.0.0 > "$build/log" 2>&1
for package in "gymnasium imageio" "qpsolvers daqp" jax ray usd-core basedpyright; do
  "$python" -m pip install --quiet --no-compile --disable-pip-version-check $reference $package > "$build/log" 2>&1
done
# asks for a later reference, and runs with this one
"$python" -m pip install --quiet --no-compile --disable-pip-version-check --no-deps mink==1.3.0 > "$build/log" 2>&1
# without optimisation of the whole library when it is linked, which takes most of the time of a wheel; what is left is compiled as
# for the tests, by the compilers of the same names (else it is those that made Python), so that the compiler's cache has it
compiler() { # compiler LANGUAGE: that of the build around
  sed -n "s/^CMAKE_$1_COMPILER:[A-Z]*=//p" "$build/../CMakeCache.txt"
}
if [ -f "$build/../CMakeCache.txt" ]; then
  CC=$(compiler C) CXX=$(compiler CXX)
  export CC CXX
fi
"$python" -m pip wheel "$source" --quiet --no-deps --no-build-isolation --wheel-dir "$wheels" \
  --config-settings cmake.define.CONDYLE_LTO=OFF > "$build/log" 2>&1 || fail
"$python" -m pip install --quiet --no-deps "$wheels"/condyle-*.whl > "$build/log" 2>&1 || fail

cd "$build" || exit 1
"$python" -m pytest "$source/tests/python" -q -rs -p no:cacheprovider --rootdir "$source" > "$build/log" 2>&1
status=$?
cat "$build/log"
awk -v version="$("$python" --version)" '
  / (passed|failed|skipped|error|errors)/ { line = $0 }
  # SKIPPED [2] tests/python/learning/test_jax.py:14: the package jax is missing
  /^SKIPPED \[[0-9]+\] / {
    times = substr($2, 2) + 0
    reason = $0
    sub(/^SKIPPED \[[0-9]+\] ([^ ]*:[0-9]+: )?/, "", reason)
    for (i = 0; i < times; i++) reasons[++known] = reason
  }
  function count(word,   i, n, words) {
    n = split(line, words, /[ ,]+/)
    for (i = 2; i <= n; i++) if (words[i] ~ "^" word) return words[i - 1] + 0
    return 0
  }
  END {
    skipped = count("skipped")
    if (skipped) printf "[  SKIPPED ] %d test\n", skipped
    for (i = 1; i <= known; i++) {
      reason = reasons[i]
      if (reason ~ /missing|could not import|not installed|^no mujoco/) reason = reason " (pip finds none for " version ")"
      print "[  REASON  ] Python: " reason
    }
    printf "%d passed, %d failed\n", count("passed"), count("failed") + count("error")
  }
' "$build/log"
exit $status
