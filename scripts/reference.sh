#!/bin/sh
# Prints the folder of the reference engine's Python package (mujoco==3.3.7: headers and shared library), installing it into
# build/reference when no Python at hand has it. Fails quietly where there is no package index.
set -eu
cd "$(dirname "$0")/.."
version=3.3.7

folder() { # folder PYTHON: the package's folder, if that version is there
  "$1" -c "
import importlib.metadata as m, importlib.util as u, sys
sys.exit(m.version('mujoco') != '$version' or print(u.find_spec('mujoco').submodule_search_locations[0]))" 2> /dev/null
}

folder python3 && exit 0
venv=build/reference
folder $venv/bin/python && exit 0
mkdir -p build
python3 -m venv $venv > /dev/null
$venv/bin/python -m pip install --quiet --disable-pip-version-check mujoco==$version > /dev/null 2>&1
folder $venv/bin/python
