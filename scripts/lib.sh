# Shared by ./dev and scripts/: paths, messages, and how a step is run. Sourced, in the repository root.
# shellcheck shell=bash

ROOT=$PWD
# Beside cargo's own cache and what it has compiled (`.cargo/config.toml`), for all checkouts.
TOOLS=${PLAYGROUND_TOOLS:-${CARGO_HOME:-$HOME/.cargo}/attention-playground/tools}
BROWSER_TESTS=$ROOT/tests/browser
export WASM=wasm32-unknown-unknown
export PATH="$TOOLS/bin:$BROWSER_TESTS/node_modules/.bin:$PATH"

say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# step TITLE ADVICE COMMAND…: runs a long command quietly; on failure shows the end of its log and what to do.
step() {
  local title=$1 advice=$2 log started=$SECONDS
  shift 2
  mkdir -p "$TOOLS/log"
  log=$TOOLS/log/step-$(date +%s)-$$.log
  say "· $title"
  if "$@" >"$log" 2>&1 </dev/null; then
    say "  done in $((SECONDS - started)) s"
    rm -f "$log"
    return
  fi
  tail -n 20 "$log" >&2
  die "$advice The whole log is in $log."
}

# reachable ADDRESS: whether its server answers within five seconds, asked once. A closed network may let a download hang until its own limit.
UNREACHABLE=
reachable() {
  local server
  server=$(cut -d/ -f1-3 <<<"$1")
  [[ "$UNREACHABLE " != *" $server "* ]] || return 1
  ! have curl || curl --silent --head --connect-timeout 5 --max-time 5 --output /dev/null "$server" || { UNREACHABLE+=" $server" && return 1; }
}

# beside TITLE COMMAND…: runs it in the background until `joined`, which shows what it has said and fails as it did. One at a time.
beside() {
  BESIDE=$1 BESIDE_LOG=$(mktemp)
  shift
  set -m # a process group of its own, to be ended as one
  ("$@") >"$BESIDE_LOG" 2>&1 </dev/null &
  BESIDE_GROUP=$!
  set +m
  trap 'kill -- "-$BESIDE_GROUP" 2>/dev/null; rm -f "$BESIDE_LOG"' EXIT
}

joined() {
  local status=0
  wait "$BESIDE_GROUP" || status=$?
  cat "$BESIDE_LOG" >&2
  rm -f "$BESIDE_LOG"
  trap - EXIT
  [ "$status" = 0 ] || die "$BESIDE failed."
}

# as_root COMMAND…: directly for root, else through a sudo that asks for no password.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

can_be_root() { [ "$(id -u)" = 0 ] || { have sudo && sudo -n true 2>/dev/null; }; }

# apt_install PACKAGE…: package lists may be missing or stale on a fresh machine. Where they cannot be renewed, those that are there serve.
apt_install() {
  as_root apt-get update || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}
