#!/usr/bin/env bash
# Guess:  `a~b` in a formula is rendered as two letters with a space between them that does not break, as in TeX.
# Seen:   pulldown-latex 0.8.0, 2026-11-27: its parser hands the six characters "&nbsp;" on as text, and its MathML writer escapes them,
#         so that the reader sees "a&nbsp;b" in letters.
# So:     whoever renders its MathML has to put a space in place of that text among the parser's events.
# Needs:  Rust with cargo.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
cd "$work"
cat >Cargo.toml <<'TOML'
[package]
name = "tie"
version = "0.0.0"
edition = "2021"
[dependencies]
pulldown-latex = "=0.8.0"
TOML
cat >src/main.rs <<'RS'
use pulldown_latex::{push_mathml, Parser, RenderConfig, Storage};
fn main() {
    let storage = Storage::new();
    let mut written = String::new();
    push_mathml(&mut written, Parser::new("a~b", &storage), RenderConfig::default()).unwrap();
    println!("{written}");
}
RS
seen=$(cargo run --quiet)
echo "$seen"
[[ $seen == *"<mtext>&amp;nbsp;</mtext>"* ]] || { echo "This differs from what was seen on 2026-11-27." >&2 && exit 1; }
