// Two settings side by side: maps, difference, numbers; by pointer and by keyboard.

import { beforeWorker, expect, idle, isolated, openPage, readCanvas, test } from './fixture.mjs';
import { address, choose, enter, expectShown, link, named, number } from './helpers.mjs';

const SET_UPS = ['causal', 'scaled', 'additive', 'local', 'strided', 'linformer', 'multi-query', 'positions'];

/** What B has otherwise, as a link says it. */
const against = async (page) => Object.fromEntries(new URLSearchParams(named(await address(page)).against ?? ''));

/** A link with the panel open, and with what B has otherwise. */
const beside = (settings, other = {}) => link({ open: 'compare', ...settings, ...(Object.keys(other).length && { against: new URLSearchParams(other).toString() }) });

/** The table of numbers: what a row says of A, of B and of both, by the name of the row. */
const numbers = (page) => page.locator('#versus-numbers tbody').evaluate((body) =>
  Object.fromEntries([...body.rows].map((row) => [row.dataset.row, [...row.cells].map((cell) => cell.textContent)])));

/** A number as the page writes it, with its sign and without its unit. */
function signed(written) {
  const plain = written.replace(/[\s\u202f].*/, '').replace('+', '');
  return plain.startsWith('−') ? -number(plain.slice(1)) : number(plain);
}

/** Waits until the page is idle, which it is with exactly these settings of B's own on its maps; with none, with B as A. */
async function expectBeside(page, other) {
  await idle(page);
  expect(await against(page)).toEqual(other);
  await expect(page.locator('#versus-maps')).not.toHaveAttribute('data-outdated');
}

/** One of the comparisons, and which is chosen. */
const comparison = (page, name) => page.locator(`input[name="versus-set-up"][value="${name}"]`);
const chosen = (page) => page.locator('input[name="versus-set-up"]').evaluateAll((all) => all.filter(({ checked }) => checked).map(({ value }) => value));

/** Chooses one of the comparisons, with one click. */
async function setUp(page, name) {
  await comparison(page, name).click();
  await idle(page);
  expect(Object.keys(await against(page)).length).toBe(1);
  await expectBeside(page, await against(page));
}

/** Lets the test see what the worker is asked, as `globalThis.asked`, and the last state that B was asked of. */
const listen = (page) => page.addInitScript(() => {
  globalThis.asked = [];
  globalThis.Worker = class extends Worker {
    postMessage(message, ...rest) {
      if (message.kind === 'page') globalThis.asked.push(message.is_side ? 'side' : 'main');
      if (message.is_side) globalThis.last = message.state;
      super.postMessage(message, ...rest);
    }
  };
});

test('one click compares: maps, difference and numbers', async ({ page }) => {
  await openPage(page);
  await page.locator('#open-compare').click();
  await idle(page);
  expect(await chosen(page)).toEqual(['causal']);
  await page.locator('#versus-same').click();
  await expect(page.locator('#versus-summary')).toContainText('B is the same as A');
  expect((await numbers(page)).weights[0], 'a change of nothing has no place').toBe('largest change of a weight in this head');
  await setUp(page, 'causal');
  expect((await numbers(page)).weights[0]).toMatch(/^largest change of a weight in this head: \S+ → \S+$/);
  expect(await numbers(page)).toMatchObject({
    mask: ['mask', 'none', 'causal', ''],
    visible: ['visible cells', '121', '66', '−55'],
  });
  expect(await chosen(page)).toEqual(['causal']);
  await expect(page.locator('#versus-settings [data-setting="mask"]')).toHaveClass('is-other');
  await expect(page.locator('#versus-settings .is-other')).toHaveCount(1);
  for (const id of ['versus-a', 'versus-b', 'versus-difference']) {
    const { data } = await readCanvas(page.locator(`#${id} .picture`));
    expect(new Set(new Uint32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength))).size, id).toBeGreaterThan(20);
  }
});

test('comparisons are chosen by keyboard, and none is where B is something else', async ({ page }) => {
  await openPage(page, 'open=compare');
  expect(await chosen(page)).toEqual([]);
  expect(await page.locator('input[name="versus-set-up"]').evaluateAll((all) => all.map(({ value }) => value))).toEqual(SET_UPS);
  await comparison(page, 'causal').focus();
  await page.keyboard.press('Space');
  await expectBeside(page, { mask: 'causal' });
  for (const name of SET_UPS.slice(1, 3)) {
    await page.keyboard.press('ArrowRight');
    await idle(page);
    expect(await chosen(page)).toEqual([name]);
    expect(Object.keys(await against(page)).length).toBe(1);
    await expect(comparison(page, name)).toBeFocused();
  }
  await expectBeside(page, { scoring: 'additive' });
  await enter(page, 'b-temperature', 2);
  await expectBeside(page, { scoring: 'additive', temperature: '2' });
  expect(await chosen(page)).toEqual([]);
});

test('a causal mask leaves the last query alone, and the keyboard reads all three maps', async ({ page }) => {
  await openPage(page, beside({}, { mask: 'causal' }));
  await expectBeside(page, { mask: 'causal' });
  await page.locator('#versus-a').focus();
  const read = () => page.locator('#versus-cell').evaluate((cell) => [...cell.children].map((part) => part.textContent));
  await page.keyboard.press('Control+End');
  await idle(page);
  expect(await read()).toEqual(['tired', '→', 'tired', expect.stringMatching(/^A (\S+) · B \1 · B − A 0$/)]);
  await expect(page.locator('#versus-spoken')).toContainText('tired');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await idle(page);
  expect(await read()).toEqual(['The', '→', 'animal', expect.stringMatching(/^A 0\.09\d+ · B hidden · B − A −0\.09\d+$/)]);
  await page.keyboard.press('Enter');
  await idle(page);
  expect(named(await address(page)).cell).toBe('1,2');
  await page.keyboard.press('Escape');
  await idle(page);
  expect(await read()).toEqual(['The', '→', 'animal', expect.stringContaining('B hidden')]);
});

test('the pointer reads the same cell on every map', async ({ page }) => {
  await openPage(page, beside({ cell: 'none' }, { scaled: '0' }));
  await expectBeside(page, { scaled: '0' });
  const said = [];
  for (const id of ['versus-a', 'versus-b', 'versus-difference']) {
    const map = page.locator(`#${id}`);
    const box = await map.boundingBox();
    await map.hover({ position: { x: 0.5 * box.width, y: 0.7 * box.height } });
    await expect(page.locator('#versus-cell .value')).toContainText('B − A');
    said.push(await page.locator('#versus-cell').textContent());
    // So that the next map is not heard of the one before.
    await page.mouse.move(0, 0);
    await expect(page.locator('#versus-cell .value')).toHaveText('');
  }
  expect(new Set(said).size).toBe(1);
  const [a, b, difference] = said[0].match(/A (\S+) · B (\S+) · B − A (\S+)/).slice(1).map(signed);
  expect(Math.abs(b - a - difference)).toBeLessThan(1e-6);
});

isolated('a closed panel asks for nothing, an open one once for each picture', async ({ page }) => {
  await listen(page);
  await openPage(page, link({ against: 'scaled=0', open: 'none' }));
  const asked = () => page.evaluate(() => globalThis.asked.filter((lane) => lane === 'side').length);
  await enter(page, 'd-k-number', 8);
  await expectShown(page, { d_k: '8' });
  expect(await asked()).toBe(0);
  await page.locator('#open-compare').click();
  await expectBeside(page, { scaled: '0' });
  expect(await asked()).toBe(1);
  await choose(page, 'scale', 'log');
  await page.locator('#all-heads button').nth(2).click();
  await expect(page.locator('#versus-b-head')).toContainText('3');
  expect(await asked(), 'another look computes nothing').toBe(1);
});

isolated('B follows A while A is dragged, and never holds it up', async ({ page }) => {
  await listen(page);
  const text = 'one two three four five six seven eight nine ten '.repeat(24).trim();
  await openPage(page, beside({ text, weights: 'random', d_model: '128' }, { mask: 'causal' }));
  await expectBeside(page, { mask: 'causal' });
  const slider = page.locator('#d-k');
  await slider.focus();
  for (let press = 0; press < 12; press++) await page.keyboard.press(press % 3 ? 'ArrowLeft' : 'ArrowRight');
  await page.keyboard.press('Home');
  await expectShown(page, { d_k: '1' });
  await expectBeside(page, { mask: 'causal' });
  const last = await page.evaluate(() => globalThis.last);
  expect(last[last.indexOf('d_k') + 1], 'the last one that was asked for').toBe('1');
  const order = await page.evaluate(() => globalThis.asked);
  expect(order[0]).toBe('main');
  expect(order.at(-1)).toBe('side');
});

isolated('both survive a worker that dies', async ({ page, quiet }) => {
  quiet.allow(/on purpose/);
  let workers = 0;
  page.on('worker', () => { workers += 1; });
  await beforeWorker(page, `(${() => {
    // One that dies before it has come up is no worker that can be replaced, however slowly it comes.
    const isReady = new Promise((resolve) => {
      const post = globalThis.postMessage.bind(globalThis);
      globalThis.postMessage = (message, ...rest) => {
        post(message, ...rest);
        if (message.ready) resolve();
      };
    });
    globalThis.addEventListener('message', (event) => {
      const { kind, is_side, state } = event.data;
      if (kind !== 'page' || !is_side || state[state.indexOf('d_k') + 1] !== '32') return;
      event.stopImmediatePropagation();
      isReady.then(() => setTimeout(() => { throw new Error('on purpose'); }, 400));
    });
  }})()`);
  await openPage(page, beside({}, { scaled: '0' }));
  await expectBeside(page, { scaled: '0' });
  await enter(page, 'd-k-number', 32);
  await expect(page.locator('#versus-summary')).toContainText('could not be computed', { timeout: 30_000 });
  await expectShown(page, { d_k: '32' });
  await expect(page.locator('[data-failure]')).toBeHidden();
  await enter(page, 'd-k-number', 8);
  await expectBeside(page, { scaled: '0' });
  await expect(page.locator('#versus-summary')).toContainText('cosine');
  expect(workers).toBeGreaterThan(1);
});
