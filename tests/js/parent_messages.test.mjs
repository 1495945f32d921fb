// Which messages of the page around a frame reach the engine (`parent_messages.js`).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imported, source } from './source.mjs';

const OWN = 'attention-playground';
const { listenToParent } = await imported(`${await source('parent_messages.js')}\nexport { listenToParent };`);

/** A frame whose parent window speaks: `{ channel, heard, post }`. `post(data, source)` posts as somebody else. */
function framed({ most = 4 } = {}) {
  const listeners = new Set();
  globalThis.parent = { name: 'parent' };
  globalThis.addEventListener = (_, listener) => listeners.add(listener);
  globalThis.removeEventListener = (_, listener) => listeners.delete(listener);
  const heard = [];
  const channel = listenToParent(OWN, most, (data, origin) => heard.push([data.at, origin]));
  const post = (data, from = globalThis.parent) => listeners.forEach((listener) => listener({ source: from, data, origin: 'https://a.example' }));
  return { channel, heard, post };
}

const ours = (at) => ({ source: OWN, at });
const places = ({ messages }) => messages.map(({ data }) => data.at);

test('what the parent says in our protocol is heard at once, with its origin, until nobody listens any more', () => {
  const { channel, heard, post } = framed();
  [1, 2].forEach((at) => post(ours(at)));
  assert.deepEqual(heard, [[1, 'https://a.example'], [2, 'https://a.example']]);
  channel.stop();
  post(ours(3));
  assert.equal(heard.length, 2);
});

test('nothing else reaches the engine: other protocols, plain values, other windows', () => {
  const { channel, heard, post } = framed();
  for (const isHeld of [false, true]) {
    channel.hold(isHeld);
    for (const data of [null, undefined, 1, 'text', OWN, true, [], [OWN], {}, { source: 'webpack' }, { source: { toString: () => OWN } }, new Map()]) post(data);
    for (const from of [null, {}, globalThis]) post(ours(1), from);
  }
  assert.deepEqual([heard, channel.take()], [[], { messages: [], dropped: 0 }]);
});

test('data of other windows is not even read, which would take time', () => {
  const { post } = framed();
  let count = 0;
  const listener = { get source() { count += 1; return OWN; } };
  post(listener, {});
  assert.equal(count, 0);
});

test('of a hundred thousand while the engine is busy the newest few wait, the oldest first, and the others are counted', () => {
  const { channel, heard, post } = framed({ most: 4 });
  post(ours(0));
  channel.hold(true);
  for (let at = 1; at <= 100_000; at++) post(ours(at));
  assert.deepEqual(heard.length, 1);
  const taken = channel.take();
  assert.deepEqual([places(taken), taken.dropped], [[99_997, 99_998, 99_999, 100_000], 99_996]);
  assert.deepEqual(channel.take(), { messages: [], dropped: 0 });
  channel.hold(false);
  post(ours(7));
  assert.deepEqual(heard.at(-1)[0], 7);
});

test('as many as may wait are all kept, in order', () => {
  for (const count of [0, 1, 3, 4, 5, 7, 8, 9]) {
    const { channel, post } = framed({ most: 4 });
    channel.hold(true);
    for (let at = 0; at < count; at++) post(ours(at));
    const taken = channel.take();
    assert.deepEqual(places(taken), Array.from({ length: count }, (_, at) => at).slice(-4), `${count}`);
    assert.equal(taken.dropped, Math.max(0, count - 4));
  }
});
