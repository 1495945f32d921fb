# ./dev package: the npm package as an archive in target/package/, from the same release build as dist/.
# shellcheck shell=bash
source scripts/setup.sh

setup build
release_build
make_package
