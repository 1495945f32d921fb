// A checkpoint through the public API, which `calls.js` opens by many short calls: what ends an opening, and that none is left with the engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loaded, received, refused } from './engine.mjs';

const PIECES = 3;

/** An engine that opens files in three pieces: `{ open, names }`, and the calls that it got. */
async function engine() {
  const names = [];
  let read = 0;
  const { api } = await loaded({
    answer: ({ name, prepared }) => {
      names.push(name === 'model_call' ? received(prepared).name : name);
      if (name !== 'model_call') return 7;
      read += 1;
      return { progress: { read, total: PIECES }, ...(read === PIECES ? { about: { family: 'llama' } } : {}) };
    },
  });
  names.length = 0;
  return { open: api.open, names };
}

test('pieces are asked for until the model is there, and each is told', async () => {
  const { open, names } = await engine();
  const heard = [];
  const model = await open({ 'model.gguf': new Blob() }, { onProgress: ({ read }) => heard.push(read) });
  assert.deepEqual([heard, model.family], [[1, 2, 3], 'llama']);
  assert.deepEqual(names, ['model', 'open_on', 'open_on', 'open_on']);
});

for (let last = 1; last <= PIECES; last++) {
  test(`an abort after piece ${last} of ${PIECES} ends the opening, and the engine keeps nothing`, async () => {
    const { open, names } = await engine();
    const stop = new AbortController();
    let heard = 0;
    const onProgress = () => (heard += 1) === last && stop.abort();
    const refusal = await refused(open({ 'model.gguf': new Blob() }, { signal: stop.signal, onProgress }));
    assert.deepEqual([refusal?.code, refusal?.field, heard], ['aborted', 'signal', last]);
    assert.deepEqual(names, ['model', ...Array(last).fill('open_on'), 'layer_free']);
  });
}

test('a callback that throws after the last piece ends the opening as well', async () => {
  const { open, names } = await engine();
  const refusal = await refused(open({ 'model.gguf': new Blob() }, { onProgress: ({ read }) => { if (read === PIECES) throw new Error('of the caller'); } }));
  assert.deepEqual([refusal?.code, refusal?.field, names.at(-1)], ['aborted', 'onProgress', 'layer_free']);
});
