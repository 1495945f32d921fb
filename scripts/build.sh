# ./dev build: the release build in dist/, every reference in it relative.
# shellcheck shell=bash
source scripts/setup.sh

setup build
release_build
