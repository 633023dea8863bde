#!/bin/sh
# Checks the structure of the source: see tests/house/layers.py.
#   tests/layers.sh ROOT
exec "$(dirname "$0")/house/layers.py" "$@"
