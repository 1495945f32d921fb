// Every control of the set-up, moved as a person moves it: the pixels of the map change, and to what the numbers say.

import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { choose, drag, enter, expectRowsSumToOne, expectShown, link, shown, table } from './helpers.mjs';
import { difference, expectPixelsSay, plot } from './helpers-pixels.mjs';
import { weightsByApi } from './helpers-seeded.mjs';

/** Five tokens, four different words, three heads: every size is another one. */
const START = { text: 'one small cat, one', weights: 'random', seed: '7', d_model: '12', d_k: '5', heads: '6', head: '3', window: '2', valid: '3' };

/** The table, the pixels and the public API say the same. */
async function expectTrue(page) {
  const { columns, rows, cells } = await table(page);
  if ((await shown(page)).hiding !== 'after') expectRowsSumToOne(cells);
  await expectPixelsSay(page, cells);
  const truth = await weightsByApi(page, await shown(page), rows, columns);
  for (const [row, weights] of cells.entries()) {
    for (const [column, weight] of weights.entries()) {
      const name = `cell ${row + 1},${column + 1}`;
      if (weight === null) expect(truth[row][column], name).toBe(0);
      else expect(Math.abs(weight - truth[row][column]), name).toBeLessThan(0.00051);
    }
  }
}

/** Opens what is folded away. */
const unfold = (page) => page.locator('#more').evaluate((details) => void (details.open = true));

/** Does `act`; the picture becomes one of `settings`, other than before, and true. */
async function expectNewPicture(page, act, settings) {
  const before = await plot(page);
  await act();
  await expectShown(page, settings);
  expect(difference(before, await plot(page)), 'share of pixels that changed').toBeGreaterThan(0.02);
  await expectTrue(page);
}

const CHANGES = {
  'heads, dragged': { act: (page) => drag(page, 'heads', 0), settings: { heads: '1', kv_heads: '1' } },
  'heads, typed': { from: { kv_heads: '2' }, act: (page) => enter(page, 'heads-number', 2), settings: { heads: '2', kv_heads: '2' } },
  'key/value heads, dragged': { act: (page) => drag(page, 'kv-heads', 0), settings: { kv_heads: '1' } },
  'key/value heads, typed': { act: (page) => enter(page, 'kv-heads-number', 2), settings: { kv_heads: '2' } },
  'd_k, dragged': { act: (page) => drag(page, 'd-k', 1), settings: { d_k: '128' } },
  'd_k, typed': { act: (page) => enter(page, 'd-k-number', 3), settings: { d_k: '3' } },
  'd_model, dragged': { act: (page) => drag(page, 'd-model', 1), settings: { d_model: '512' } },
  'd_model, typed': { act: (page) => enter(page, 'd-model-number', 37), settings: { d_model: '37' } },
  'causal mask': { act: (page) => choose(page, 'mask', 'causal'), settings: { mask: 'causal' } },
  'padding mask': { act: (page) => choose(page, 'mask', 'padding'), settings: { mask: 'padding', valid: '3' } },
  'local mask': { act: (page) => choose(page, 'mask', 'local'), settings: { mask: 'local', window: '2' } },
  'strided mask': { act: (page) => choose(page, 'mask', 'strided'), settings: { mask: 'strided', stride: '2' } },
  'no mask again': { from: { mask: 'causal' }, act: (page) => choose(page, 'mask', 'none'), settings: { mask: 'none' } },
  'valid length, dragged': { from: { mask: 'padding' }, act: (page) => drag(page, 'valid', 0), settings: { valid: '0' } },
  'valid length, typed': { from: { mask: 'padding' }, act: (page) => enter(page, 'valid-number', 1), settings: { valid: '1' } },
  'window, dragged': { from: { mask: 'local' }, act: (page) => drag(page, 'window', 0), settings: { window: '0' } },
  'window, typed': { from: { mask: 'local' }, act: (page) => enter(page, 'window-number', 1), settings: { window: '1' } },
  'stride, dragged': { from: { mask: 'strided' }, act: (page) => drag(page, 'stride', 0), settings: { stride: '1' } },
  'stride, typed': { from: { mask: 'strided' }, act: (page) => enter(page, 'stride-number', 3), settings: { stride: '3' } },
  'not scaled': { act: (page) => page.locator('#scaled').uncheck(), settings: { scaled: '0' } },
  'no positions': { act: (page) => page.locator('#positions').selectOption('none'), settings: { positions: 'none' } },
  'rotary positions': { act: (page) => page.locator('#positions').selectOption('rotary'), settings: { positions: 'rotary' } },
  'ALiBi': { act: (page) => page.locator('#positions').selectOption('alibi'), settings: { positions: 'alibi' } },
  'a second mask': { from: { mask: 'local', window: '1' }, act: (page) => choose(page, 'mask', 'causal'), settings: { mask: 'causal,local' } },
  'local or strided': { from: { mask: 'local', window: '0' }, act: (page) => choose(page, 'mask', 'strided'), settings: { mask: 'local,strided' } },
  'first tokens beside local': { from: { mask: 'local', window: '0' }, act: (page) => choose(page, 'mask', 'first'), settings: { mask: 'local,first' } },
  'first tokens, dragged': { from: { mask: 'strided,first', stride: '4' }, act: (page) => drag(page, 'first', 0.5), settings: { first: '3' } },
  'one mask less': { from: { mask: 'causal,local' }, act: (page) => choose(page, 'mask', 'causal'), settings: { mask: 'local' } },
  'hidden scores overwritten': { from: { mask: 'padding', valid: '0' }, act: (page) => choose(page, 'hiding', 'written'), settings: { hiding: 'written' } },
  'masked after the softmax': { from: { mask: 'causal' }, act: (page) => choose(page, 'hiding', 'after'), settings: { hiding: 'after' } },
  'additive scores': { act: async (page) => { await unfold(page); await choose(page, 'scoring', 'additive'); }, settings: { scoring: 'additive' } },
  'temperature, dragged': { from: { temperature: '2' }, act: (page) => drag(page, 'temperature', 0), settings: { temperature: '0.05' } },
  'temperature, typed': { from: { temperature: '2' }, act: (page) => enter(page, 'temperature-number', '0.25'), settings: { temperature: '0.25' } },
  'Linformer': { act: async (page) => { await unfold(page); await page.locator('#linformer').check(); }, settings: { linformer: '1', projected: '4' } },
  'projected length, dragged': { from: { linformer: '1' }, act: (page) => drag(page, 'projected', 0.25), settings: { projected: '2' } },
  'projected length, typed': { from: { linformer: '1' }, act: (page) => enter(page, 'projected-number', 3), settings: { projected: '3' } },
  'seed, typed': { act: (page) => enter(page, 'seed', 8), settings: { seed: '8' } },
  'largest seed': { act: (page) => enter(page, 'seed', 4294967295), settings: { seed: '4294967295' } },
};

for (const [name, { from, act, settings }] of Object.entries(CHANGES)) {
  test(`${name}: the pixels become what the API computes`, async ({ page }) => {
    await openPage(page, link({ ...START, ...from }));
    await expectTrue(page);
    await expectNewPicture(page, () => act(page), settings);
  });
}

for (const typed of ['', '-', '--', '1e', '2.5', '1e3']) {
  test(`"${typed}" is refused as a number each time, with Enter and without`, async ({ page }) => {
    await openPage(page, link({ ...START, heads: '1', d_k: '1' }));
    const [field, notice] = [page.locator('#d-k-number'), page.locator('#notices li span')];
    for (const end of ['Enter', 'Tab', 'Enter', 'Enter', 'Tab']) {
      await field.press('Control+A');
      await (typed ? page.keyboard.type(typed) : page.keyboard.press('Delete'));
      await page.keyboard.press(end);
      await expect(field).toHaveValue(typed === '2.5' ? '2' : '1');
      await expect(notice).toHaveText(/^query and key size d_k: It must be a whole number\. Set to [12]\.$/);
      await page.locator('#notices button').click();
    }
  });
}

test('fields of panels show what is used instead of what cannot be', async ({ page }) => {
  await openPage(page, link({ ...START, open: 'streaming' }));
  const tile = page.locator('#tile-width');
  for (const [typed, used] of [['', '1'], ['-', '1'], ['999', '128'], ['3', '3']]) {
    await tile.press('Control+A');
    await (typed ? page.keyboard.type(typed) : page.keyboard.press('Delete'));
    await page.keyboard.press('Enter');
    await expect(tile).toHaveValue(used);
  }
  await page.locator('#save').click();
  const width = page.locator('#save-width');
  for (const [typed, used] of [['', '170'], ['1', '42'], ['99999', '1270'], ['85.5', '85.5']]) {
    await width.fill(typed);
    await width.press('Tab');
    await expect(width).toHaveValue(used);
  }
});

test('the button draws another seed each time', async ({ page }) => {
  await openPage(page, link(START));
  const seeds = new Set([START.seed]);
  for (let press = 1; press <= 3; press++) {
    await page.locator('#new-seed').click();
    expect(seeds.has((await shown(page)).seed)).toBe(false);
    seeds.add((await shown(page)).seed);
    expect(await page.locator('#seed').inputValue()).toBe((await shown(page)).seed);
  }
  await expectTrue(page);
});

test('teaching weights and random ones are different pictures', async ({ page }) => {
  await openPage(page, link({ head: '2' }));
  const before = await plot(page);
  await choose(page, 'origin', 'random');
  await expectShown(page, { weights: 'random' });
  expect(difference(before, await plot(page))).toBeGreaterThan(0.2);
  await expectTrue(page);
  await choose(page, 'origin', 'teaching');
  await expectShown(page, { weights: 'teaching' });
  expect(difference(before, await plot(page))).toBe(0);
});

test('arrow keys move a slider by a stop, its number and the picture', async ({ page }) => {
  await openPage(page, link({ ...START, d_k: '8' }));
  for (const [key, d_k] of [['ArrowRight', '16'], ['ArrowRight', '32'], ['ArrowLeft', '16'], ['Home', '1'], ['End', '128']]) {
    await page.locator('#d-k').press(key);
    await expectShown(page, { d_k });
    await expect(page.locator('#d-k-number')).toHaveValue(d_k);
  }
  await expectTrue(page);
});

test('a double-click puts a slider back', async ({ page }) => {
  await openPage(page, link({ d_k: '3', heads: '5', d_model: '100' }));
  for (const [id, settings] of [['d-k', { d_k: '16' }], ['heads', { heads: '4' }], ['d-model', { d_model: '64' }]]) {
    await page.locator(`label[for="${id}"]`).dblclick();
    await expectShown(page, settings);
  }
});

test('while a slider is held, the picture follows before it is let go', async ({ page }) => {
  await openPage(page, link(START));
  const box = await page.locator('#d-model').boundingBox();
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
  await page.mouse.down();
  const seen = [];
  for (const share of [0.5, 0.7, 0.99]) {
    await page.mouse.move(box.x + share * box.width, box.y + box.height / 2);
    seen.push(await page.locator('#d-model-number').inputValue());
    expect((await shown(page)).d_model).toBe(seen.at(-1));
  }
  expect(new Set(seen).size, 'each time another one').toBe(3);
  expect(seen.at(-1)).toBe('512');
  await page.mouse.up();
  await expectTrue(page);
});

test('of many quick changes the last one wins', async ({ page }) => {
  await openPage(page, link({ ...START, text: 'a b c d e f g h '.repeat(30).trim() }));
  await page.locator('#d-model').evaluate(async (slider) => {
    for (let at = 0; at < 40; at++) {
      slider.value = String(at % 8);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      if (at % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
    }
    slider.value = '2';
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
  });
  // Nothing older comes later: that would be under way.
  await expectShown(page, { d_model: '16' });
});

isolated('the numbers are the same after a reload, for both origins', async ({ page }) => {
  for (const weights of ['teaching', 'random']) {
    await openPage(page, link({ weights, heads: '8', kv_heads: '4', head: '6', d_model: '50', d_k: '7', mask: 'local', window: '4' }));
    const before = { plot: await plot(page), table: await table(page) };
    await page.reload();
    await idle(page);
    expect(difference(before.plot, await plot(page))).toBe(0);
    expect(await table(page)).toEqual(before.table);
    await page.goto('about:blank');
  }
});
