#!/bin/sh
# Prints where this machine gets its distribution's packages, as apt is set up.
set -eu
apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Release: $(. /etc/os-release && echo "$VERSION_CODENAME")" \
  'Component: main' | head -1
