// The short names between the engine and its glue.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortenGlue, shortenItems } from '../../scripts/dist/glue_names.mjs';

const item = (text) => ({ text, lines: [text] });
const items = () => [
  item(' (import "./attention-playground_bg.js" "__wbg_random_df36b90cd78a7d54" (func $random (result f64)))'),
  item(' (import "./attention-playground_bg.js" "__wbg_log_0123456789abcdef" (func $log))'),
  item(' (export "wasm_bindgen__convert__closures_____invoke__h44" (func $invoke))'),
  item(' (export "receive" (func $receive))'),
];
const GLUE = `function __wbg_get_imports() {
    const import0 = {
        __wbg_random_df36b90cd78a7d54: function() {
            return Math.random();
        },
        __wbg_log_0123456789abcdef: function() { console.log(wasm.receive); },
    };
    return { "./attention-playground_bg.js": import0 };
}
function wasm_bindgen__convert__closures_____invoke__h44() { wasm.wasm_bindgen__convert__closures_____invoke__h44(); }
`;

test('module and glue have the same names, and those for people stay', () => {
  const list = items();
  const names = shortenItems(list);
  assert.deepEqual(list.map(({ text }) => text), [
    ' (import "glue" "i0" (func $random (result f64)))',
    ' (import "glue" "i1" (func $log))',
    ' (export "e0" (func $invoke))',
    ' (export "receive" (func $receive))',
  ]);
  const glue = shortenGlue(GLUE, names);
  assert.match(glue, /\n {8}i0: function\(\) \{\n {12}return Math\.random/);
  assert.match(glue, /i1: function\(\) \{ console\.log\(wasm\.receive\)/);
  assert.match(glue, /"glue": import0/);
  assert.match(glue, /\{ wasm\.e0\(\); \}/);
});

test('a glue without one of the names is refused', () => {
  const names = shortenItems(items());
  assert.throws(() => shortenGlue(GLUE.replace('__wbg_log_0123456789abcdef', 'log'), names), /does not have __wbg_log_0123456789abcdef$/);
});
