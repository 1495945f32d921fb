# Rust itself, and the parts of it that a fresh installation may lack: the wasm32 standard library, clippy and rustfmt.
# shellcheck shell=bash

ensure_cargo() {
  if have cargo; then return; fi
  die "Rust is missing: install it from https://rustup.rs, open a new shell and run ./dev again."
}

# rust_complete RUSTC: does this compiler come with everything the project needs?
rust_complete() {
  local sysroot libdir
  { read -r sysroot && read -r libdir; } < <("$1" --print sysroot --print target-libdir --target "$WASM" 2>/dev/null) || return 1
  compgen -G "$libdir/libstd-*.rlib" >/dev/null && [ -x "$sysroot/bin/cargo-clippy" ] && [ -x "$sysroot/bin/rustfmt" ]
}

ensure_rust_parts() {
  if rust_complete rustc; then return; fi
  if [ "${WASM_STD:-}" != debian ] && add_with_rustup; then return; fi
  add_with_debian
}

limited() { if have timeout; then timeout 120 "$@"; else "$@"; fi; }

# A checkout on a machine where rustup's server could not be reached before goes straight to the toolchain that was made then.
add_with_rustup() {
  if ! have rustup || rustup toolchain list | grep -q '^debian-wasm' || ! reachable "${RUSTUP_DIST_SERVER:-https://static.rust-lang.org}"; then return 1; fi
  say "· Rust's $WASM standard library, clippy and rustfmt, with rustup (seconds)"
  limited rustup target add "$WASM" >&2 </dev/null || say "  rustup could not add it here"
  rust_complete rustc && return
  limited rustup component add clippy rustfmt >&2 </dev/null || say "  rustup could not add them here"
  rust_complete rustc
}

# Debian's rustc-web carries no wasm32 standard library: it is built once from Debian's sources and put where that compiler
# looks. rustup then uses /usr as a toolchain of its own name, chosen for this folder only, outside the repository.
add_with_debian() {
  if ! have apt-get; then
    die "Rust's $WASM standard library, clippy or rustfmt is missing: run 'rustup target add $WASM' and 'rustup component add clippy rustfmt'."
  fi
  if ! rust_complete /usr/bin/rustc; then
    can_be_root || die "Installing Debian's Rust needs root: run 'sudo ./dev setup' once, or 'rustup target add $WASM'."
    step "Debian's Rust for the web with apt (half a minute)" "apt could not install rustc-web: check the network and the package sources." \
      apt_install rustc-web cargo-web rust-web-src rust-web-clippy rustfmt-web lld-19 gcc libc6-dev
    step "Its $WASM standard library, built once from Debian's sources (1 to 2 minutes)" "Building the standard library failed." \
      build_wasm_std
  fi
  if have rustup; then
    rustup --quiet toolchain link debian-wasm /usr
    rustup --quiet override set debian-wasm
  fi
  rust_complete rustc || die "The compiler on PATH still lacks parts: put /usr/bin before the other Rust on PATH, or install rustup."
}

# Bitcode keeps link-time optimisation possible; the crate `test` is wanted by wasm-bindgen-test.
build_wasm_std() (
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # `set -e` does nothing in what `step` runs, whose failure is a condition.
  mkdir "$work/src" &&
    echo '#![no_std]' >"$work/src/lib.rs" &&
    printf '[package]\nname = "seed"\nversion = "0.0.0"\nedition = "2021"\n' >"$work/Cargo.toml" &&
    cd "$work" &&
    env PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Cembed-bitcode=yes CARGO_TARGET_DIR="$work/target" \
      /usr/bin/cargo build --release -Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test --target "$WASM" &&
    libdir=$(/usr/bin/rustc --print target-libdir --target "$WASM") &&
    as_root mkdir -p "$libdir" &&
    find "target/$WASM/release/deps" -name '*.rlib' ! -name 'libseed-*' -print0 | as_root xargs -0 cp -t "$libdir" &&
    # rustc asks for a linker called rust-lld, beside its other host programs.
    host_bin=$(/usr/bin/rustc --print sysroot)/lib/rustlib/$(/usr/bin/rustc -vV | sed -n 's/^host: //p')/bin &&
    as_root mkdir -p "$host_bin" &&
    as_root ln -sf /usr/lib/llvm-19/bin/lld "$host_bin/rust-lld"
)
