#!/bin/sh
# The shared library exports mj* and cnd_* alone, and every function that a public header declares.
# usage: check.sh LIBRARY INCLUDE_DIR [render], with render that of the renderer, whose headers are its own
set -u
is_render='/(render|ui)\.h$'
exported=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort -u)
status=0

foreign=$(echo "$exported" | grep -Ev '^(mj|cnd_)')
if [ -n "$foreign" ]; then
  echo "foreign symbols exported: $foreign"
  status=1
fi

# declarations are functions, arrays, numbers and pointers to functions: MJAPI extern void (*name)(...)
headers=$(ls "$2"/mujoco/*.h "$2"/mujoco/api/*.h "$2"/condyle/*.h)
if [ "${3:-}" = render ]; then
  headers=$(echo "$headers" | grep -E "$is_render")
else
  headers=$(echo "$headers" | grep -vE "$is_render")
fi
# shellcheck disable=SC2086
declared=$(cat $headers | sed -e 's://.*::' -e '/^[[:space:]]*#/d' | tr '\n' ' ' |
  grep -oE 'MJAPI [^;({]*[ *](\(\*)?(mj|cnd_)[A-Za-z0-9_]* *[(;[)]' | grep -oE '[A-Za-z0-9_]+ *[(;[)]$' |
  tr -d ' (;[)' | sort -u)
[ -n "$declared" ] || { echo "found no declaration in $2"; exit 1; }
for name in $declared; do
  if ! echo "$exported" | grep -qx "$name"; then
    echo "declared but not exported: $name"
    status=1
  fi
done
exit $status
