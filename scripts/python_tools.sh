#!/bin/sh
# Prints the folder of an environment with the tools that check Python, made at its first use in build/python_tools. Fails quietly
# where there is no package index.
set -eu
cd "$(dirname "$0")/.."
environment=build/python_tools
if ! [ -x $environment/bin/ruff ]; then
  python3 -m venv $environment > /dev/null 2>&1
  $environment/bin/python -m pip install --quiet --disable-pip-version-check ruff > /dev/null 2>&1
fi
echo $environment
