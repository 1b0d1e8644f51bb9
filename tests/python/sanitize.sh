#!/bin/sh
# The Python extension with the address sanitizer, on the engine of BUILD_DIR: runs the tests of Python, or the files named, then
# repeats what programs do and looks for lost memory. The last line counts the tests.
#   sanitize.sh SOURCE_DIR BUILD_DIR [FILE...]
set -u
export CONDYLE_CACHE=off # no test leaves meshes in the home of who runs it
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2
here=$build/python_address
environment=$here/environment

skip() {
  echo "[  SKIPPED ] 1 test"
  echo "[  REASON  ] $1"
  echo "0 passed, 0 failed"
  exit 0
}

fail() {
  cat "$here/log" >&2
  echo "0 passed, 1 failed"
  exit 1
}

mkdir -p "$here"
echo 'int main(void) { return 0; }' | c++ -fsanitize=address -x c - -o "$here/empty" 2> "$here/log" && "$here/empty" 2>> "$here/log" ||
  skip "Python with the address sanitizer: this compiler has none (scripts/need.sh test)"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "Python with the address sanitizer: it is older than 3.10"
python3 -c 'import os, sysconfig; os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2> "$here/log" ||
  skip "Python with the address sanitizer: its headers are missing (scripts/need.sh python)"
python=$environment/bin/python
if ! "$python" -c 'import nanobind, numpy, pytest' 2> "$here/log"; then
  rm -rf "$environment"
  python3 -m venv "$environment" > "$here/log" 2>&1 ||
    skip "Python with the address sanitizer: no environment can be made (scripts/need.sh python)"
  "$python" -m pip install --quiet --no-compile --disable-pip-version-check nanobind numpy pytest > "$here/log" 2>&1 ||
    skip "Python with the address sanitizer: no package index can be reached (make test where pip reaches one)"
fi
# the runtime, which is loaded before the interpreter: GCC's is a library of its own, Clang's where that is asked for
runtime=$(c++ -print-file-name=libasan.so)
shared=""
if c++ --version | grep -q clang; then
  runtime=$(c++ -fsanitize=address -shared-libasan -print-file-name="libclang_rt.asan-$(uname -m).so")
  [ -e "$runtime" ] || runtime=$(c++ -print-file-name=libclang_rt.asan.so)
  shared=-shared-libasan
fi
# without optimisation: compiling takes ten times as long as running gains
cmake -G Ninja -S "$source/tests/python/address" -B "$here" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O0 -g1" -DCMAKE_CXX_FLAGS_DEBUG="-O0 -g1" \
  -DCMAKE_SHARED_LINKER_FLAGS=$shared -DCMAKE_MODULE_LINKER_FLAGS=$shared \
  -DPython_EXECUTABLE="$python" \
  -DCONDYLE_LIBRARY="$build/libcondyle.so" > "$here/log" 2>&1 && cmake --build "$here" > "$here/log" 2>&1 || fail
ln -sfn "$build/bin" "$here/bin"

# the sanitizer comes first and finds C++, whose exceptions it watches; the interpreter asks malloc for each object
export LD_PRELOAD="$runtime $(c++ -print-file-name=libstdc++.so)"
export PYTHONPATH="$here/python" PYTHONMALLOC=malloc PYTHONFAULTHANDLER=1
options=allocator_may_return_null=1:handle_segv=1

names=${*:-.}
set --
for name in $names; do
  set -- "$@" "$source/tests/python/$name"
done
cd "$here" || exit 1
ASAN_OPTIONS=$options:detect_leaks=0 "$python" -m pytest "$@" -q -rs -p no:cacheprovider --rootdir "$source" > "$here/log" 2>&1
status=$?
cat "$here/log"
summary=$(grep -E '^[0-9]+ (passed|failed|error|skipped).* in ' "$here/log" | tail -1)
count() {
  echo "$summary" | grep -oE "[0-9]+ $1" | awk '{ sum += $1 } END { print sum + 0 }'
}
passed=$(count passed)
failed=$(($(count failed) + $(count error)))
[ $status -eq 0 ] || [ $failed -gt 0 ] || failed=1

# stacks whole, through code without frame pointers. What the interpreter or NumPy lost is theirs, and tables that the import makes
# last as long as the program
rm -f "$here"/lost.*
ASAN_OPTIONS=$options:detect_leaks=1:leak_check_at_exit=0:fast_unwind_on_malloc=0:malloc_context_size=30:log_path=$here/lost \
  "$python" "$source/tests/python/values/endurance.py" 3 > "$here/log" 2>&1
ran=$?
cat "$here"/lost.* 2> /dev/null > "$here/reports"
awk -v RS= '/(Direct|Indirect) leak/ && /_condyle|libcondyle/ && !/nanobind__condyle_exec/' "$here/reports" > "$here/lost"
grep -q "functions " "$here/log" && [ $ran -le 1 ] && ! grep -q "ERROR: AddressSanitizer" "$here/reports" && ! [ -s "$here/lost" ]
if [ $? -eq 0 ]; then
  passed=$((passed + 1))
else
  cat "$here/log" "$here/reports"
  failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
