// How windows and workers get chunks of the engine (`chunks.js`), and what becomes of events where they cannot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turn } from './engine.mjs';
import { source } from './source.mjs';

const TEXT = (await source('chunks.js')).replace(/^export /gm, '');

/** A module with one function, `answer`, that gives `number`. */
const moduleOf = (number) => new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 10, 1, 6, 97, 110, 115, 119, 101, 114, 0, 0, 10, 6, 1, 4, 0, 65, number, 11]);
const NUMBERS = { input: 1, more: 2, zh: 3, models: 4 };
const HTML = new TextEncoder().encode('<!doctype html>a page');

/** What stands around `chunks.js`: a server, a page with one line, and events. `answers` gives the bytes for a name and how they are asked for. */
function around(answers, { isWindow = true } = {}) {
  const asked = [];
  const answer = (url, how) => {
    const [, name, isAnew] = /^(\w+)\.wasm(\?anew)?(?:#|$)/.exec(url);
    asked.push(`${name} ${how}${isAnew ? ' anew' : ''}`);
    const bytes = answers(name, how, Boolean(isAnew));
    if (bytes === null) throw new TypeError('Failed to fetch');
    return bytes;
  };
  const fetch = async (url, { cache, integrity }) => {
    const bytes = answer(url, cache);
    if (integrity !== `digest of ${bytes.join()}`) throw new TypeError('Failed to fetch');
    return { arrayBuffer: async () => bytes.buffer };
  };
  class XMLHttpRequest {
    open(_, url) { this.url = url; }
    overrideMimeType() { this.isText = true; }
    send() {
      const bytes = answer(this.url, 'sync');
      this.response = this.isText ? String.fromCharCode(...bytes) : bytes;
    }
  }
  class Node extends EventTarget {
    constructor(selector) {
      super();
      this.selector = selector;
    }
    closest(selector) { return selector.startsWith('[data-lock]') === (this.selector === 'setting') ? this : null; }
    click() { this.dispatchEvent(new Event('click', { cancelable: true })); }
    getRootNode() { return document; }
  }
  const button = {};
  const line = { hidden: true, querySelector: () => button };
  const window = new EventTarget();
  const document = isWindow ? { querySelector: () => line } : undefined;
  const CHUNKS = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, {
    isForInput: name !== 'models', needs: { more: 'input', models: 'more' }[name] ?? '', url: `${name}.wasm`, integrity: `digest of ${moduleOf(NUMBERS[name]).join()}`,
  }]));
  const timers = [];
  const given = {
    CHUNKS, wasm: {}, fetch, XMLHttpRequest, Node, document, globalThis: { window },
    addEventListener: (type, listener, options) => window.addEventListener(type, listener, options),
    // Node takes no boolean here.
    removeEventListener: (type, listener, capture) => window.removeEventListener(type, listener, { capture }),
    dispatchEvent: (event) => window.dispatchEvent(event),
    setTimeout: (act) => timers.push(act),
  };
  const own = Function(...Object.keys(given), `${TEXT}\nreturn { loadChunks, loadChunksOnInput, isLoaded, listen, askAgain, imports };`)(...Object.values(given));
  return { ...own, asked, line, button, window, timers, Node };
}

/** Modules are compiled beside this thread. */
const until = async (is) => {
  for (let at = 0; at < 10_000 && !is(); at++) await turn();
  assert.ok(is(), String(is));
};

const right = (name) => moduleOf(NUMBERS[name]);
/** The server is right, and what the browser has kept of some chunks is not. */
const kept = (...names) => (name, how, isAnew) => (names.includes(name) && how !== 'reload' && !isAnew ? HTML : right(name));
/** The server has another page in place of some chunks. */
const gone = (...names) => (name) => (names.includes(name) ? HTML : right(name));

test('a chunk is loaded once with what it needs, for however many ask', async () => {
  const { loadChunks, isLoaded, asked } = around(right);
  assert.equal(isLoaded('models'), false);
  await Promise.all([loadChunks('models'), loadChunks('more'), loadChunks('none')]);
  await loadChunks('models');
  assert.deepEqual(asked, ['input default', 'more default', 'models default']);
  assert.deepEqual(['models', 'more', 'none', 'zh'].map(isLoaded), [true, true, true, false]);
});

test('what the browser has kept of a chunk is broken: it is asked for past the cache', async () => {
  const { loadChunks, isLoaded, asked } = around(kept('more'));
  await loadChunks('more');
  assert.deepEqual([asked, isLoaded('more')], [['input default', 'more default', 'more reload'], true]);
});

for (const [what, answers] of [['another page', gone('more')], ['nothing', (name) => (name === 'more' ? null : right(name))], ['the beginning of it', (name) => right(name).slice(0, name === 'more' ? 20 : undefined)]]) {
  test(`in place of a chunk there is ${what}: the load fails by name, and may be tried again`, async () => {
    let isBroken = true;
    const { loadChunks, isLoaded } = around((name) => (isBroken ? answers(name) : right(name)));
    await assert.rejects(loadChunks('more'), { name: 'RuntimeError', message: 'The chunk "more" of the engine could not be loaded.' });
    assert.equal(isLoaded('more'), false);
    isBroken = false;
    await loadChunks('more');
    assert.equal(isLoaded('more'), true);
  });

  test(`a call into it finds ${what}, in a window and in a worker: it fails by name`, () => {
    for (const isWindow of [true, false]) {
      const { imports } = around(answers, { isWindow });
      assert.throws(() => imports.more.answer(), { name: 'RuntimeError', message: 'The chunk "more" of the engine could not be loaded.' });
      assert.equal(imports.input.answer(), NUMBERS.input);
    }
  });
}

test('a call into a chunk loads it where it has to, past the cache where what the browser has kept is broken', () => {
  for (const isWindow of [true, false]) {
    const { imports, asked } = around(kept('more'), { isWindow });
    assert.deepEqual([imports.more.answer(), imports.more.answer()], [NUMBERS.more, NUMBERS.more]);
    assert.deepEqual(asked, ['more sync', 'more sync anew', 'input sync']);
  }
});

/** A button or a setting with one listener of the engine's: what it has heard. */
function listened(page, type, kind = 'button') {
  const heard = [];
  const target = new page.Node(kind);
  const stop = page.listen(target, type, false, (event) => heard.push(event.type));
  return { heard, target, stop, act: () => target.dispatchEvent(new Event(type, { cancelable: true })) };
}

test('before something is done its chunks are there, and no call of the engine has to wait', async () => {
  const page = around(right);
  const setting = listened(page, 'input', 'setting');
  setting.act();
  assert.deepEqual([setting.heard, page.asked], [['input'], ['input sync']]);
  const button = listened(page, 'click');
  button.act();
  assert.deepEqual([button.heard, page.asked], [['click'], ['input sync', 'more sync']]);
  assert.equal(page.line.hidden, true);
});

test('a pointer that moves, and an event of no part of the page, wait for nothing', () => {
  const page = around(gone('input', 'more'));
  const moved = listened(page, 'pointermove');
  moved.act();
  const heard = [];
  const theme = new EventTarget();
  page.listen(theme, 'change', false, () => heard.push('theme'));
  theme.dispatchEvent(new Event('change'));
  assert.deepEqual([moved.heard, heard, page.asked], [['pointermove'], ['theme'], []]);
});

test('where a chunk cannot be had, settings are heard; what needs it is not, and the page says so', async () => {
  const page = around(gone('more'));
  const [setting, button] = [listened(page, 'change', 'setting'), listened(page, 'click')];
  button.act();
  await until(() => !page.line.hidden);
  assert.deepEqual(button.heard, []);
  setting.act();
  assert.deepEqual(setting.heard, ['change']);
  // What is copied with a key on the map needs more than the map does.
  const map = listened(page, 'keydown', 'setting');
  map.target.dispatchEvent(Object.assign(new Event('keydown'), { ctrlKey: true }));
  assert.deepEqual(map.heard, []);
  map.act();
  assert.deepEqual(map.heard, ['keydown']);
});

test('what was done meanwhile is heard once, as soon as the chunk comes', async () => {
  let isBroken = true;
  const page = around((name) => (isBroken ? gone('input')(name) : right(name)));
  const [typed, pressed, ended, key] = [listened(page, 'input', 'setting'), listened(page, 'click'), listened(page, 'input', 'setting'), listened(page, 'keydown')];
  let looks = 0;
  page.window.addEventListener('resize', () => { looks += 1; });
  // What is clicked is clicked later, so that the browser does not open what the engine does not know of.
  assert.deepEqual([typed, typed, pressed, pressed, ended, key].map((own) => own.act()), [true, true, false, false, true, true]);
  ended.stop();
  await until(() => !page.line.hidden);
  assert.deepEqual([typed.heard, looks], [[], 0]);
  isBroken = false;
  page.button.onclick();
  await until(() => page.line.hidden);
  assert.deepEqual([typed.heard, pressed.heard, ended.heard, key.heard], [['input'], ['click'], [], []]);
  assert.equal(looks, 1);
  page.button.onclick();
  await until(() => looks === 2);
  typed.act();
  assert.deepEqual(typed.heard, ['input', 'input']);
});

test('a chunk that was waited for once in vain is not waited for again', async () => {
  const page = around(gone('more'));
  const button = listened(page, 'click');
  button.act();
  await until(() => !page.line.hidden);
  button.act();
  assert.deepEqual([button.heard, page.asked.filter((how) => how.startsWith('more sync'))], [[], ['more sync', 'more sync anew']]);
});

test('the first input loads what a window needs; where that fails, one after a rest tries again', async () => {
  let isBroken = true;
  const page = around((name) => (isBroken ? null : right(name)));
  page.loadChunksOnInput();
  const move = (movementX = 1) => page.window.dispatchEvent(Object.assign(new Event('pointermove'), { movementX, movementY: 0 }));
  // Where a layout has put something else below the pointer.
  move(0);
  assert.deepEqual(page.asked, []);
  move();
  move();
  await until(() => page.timers.length === 1);
  const count = page.asked.length;
  move();
  await turn();
  assert.equal(page.asked.length, count);
  isBroken = false;
  page.timers[0]();
  move();
  await until(() => ['input', 'more', 'zh'].every(page.isLoaded));
  assert.equal(page.isLoaded('models'), false);
});
