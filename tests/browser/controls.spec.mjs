// Every control of the set-up, moved as a person moves it: what it sets is computed, and the pixels of the map become what the numbers say.

import { expect, openPage, test } from './fixture.mjs';
import { choose, drag, enter, expectRowsSumToOne, expectShown, link, shown, table } from './helpers.mjs';
import { expectPixelsSay } from './helpers-pixels.mjs';
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

const select = (id, value) => (page) => page.locator(`#${id}`).selectOption(value);
const dragged = (id, share) => (page) => drag(page, id, share);
const typed = (id, number) => (page) => enter(page, id, number);
const chosen = (name, value) => (page) => choose(page, name, value);
const ticked = (id, on) => (page) => page.locator(`#${id}`).setChecked(on);
/** The pixels and the public API say what the table says. */
const TRUE = 'true';

/** What is done one after the other, and what is set then. */
const DEEDS = {
  'heads and sizes': [
    [dragged('heads', 0), { heads: '1', kv_heads: '1' }],
    [typed('heads-number', 6), { heads: '6', kv_heads: '6' }],
    [dragged('kv-heads', 0), { kv_heads: '1' }],
    [typed('kv-heads-number', 2), { kv_heads: '2' }],
    TRUE,
    [dragged('d-k', 1), { d_k: '128' }],
    [typed('d-k-number', 3), { d_k: '3' }],
    [dragged('d-model', 1), { d_model: '512' }],
    [typed('d-model-number', 37), { d_model: '37' }],
    [typed('seed', 8), { seed: '8' }],
    [typed('seed', 4294967295), { seed: '4294967295' }],
    TRUE,
    [chosen('origin', 'teaching'), { weights: 'teaching' }],
    [chosen('origin', 'random'), { weights: 'random' }],
    TRUE,
  ],
  'masks': [
    [chosen('mask', 'causal'), { mask: 'causal' }],
    TRUE,
    [chosen('hiding', 'after'), { hiding: 'after' }],
    TRUE,
    [chosen('mask', 'none'), { mask: 'none' }],
    [chosen('mask', 'padding'), { mask: 'padding', valid: '3' }],
    [dragged('valid', 0), { valid: '0' }],
    [chosen('hiding', 'written'), { hiding: 'written' }],
    TRUE,
    [typed('valid-number', 1), { valid: '1' }],
    [chosen('hiding', 'out'), { hiding: 'out' }],
    [chosen('mask', 'padding'), { mask: 'none' }],
    [chosen('mask', 'local'), { mask: 'local', window: '2' }],
    [dragged('window', 0), { window: '0' }],
    [typed('window-number', 1), { window: '1' }],
    [chosen('mask', 'causal'), { mask: 'causal,local' }],
    TRUE,
    [chosen('mask', 'causal'), { mask: 'local' }],
    [chosen('mask', 'strided'), { mask: 'local,strided', stride: '2' }],
    [dragged('stride', 0), { stride: '1' }],
    [typed('stride-number', 3), { stride: '3' }],
    [chosen('mask', 'first'), { mask: 'local,strided,first' }],
    [dragged('first', 0.5), { first: '3' }],
    TRUE,
  ],
  'scores': [
    [ticked('scaled', false), { scaled: '0' }],
    [select('positions', 'none'), { positions: 'none' }],
    TRUE,
    [select('positions', 'rotary'), { positions: 'rotary' }],
    [select('positions', 'alibi'), { positions: 'alibi' }],
    [unfold, {}],
    [chosen('scoring', 'additive'), { scoring: 'additive' }],
    [typed('temperature-number', '0.25'), { temperature: '0.25' }],
    TRUE,
    [dragged('temperature', 0), { temperature: '0.05' }],
    [select('positions', 'none'), { positions: 'none' }],
    [ticked('linformer', true), { linformer: '1', projected: '4' }],
    [dragged('projected', 0.25), { projected: '2' }],
    [typed('projected-number', 3), { projected: '3' }],
    TRUE,
  ],
};

for (const [name, deeds] of Object.entries(DEEDS)) {
  test(`${name}: each control sets its setting, and the pixels become what the API computes`, async ({ page }) => {
    await openPage(page, link(START));
    for (const deed of deeds) {
      if (deed === TRUE) {
        await expectTrue(page);
        continue;
      }
      const [act, settings] = deed;
      await act(page);
      await expectShown(page, settings);
    }
  });
}

for (const typed of ['1e', '2.5']) {
  test(`"${typed}" is refused as a number each time, with Enter and without`, async ({ page }) => {
    await openPage(page, link({ ...START, heads: '1', d_k: '1' }));
    const [field, notice] = [page.locator('#d-k-number'), page.locator('#notices li > span')];
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
});

test('the button draws another seed each time', async ({ page }) => {
  await openPage(page, link(START));
  const seeds = new Set([START.seed]);
  for (let press = 1; press <= 2; press++) {
    await page.locator('#new-seed').click();
    expect(seeds.has((await shown(page)).seed)).toBe(false);
    seeds.add((await shown(page)).seed);
    expect(await page.locator('#seed').inputValue()).toBe((await shown(page)).seed);
  }
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
