#!/bin/sh
# Formatting and static checks of every file of ours; silent when clean.
set -eu
cd "$(dirname "$0")/.."
git ls-files '*.c' '*.h' '*.cc' | xargs clang-format --dry-run --Werror
cmake --preset debug > /dev/null
git ls-files 'src/*.c' 'cli/*.c' | xargs -P "$(nproc)" -n 8 clang-tidy -p build/debug --quiet 2> /dev/null
