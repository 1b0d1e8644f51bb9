#!/bin/sh
# Every mj_, mju_, mjd_ and mjp_ function of <mujoco/mujoco.h> and its parts is named in a test.
# usage: tested.sh SOURCE_DIR
set -u
declared=$(sed -e 's://.*::' "$1"/include/mujoco/api/*.h | tr '\n' ' ' |
  grep -oE 'MJAPI [^;({]*[ *]mj[udp]?_[A-Za-z0-9_]* *\(' | grep -oE '[A-Za-z0-9_]+ *\($' | tr -d ' (' | sort -u)
[ -n "$declared" ] || { echo "found no declaration in $1"; exit 1; }
named=$(find "$1/tests" -name '*_test.c' -exec grep -ohwE 'mj[udp]?_[A-Za-z0-9_]+' {} + | sort -u)
status=0
for name in $declared; do
  case "
$named
" in
    *"
$name
"*) ;;
    *)
      echo "no test names $name"
      status=1
      ;;
  esac
done
exit $status
