// Which functions of the engine are in which chunk, beside what the sources declare.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { planOf } from '../../scripts/dist/chunks.mjs';
import { Places } from '../../tools/wasm-chunks/places.mjs';

const { input, more, common } = JSON.parse(await readFile(new URL('../../scripts/dist/uncalled.json', import.meta.url), 'utf8'));
const HASH = 'h0123456789abcdef';
const declared = common.map((name) => ({ chunk: 'models', path: name, isImpl: false })).filter(({ path }) => /^\w+(::\w+)+$/.test(path));
const { chunkOf, laterOf, prepare } = planOf(new Places([{ chunk: 'host', path: 'app', isImpl: false }, ...declared]));

test('what no visit has called is where the list says, unless the sources say something else', () => {
  for (const [chunk, names] of [['input', input], ['more', more]]) {
    const listed = names.find((name) => /^attention::\w+(::\w+)+$/.test(name)) ?? names.find((name) => /^core::/.test(name));
    const name = `$"${listed}::${HASH}"`;
    assert.equal(chunkOf(name) ?? laterOf(name), chunk, listed);
  }
  assert.equal(chunkOf(`$app::protocol::send::${HASH}`), 'host');
  assert.equal(chunkOf(`$attention::nowhere::${HASH}`), null);
});

test('what common settings call comes with the first input, wherever it is declared to be', () => {
  assert.notEqual(declared.length, 0);
  for (const { path } of declared) assert.equal(chunkOf(`$${path}::${HASH}`), 'input', path);
});

test('what only the build calls is not sent', () => {
  const items = [' (export "opening" (func $opening))', ' (export "main" (func $main))'].map((text) => ({ text, lines: [text] }));
  assert.deepEqual(prepare(items).map(({ text }) => text), [' (export "main" (func $main))']);
});
