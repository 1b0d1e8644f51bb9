#!/bin/sh
# Formatting and static checks of every file of ours; silent when clean.
set -eu
cd "$(dirname "$0")/.."
scripts/sources.sh | xargs clang-format --dry-run --Werror
# clang-format leaves comments as they are; tables that it doesn't format may be wider
scripts/sources.sh | xargs awk '
  FNR == 1 || /clang-format on/ { table = 0 }
  /clang-format off/ { table = 1 }
  length > 100 && !table { print FILENAME ":" FNR ": more than 100 columns"; wide = 1 }
  END { exit wide }'
# a comment says something, and doesn't break off inside a formula; drawings are indented further
scripts/sources.sh | xargs awk '
  /;[ \t]*\/\/[ \t]*$/ { print FILENAME ":" FNR ": an empty comment"; bad = 1 }
  /^[ \t]*\/\/ [^ ].* ([-+*\/=]|\+-)$/ { print FILENAME ":" FNR ": a comment that ends in an operator"; bad = 1 }
  END { exit bad }'
# a test file opens with a comment that says what it shows
find tests -name '*.[ch]' | xargs awk '
  FNR == 1 && !/^\/\// { print FILENAME ":1: no head comment"; bad = 1 }
  END { exit bad }'
# Python: formatting, errors and types, where a package index gives the tools
if environment=$(scripts/python_tools.sh); then
  "$environment/bin/ruff" check --quiet .
  "$environment/bin/ruff" format --quiet --check .
fi
# TypeScript and JavaScript: where the page's packages are installed (make web)
[ ! -x web/node_modules/.bin/prettier ] || npm --prefix web run --silent style
cmake --preset debug -DCONDYLE_TESTS=OFF > /dev/null
scripts/sources.sh src cli | grep '\.c$' | xargs python3 scripts/tidy.py build/debug
