#!/bin/sh
# Formatting and static checks of every file of ours; silent when clean.
set -eu
cd "$(dirname "$0")/.."
scripts/sources.sh | xargs clang-format --dry-run --Werror
cmake --preset debug -DCONDYLE_TESTS=OFF > /dev/null
findings=$(mktemp)
trap 'rm -f "$findings"' EXIT
status=0
scripts/sources.sh src cli | grep '\.c$' |
  xargs -P "$(nproc)" -n 8 clang-tidy -p build/debug --quiet > "$findings" 2> /dev/null || status=1
cat "$findings"
[ ! -s "$findings" ] && exit $status
exit 1
