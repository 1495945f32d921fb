// Chunks that are loaded at the first input: by something that a person does, and by nothing that a browser makes up.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const SOURCE = await readFile(new URL('../../src/bindings/js/chunks.js', import.meta.url), 'utf8');

/** A window that has called `loadChunksOnInput`: `hears` says whether it loads its chunks at an event. */
function opened() {
  const [target, asked] = [new EventTarget(), []];
  const fetch = (url) => (asked.push(url), new Promise(() => {}));
  const given = {
    CHUNKS: { more: { url: 'more.wasm', integrity: '', isForInput: true }, models: { url: 'models.wasm', integrity: '', isForInput: false } },
    fetch,
    addEventListener: (...all) => target.addEventListener(...all),
    removeEventListener: (...all) => target.removeEventListener(...all),
  };
  const { loadChunksOnInput } = new Function(...Object.keys(given), `${SOURCE.replaceAll('export ', '')}\nreturn { loadChunksOnInput };`)(...Object.values(given));
  loadChunksOnInput();
  const hears = (type, values = {}) => {
    const before = asked.length;
    target.dispatchEvent(Object.assign(new Event(type), values));
    return asked.slice(before);
  };
  return { hears };
}

test('each kind of input loads the chunks for it, once', () => {
  for (const [type, values] of [['pointermove', { movementX: -1, movementY: 0 }], ['pointermove', { movementX: 0, movementY: 2 }], ['pointerdown'], ['keydown'], ['focusin'], ['wheel'], ['dragenter'], ['beforeprint']]) {
    const { hears } = opened();
    assert.deepEqual(hears(type, values), ['more.wasm'], type);
    assert.deepEqual(hears('keydown'), [], type);
  }
});

test('a pointer that has not moved is no input', () => {
  const { hears } = opened();
  // As Chromium sends it to a page that opens under a pointer.
  assert.deepEqual(hears('pointermove', { movementX: 0, movementY: 0 }), []);
  assert.deepEqual(hears('pointermove', { movementX: 3, movementY: 0 }), ['more.wasm']);
});
