# ./dev calls: visits a build that counts its calls, and writes scripts/dist/uncalled.json: functions that need not come before the first input.
# shellcheck shell=bash
source scripts/setup.sh

setup build browsers
PLAYGROUND_COUNTED=$PWD/target/counted.json trunk build --release --dist target/counted
node "$BROWSER_TESTS/calls.mjs" target/counted target/counted.json scripts/dist/uncalled.json
