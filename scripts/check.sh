# ./dev check: all that can be said about the code without running it.
# shellcheck shell=bash
source scripts/setup.sh

# check TITLE COMMAND…: stops at the first that finds something.
check() {
  local title=$1
  shift
  say "▸ $title"
  "$@" || die "the check '$title' found something: '$*' shows it again."
}

setup build audit
check "format" cargo fmt --all --check -- --files-with-diff
check "clippy, host" cargo clippy --quiet --locked --workspace --all-targets -- -D warnings
check "clippy, wasm32" cargo clippy --quiet --locked --workspace --lib --bins --target "$WASM" -- -D warnings
# The modules that name the DOM exist for wasm32 only, so the documentation is built for both.
check "docs, host" env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --locked --workspace --no-deps --document-private-items
check "docs, wasm32" env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --locked --workspace --lib --no-deps --document-private-items --target "$WASM"
check "scripts" shellcheck --external-sources dev .ci/run scripts/*.sh
# Known vulnerabilities are left out: their list would have to come from the network at every check.
check "licences, duplicates, sources" cargo deny --log-level warn check licenses bans sources
