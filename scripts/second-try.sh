# A second try for browser tests that failed, until ten runs in a row have needed none. Sourced.
# shellcheck shell=bash

# second_try RESULTS COMMAND…: runs COMMAND. Where tests failed and all others were run, those that failed are run once more, one after
# another. Those that pass then are told as flaky, and the run has passed. RESULTS is Playwright's output folder, in which
# tests/browser/failed.mjs lists what failed.
second_try() {
  local list=$1/failed.txt flaky
  shift
  rm -f "$list"
  "$@" && return
  [ -s "$list" ] || return 1
  flaky=$(<"$list")
  say "▸ Once more, alone:"
  say "$flaky"
  "$@" --last-failed --workers=1 || return 1
  while IFS= read -r line; do say "flaky: $line"; done <<<"$flaky"
}
