#!/bin/sh
# Lists our C and C++ files, headers included.   usage: sources.sh [FOLDER ...], by default all folders that hold some
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- include src cli tests bench examples python/src web/engine
find "$@" -name '*.[ch]' -o -name '*.cc'
