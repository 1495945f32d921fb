// A page of another origin talks with the playground in its frame: reading for everybody, setting for those whom the link names.

import { choose, enter, number } from './helpers.mjs';
import { ask, count, expect, heard, point, say, settled, test } from './hosts.mjs';

test('says that it is there, and what its host may do', async ({ page, host }) => {
  await host.open(page, 'embed&v=1');
  expect(await heard(page, 'ready')).toMatchObject({ source: 'attention-playground', v: 1, may: ['hello', 'get'], version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  const frame = await host.open(page, `embed&v=1&theme=host&origins=${host.origin}`);
  await expect(async () => {
    const answer = await ask(page, { type: 'hello' });
    expect(answer).toMatchObject({ type: 'ready', may: ['hello', 'get', 'set', 'select', 'theme'] });
    const height = await frame.locator('#playground').evaluate((element) => element.getBoundingClientRect().height);
    expect(answer.height).toBe(Math.ceil(height));
  }).toPass({ timeout: 15_000 });
});

test('everybody may read what is on screen', async ({ page, host }) => {
  const frame = await host.open(page, 'embed&v=1&heads=2&cell=8,2&mask=causal');
  const { state } = await ask(page, { type: 'get' });
  expect(state).toMatchObject({ computed: true, settings: { heads: 2, mask: 'causal', scaled: true, source: null }, backend: 'cpu' });
  expect(state.tokens.queries).toHaveLength(11);
  expect(state.cell).toMatchObject({ query: 7, key: 1, query_token: 'it', key_token: 'animal', hidden: false });
  expect(number(await frame.locator('#cell .value').textContent())).toBeCloseTo(state.cell.weight, 5);
  expect(state.measures.entropy_mean).toBeGreaterThan(0);
});

test('a page that the link does not name may set nothing', async ({ page, host }) => {
  test.slow();
  const strangers = ['', '&origins=http://localhost', `&origins=${host.origin}.example`, `&origins=${host.origin.replace('http', 'https')}`];
  for (const origins of strangers) {
    await host.open(page, `embed&v=1${origins}`);
    for (const message of [{ type: 'set', settings: { heads: 1 } }, { type: 'set', fragment: 'v=1&heads=1' }, { type: 'select', cell: null }]) {
      expect(await ask(page, message)).toMatchObject({ type: 'refused', code: 'not_allowed', field: 'origins' });
    }
    expect(await ask(page, { type: 'theme', theme: 'dark' })).toMatchObject({ type: 'refused', code: 'not_allowed', field: 'theme' });
    expect(await settled(page)).toMatchObject({ settings: { heads: 4 }, cell: { query: 7 } });
  }
});

test('a page that the link names sets settings one by one, and hears what was not taken', async ({ page, host }) => {
  const frame = await host.open(page, `embed&v=1&seed=7&lock=all&show=heads,mask&origins=${host.origin}`);
  const settings = { heads: 6, d_k: 0, mask: ['causal', 'local'], temperature: 0.5, colour: 'red' };
  expect(await ask(page, { type: 'set', settings })).toMatchObject({
    type: 'reply',
    refused: [{ field: 'colour', code: 'unknown_field' }, { field: 'd_k', code: 'out_of_range', value: '0', message: 'd_k must be from 1 to 128' }],
  });
  const state = await settled(page, { heads: 6, d_k: 16, mask: 'causal,local', temperature: 0.5, seed: 7, embed: true });
  await expect(frame.locator('#heads')).toHaveValue('6');
  await expect(frame.locator('#heads')).toBeDisabled();

  // A whole state leaves nothing of the one before, but how the page is laid out; what was heard brings that one back.
  for (const given of [{ settings: state.settings }, { fragment: state.fragment }]) {
    expect(await ask(page, { type: 'set', fragment: 'v=1&heads=2' })).toMatchObject({ type: 'reply', refused: [] });
    await settled(page, { heads: 2, mask: 'none', seed: 42, embed: true, lock: 'all' });
    expect(await ask(page, { type: 'set', ...given })).toMatchObject({ type: 'reply', refused: [] });
    expect(await settled(page, { heads: 6 })).toMatchObject({ settings: state.settings, fragment: state.fragment });
  }

  expect(await ask(page, { type: 'set', settings: { heads: null, mask: null } })).toMatchObject({ refused: [] });
  await settled(page, { heads: 4, mask: 'none', temperature: 0.5 });
});

test('selects a cell, and tells of one that a reader selects', async ({ page, host }) => {
  const frame = await host.open(page, `embed&v=1&origins=${host.origin}`);
  await ask(page, { type: 'select', cell: { query: 9, key: 3 } });
  const { state } = await heard(page, 'select', { by: 'host', state: { cell: { query: 9, key: 3 } } });
  await expect.poll(async () => number(await frame.locator('#cell .value').textContent())).toBeCloseTo(state.cell.weight, 5);
  expect(await ask(page, { type: 'select', cell: { query: 11 } })).toMatchObject({ type: 'reply', refused: [{ field: 'cell', code: 'out_of_range' }] });
  await frame.locator('#map').press('ArrowLeft');
  await heard(page, 'select', { by: 'person', state: { cell: { query: 9, key: 2 } } });
  await ask(page, { type: 'select', cell: null });
  await heard(page, 'select', { by: 'host', state: { cell: null } });
  expect(await count(page, 'change')).toBe(0);
});

test('tells of a change once its numbers are on screen, and not of what is there already', async ({ page, host }) => {
  const frame = await host.open(page, `embed&v=1&cell=8,2&show=heads,mask&origins=${host.origin}`);
  await enter(frame, 'heads', 2);
  const changed = await heard(page, 'change', { by: 'person', state: { computed: true, settings: { heads: 2 } } });
  const before = await count(page, 'change');
  await ask(page, { type: 'set', settings: { heads: 2, mask: 'none' } });
  await ask(page, { type: 'set', fragment: changed.state.fragment });
  await ask(page, { type: 'select', cell: { query: 7, key: 1 } });
  await settled(page);
  expect(await count(page, 'change')).toBe(before);
  await ask(page, { type: 'set', settings: { mask: 'causal' } });
  const { state } = await heard(page, 'change', { by: 'host', state: { settings: { mask: 'causal' } } });
  expect(state.cell.weight).not.toBe(changed.state.cell.weight);
  await point(frame.locator('label:has(input[name="mask"][value="none"])'));
  await choose(frame, 'mask', 'none');
  await heard(page, 'change', { by: 'person', state: { settings: { mask: 'none' }, cell: { weight: changed.state.cell.weight } } });
  expect(await count(page, 'select')).toBe(0);
});

test('two frames that mirror each other come to rest', async ({ page, host }) => {
  await host.open(page, `embed&v=1&show=heads&origins=${host.origin}`);
  // A host that gives back whatever it hears of its readers' doing, and all of it twice.
  await page.evaluate(() => addEventListener('message', ({ data }) => {
    if (data.type !== 'change' || data.by !== 'person') return;
    for (const heads of [data.state.settings.heads, data.state.settings.heads]) globalThis.say({ type: 'set', settings: { heads } });
  }));
  await enter(page.frameLocator('#frame'), 'heads', 7);
  await heard(page, 'change', { state: { settings: { heads: 7 } } });
  await settled(page, { heads: 7 });
  expect(await count(page, 'change')).toBe(1);
});

test('nobody but the page around may command', async ({ page, host }) => {
  await host.open(page, `embed&v=1&origins=${host.origin}`);
  await page.evaluate(() => {
    const sibling = document.createElement('iframe');
    sibling.title = 'sibling';
    sibling.srcdoc = `<script>
      addEventListener('message', () => parent.postMessage('sibling heard', '*'));
      parent.frames[0].postMessage({ source: 'attention-playground', v: 1, type: 'set', settings: { heads: 1 }, id: 'sibling' }, '*');
      parent.postMessage('sibling said', '*');
    <\/script>`;
    globalThis.said = [];
    addEventListener('message', ({ data }) => typeof data === 'string' && globalThis.said.push(data));
    document.body.append(sibling);
  });
  await expect.poll(() => page.evaluate(() => globalThis.said)).toEqual(['sibling said']);
  // Answered after what the sibling has said, if that were heard at all.
  expect(await settled(page)).toMatchObject({ settings: { heads: 4 } });
  expect(await page.evaluate(() => globalThis.said)).toEqual(['sibling said']);
});

test('follows the theme of its host where the link says so', async ({ page, host }) => {
  const frame = await host.open(page, 'embed&v=1&theme=host');
  const scheme = () => frame.locator(':root').evaluate((root) => [getComputedStyle(root).colorScheme, getComputedStyle(root).backgroundColor]);
  for (const theme of ['dark', 'light', 'dark']) {
    expect(await ask(page, { type: 'theme', theme })).toMatchObject({ type: 'reply', refused: [] });
    await expect.poll(scheme).toEqual([theme, 'rgba(0, 0, 0, 0)']);
  }
  await ask(page, { type: 'theme', theme: 'auto' });
  await expect.poll(scheme).toEqual(['light dark', 'rgba(0, 0, 0, 0)']);
  expect((await settled(page)).settings.theme).toBe('host');
  expect(await ask(page, { type: 'theme', theme: 'pink' })).toMatchObject({ type: 'refused', code: 'unknown_option', field: 'theme' });
});

test('odd messages are refused or passed over, and nothing is lost', async ({ page, host }) => {
  test.slow();
  await host.open(page, `embed&v=1&heads=3&origins=${host.origin}`);
  const codes = await page.evaluate(async () => {
    const cycle = {};
    cycle.self = cycle;
    const deep = Array.from({ length: 500 }).reduce((inner) => ({ inner }), {});
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key ${at}`, at]));
    const long = Object.fromEntries([['k'.repeat(1e6), 1]]);
    const boxed = new String('x'.repeat(1e5));
    const odd = [cycle, deep, wide, long, boxed, [cycle], new Uint8Array(1e6), new Array(4e9), new Map([[1, 2]]), new Date(), /x/, NaN, Infinity, 1n, 'x'.repeat(6e5), new Error('x'), () => {}, true, -1, '', [], {}, null];
    const frame = document.getElementById('frame').contentWindow;
    const ours = (entries) => ({ source: 'attention-playground', v: 1, ...entries });
    const post = (message) => {
      try {
        frame.postMessage(message, '*');
      } catch {
        // What cannot be cloned is never heard.
      }
    };
    const answered = (id) => new Promise((done) => {
      const hear = ({ data }) => {
        if (data.id !== id) return;
        removeEventListener('message', hear);
        done();
      };
      addEventListener('message', hear);
      post(ours({ type: 'hello', id }));
    });
    for (const [at, what] of odd.entries()) {
      post(what);
      post({ ...ours(), source: what });
      for (const name of ['v', 'type', 'id']) post(ours({ type: 'get', [name]: what }));
      for (const name of ['settings', 'fragment']) post(ours({ type: 'set', [name]: what, id: 1 }));
      for (const name of ['heads', 'mask', 'cell', 'paint', 'seed']) post(ours({ type: 'set', settings: { [name]: what } }));
      for (const cell of [what ?? 0, { query: what }, { query: 1, key: what }]) post(ours({ type: 'select', cell }));
      post(ours({ type: 'theme', theme: what }));
      await answered(`odd ${at}`);
    }
    post(ours(wide));
    post(JSON.parse('{ "source": "attention-playground", "v": 1, "type": "set", "settings": { "__proto__": { "heads": 1 }, "constructor": 1 } }'));
    await answered('last');
    return [...new Set(globalThis.heard.filter(({ type }) => type === 'refused').map(({ code }) => code))];
  });
  for (const code of ['too_large', 'wrong_type', 'unknown_version', 'unknown_type', 'not_finite', 'missing_field', 'out_of_range']) expect(codes).toContain(code);
  await ask(page, { type: 'set', settings: { heads: 3, cell: null, mask: null, paint: null } });
  expect((await settled(page, { heads: 3 })).cell).toMatchObject({ query: 7 });
});

test('of thousands of messages the last one counts', async ({ page, host }) => {
  const frame = await host.open(page, `embed&v=1&origins=${host.origin}`);
  await page.evaluate(() => {
    for (let at = 0; at < 5000; at += 1) globalThis.say({ type: 'set', settings: { heads: 1 + (at % 8), text: `${'word '.repeat(40)}${at}` } });
    for (let at = 0; at < 200; at += 1) globalThis.say({ type: 'nonsense' });
    globalThis.say({ type: 'set', settings: { heads: 5, text: 'the very last' } });
  });
  await settled(page, { heads: 5, text: 'the very last' });
  await expect(frame.locator('#text')).toHaveValue('the very last');
  expect(await count(page, 'refused')).toBeGreaterThan(0);
});

test('a flood of messages is answered as far as there is time, and once for all the others', async ({ page, host }) => {
  await host.open(page, 'embed&v=1');
  const MESSAGES = 30_000;
  await page.evaluate((count) => {
    globalThis.heard.length = 0;
    for (let at = 0; at < count; at += 1) globalThis.say({ type: 'get', id: 'flood' });
  }, MESSAGES);
  const told = () => page.evaluate(() => {
    const refusals = globalThis.heard.filter(({ code }) => code === 'too_many');
    const dropped = refusals.reduce((sum, { message }) => sum + parseInt(message, 10), 0);
    return { refusals: refusals.length, dropped, answered: globalThis.heard.filter(({ id }) => id === 'flood').length };
  });
  await expect.poll(async () => (({ dropped, answered }) => dropped + answered)(await told())).toBe(MESSAGES);
  const { refusals, dropped } = await told();
  expect(dropped).toBeGreaterThan(0);
  expect(refusals * 20, 'one for many').toBeLessThan(dropped);
});

test('makes no entries in the history of its host and remembers nothing', async ({ page, host, server }) => {
  const frame = await host.open(page, 'embed&v=1&show=heads,theme,lang', { near: true });
  const length = () => page.evaluate(() => history.length);
  const before = await length();
  await enter(frame, 'heads', 2);
  await choose(frame, 'theme', 'dark');
  await choose(frame, 'language', 'zh');
  await settled(page, { heads: 2, theme: 'dark', lang: 'zh' });
  expect(await length()).toBe(before);
  const [own] = page.frames().filter((frame) => frame.url().startsWith(server.origin));
  expect(await own.evaluate(() => localStorage.length)).toBe(0);
});
