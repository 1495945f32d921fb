// What the sources declare, and whose place counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredIn, Places } from '../places.mjs';

/** A module with a custom section. */
function moduleWith(name, text) {
  const content = Buffer.concat([Buffer.from([name.length]), Buffer.from(name + text)]);
  // Lengths below 16384, in seven bits to a byte.
  return Buffer.concat([Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, (content.length & 127) | 128, content.length >> 7]), content]);
}

test('a declaration says the module, or some of what is in it', () => {
  const wasm = moduleWith('chunks', 'late of app::export: ;early of page::dom: save, Writer :: open,\n ::zip, impl Writer, impl::zip::Reader;');
  assert.deepEqual(declaredIn(wasm), [
    { chunk: 'late', path: 'app::export', isImpl: false },
    { chunk: 'early', path: 'page::dom::save', isImpl: false },
    { chunk: 'early', path: 'page::dom::Writer::open', isImpl: false },
    { chunk: 'early', path: 'zip', isImpl: false },
    { chunk: 'early', path: 'page::dom::Writer', isImpl: true },
    { chunk: 'early', path: 'zip::Reader', isImpl: true },
  ]);
  assert.deepEqual(declaredIn(moduleWith('other', 'late of app: ;')), []);
  assert.throws(() => declaredIn(moduleWith('chunks', 'late app;')), /no declaration of a chunk: late app/);
});

const of = (chunk, path, isImpl = false) => ({ chunk, path, isImpl });
const HASH = 'h0123456789abcdef';

test('the longest declared path counts, and the first crate that is declared anything of', () => {
  const places = new Places([of('late', 'app'), of('early', 'app::a::Kept'), of('engine', 'app::a::Kept::new'), of('engine', 'app::Shape', true), of('zip', 'zip')]);
  const chunkOf = (name) => places.chunkOf(name);
  assert.equal(chunkOf(`$app::a::b::${HASH}`), 'late');
  assert.equal(chunkOf(`$app::a::Kept::open::{{closure}}::${HASH}`), 'early');
  assert.equal(chunkOf('$app::a::Kept::new'), null);
  assert.equal(chunkOf('$app::a::Kept::new::inner'), null);
  assert.equal(chunkOf('$"<app::a::Kept as core::fmt::Debug>::fmt"'), 'early');
  assert.equal(chunkOf('$"core::ptr::drop_in_place<app::Shape>"'), null, 'what the compiler writes for a type');
  assert.equal(chunkOf('$app::Shape::draw'), 'late', '… is not what the type does');
  assert.equal(chunkOf('$"core::ops::FnOnce<zip::Reader, app::a::Kept>::call"'), 'zip');
  assert.equal(chunkOf('$other::app::f'), 'late');
  assert.equal(chunkOf('$zipper::f'), null);
});

test('what is kept stays unless its very path is declared', () => {
  const places = new Places([of('late', 'app::a'), of('late', 'app::a::b::new')], (path, isInTable) => path.endsWith('::new') && !isInTable);
  assert.equal(places.chunkOf('$app::a::c::new'), null);
  assert.equal(places.chunkOf('$app::a::c::new', true), 'late');
  assert.equal(places.chunkOf('$app::a::b::new'), 'late');
});
