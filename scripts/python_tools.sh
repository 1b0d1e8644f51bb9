#!/bin/sh
# Prints the folder of an environment with what checks Python and reads C, made at its first use in build/python_tools. Fails quietly
# where there is no package index.
set -eu
cd "$(dirname "$0")/.."
environment=build/python_tools
if ! [ -e $environment/complete ]; then
  python3 -m venv $environment > /dev/null 2>&1
  $environment/bin/python -m pip install --quiet --disable-pip-version-check ruff "pycparser>=3" > /dev/null 2>&1
  touch $environment/complete
fi
echo $environment
