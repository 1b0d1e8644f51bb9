#!/bin/sh
# A file includes headers of its own module and of lower floors only, and memory is taken in one way (docs/architecture.md). Fails
# with each offending line.
set -u
cd "$1/src" || exit 1

floor() {
  case $1 in
    base) echo 0 ;;
    model | spec) echo 1 ;;
    smooth | collision) echo 2 ;;
    sensor | constraint) echo 3 ;;
    step) echo 4 ;;
    compile) echo 5 ;;
    mjcf) echo 6 ;;
    lint | batch | view) echo 7 ;;
    *) echo unknown ;;
  esac
}

status=0
for module in */; do
  module=${module%/}
  here=$(floor "$module")
  if [ "$here" = unknown ]; then
    echo "src/$module belongs to no floor"
    status=1
    continue
  fi
  includes=$(grep -rno --include='*.[ch]' '^ *# *include *"[^"]*"' "$module" | sed 's/:[^:]*include *"/ /; s/"//')
  while read -r place header; do
    [ -n "$place" ] || continue
    target=${header%%/*}
    case $header in */*) ;; *) target=$module ;; esac
    [ "$target" = "$module" ] && continue
    there=$(floor "$target")
    if [ "$there" = unknown ] || [ "$there" -gt "$here" ] || [ "$there" -eq "$here" ]; then
      echo "src/$place includes \"$header\": floor $there from floor $here"
      status=1
    fi
  done << END
$includes
END
done

# what a model is made of comes from base/memory.h, but for lists that outlive every call, and what Qhull and the C library made
if grep -rnE --include='*.c' '(^|[^_a-zA-Z.>])(malloc|calloc|realloc|aligned_alloc|strdup|free)\(' spec mjcf compile lint |
    grep -vE '^compile/(asset/cache|mesh/hull)\.c:|^[^:]*:[0-9]*: *//'; then
  echo "memory comes from heap_take (base/memory.h)"
  status=1
fi

# the programs use the public face alone
if grep -n '^ *# *include *"[^"]*/' ../cli/*.[ch]; then
  echo "cli/ may include only include/ and its own headers"
  status=1
fi
exit $status
