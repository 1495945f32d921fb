#!/usr/bin/env bash
# Guess:  `wasm-opt --all-features` allows all features in what it reads; a module that uses none of them runs where it ran before.
# Seen:   binaryen 132.0.0 (npm), Node 20.20.2, 2026-11-29: two imports of one module are written in the form of the compact import section, a
#         proposal, and the module is refused: "unknown import kind 0x7e". Without the option, or with --disable-compact-imports behind it, it runs.
# So:     features are named one by one, or left to the module's own `target_features` section, as our build and benchmarks do.
# Needs:  Node with npm.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund binaryen@132.0.0 >/dev/null
export PATH="$work/node_modules/.bin:$PATH"
cat >module.wat <<'WAT'
(module
  (import "env" "one" (func $one (result i32)))
  (import "env" "two" (func $two (result i32)))
  (func (export "sum") (result i32) (i32.add (call $one) (call $two))))
WAT
cat >sum.mjs <<'JS'
import { readFileSync } from 'node:fs';
try {
  const { instance } = await WebAssembly.instantiate(readFileSync('module.wasm'), { env: { one: () => 1, two: () => 2 } });
  console.log(instance.exports.sum());
} catch (error) {
  console.log(error instanceof WebAssembly.CompileError ? 'refused' : error);
}
JS
seen=
for options in "" "--enable-simd" "--all-features" "--all-features --disable-compact-imports"; do
  # shellcheck disable=SC2086
  wasm-opt $options -O1 module.wat -o module.wasm
  seen+="[$options] $(node sum.mjs)"$'\n'
done
printf %s "$seen"
wanted="[] 3
[--enable-simd] 3
[--all-features] refused
[--all-features --disable-compact-imports] 3
"
[[ $seen == "$wanted" ]] || { echo "This differs from what was seen on 2026-11-29." >&2 && exit 1; }
