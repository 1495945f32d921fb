# A second try for browser tests that failed, until ten runs in a row have needed none. Sourced.
# shellcheck shell=bash

# second_try RESULTS COMMAND…: runs COMMAND. Where tests failed and all others were run, those that failed are run once more, one after
# another. Where they pass then the run has passed, and tell_flaky says which they were. RESULTS is Playwright's output folder, in which
# tests/browser/failed.mjs lists what failed.
second_try() {
  local list=$1/failed.txt failed
  shift
  rm -f "$list"
  "$@" && return
  [ -s "$list" ] || return 1
  failed=$(<"$list")
  say "▸ Once more, alone:"
  say "$failed"
  "$@" --last-failed --workers=1 || return 1
  FLAKY=$failed
}

FLAKY=

# Says which tests passed only at the second try.
tell_flaky() {
  [ -n "$FLAKY" ] || return 0
  while IFS= read -r line; do say "flaky: $line"; done <<<"$FLAKY"
}
