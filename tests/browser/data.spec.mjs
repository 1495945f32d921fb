// The numbers themselves: every tensor of the setting as a file, in every format, read by other programs than ours.

import { compute, expectClose } from './api.mjs';
import { expect, isolated, openPage, test } from './fixture.mjs';
import { link, table } from './helpers.mjs';
import { csv, json, npy, npz, safetensors, saved } from './helpers-files.mjs';

const open = (settings = {}) => link({ open: 'data', ...settings });
const MANY = { weights: 'random', text: 'the cat saw the dog', heads: '4', kv_heads: '2', d_k: '3', d_model: '10', mask: 'causal' };

const choose = (page, menu, kind) => page.locator(`#data-${menu}-kind`).selectOption(kind);
const one = (page, name) => saved(page, () => page.locator(`[data-tensor="${name}"]`).click());
const all = (page) => saved(page, () => page.locator('#data-all').click());
const names = (page) => page.locator('#data-tensors code').allInnerTexts();

/** Every result of a computation equals those of the public interface for the inputs in the same file. */
async function expectComputed(page, tensors, request) {
  const trace = await compute(page, request);
  for (const name of ['q', 'k', 'v', 'scores', 'weights', 'context', 'output']) {
    expectClose(name, tensors[name], trace[name], 1e-6);
  }
}

test('symbols are set as mathematics, and read and copied as they are written', async ({ page }) => {
  await openPage(page, link({ open: 'data' }));
  const axes = page.locator('#data-tensors tr', { has: page.getByText('w_q', { exact: true }) }).locator('.axes');
  await expect(axes).toHaveText('d_model × h·d_k');
  await expect(axes.locator('var > sub')).toHaveText(['model', 'k']);
});

test('one archive holds inputs and results, and computing the inputs again gives the results', async ({ page }) => {
  await openPage(page, open(MANY));
  const { name, bytes } = await all(page);
  expect(name).toBe('attention.npz');
  const tensors = npz(bytes);
  expect(Object.keys(tensors)).toEqual(['x', 'positions', 'w_q', 'w_k', 'w_v', 'w_o', 'mask', 'q', 'k', 'v', 'scores', 'weights', 'context', 'output']);
  expect(Object.keys(tensors)).toEqual(await names(page));
  expect(tensors.k.shape).toEqual([2, 5, 3]);
  const { x, w_q, w_k, w_v, w_o, mask } = tensors;
  await expectComputed(page, tensors, { queries: x, weights: { w_q, w_k, w_v, w_o }, heads: 4, kv_heads: 2, mask, position: 'sinusoidal' });
  await expect(page.locator('#data-said')).toContainText('Saved attention.npz');
});

test('every format of one holds the same numbers', async ({ page }) => {
  const name = 'weights';
  await openPage(page, open(MANY));
  const tensor = npz((await all(page)).bytes)[name];
  await choose(page, 'one', 'npy');
  const file = await one(page, name);
  expect(file.name).toBe(`attention-${name}.npy`);
  expect(npy(file.bytes)).toEqual(tensor);
  for (const [kind, read] of Object.entries({ json, npz, safetensors })) {
    await choose(page, 'one', kind);
    expect(read((await one(page, name)).bytes)).toEqual({ [name]: tensor });
  }
  await choose(page, 'one', 'csv');
  const rows = csv((await one(page, name)).bytes);
  const width = tensor.shape.at(-1);
  expect(rows.slice(1).flatMap((row) => row.slice(-width))).toEqual(tensor.data);
});

test('the keyboard alone saves one and all', async ({ page }) => {
  await openPage(page, open(MANY));
  await page.locator('#data-one-kind').focus();
  await page.keyboard.press('j');
  await expect(page.locator('#data-one-kind')).toHaveValue('json');
  const button = page.getByRole('button', { name: 'Save w_o as JSON', exact: true });
  await button.focus();
  const { name, bytes } = await saved(page, () => page.keyboard.press('Enter'));
  expect([name, json(bytes).w_o.shape]).toEqual(['attention-w_o.json', [12, 10]]);
  await expect(button).toBeFocused();
  await page.locator('#data-all').focus();
  expect((await saved(page, () => page.keyboard.press('Space'))).name).toBe('attention.npz');
});

isolated('a large file is written in pieces, and can be stopped between two of them', async ({ page }) => {
  // The page gives way by a message to itself; here it waits for that as long as the test does.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    globalThis.held = [];
    MessagePort.prototype.postMessage = function (message) { globalThis.held.push(() => post.call(this, message)); };
    globalThis.goOn = () => {
      MessagePort.prototype.postMessage = post;
      for (const go of globalThis.held.splice(0)) go();
    };
  });
  const text = Array.from({ length: 500 }, (_, at) => `w${at}`).join(' ');
  await openPage(page, open({ ...MANY, text }));
  const weights = page.locator('[data-tensor="weights"]');
  const said = page.locator('#data-said');
  await weights.click();
  await expect.poll(() => page.evaluate(() => globalThis.held.length)).toBe(1);
  await expect(said).toContainText('Computing for attention-weights.csv');
  await page.locator('#data-stop').click();
  await expect(said).toHaveText('Stopped. No file was made.');
  await page.evaluate(() => globalThis.goOn());
  const { name, bytes } = await saved(page, () => weights.click());
  expect(name).toBe('attention-weights.csv');
  const rows = csv(bytes).slice(1).map((row) => row.slice(2));
  expect(rows.map((row) => row.length)).toEqual(Array(4 * 500).fill(500));
  for (const row of rows) expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 4);
  await expect(page.locator('#data-stop')).toBeHidden();
});

test('the large map is saved as numbers, whatever it shows', async ({ page }) => {
  await openPage(page, link({ ...MANY, head: '2' }));
  const take = async (kind) => {
    await page.locator('#numbers-kind').selectOption(kind);
    await expect(page.locator('#numbers-take')).toContainText(kind, { ignoreCase: true });
    return saved(page, () => page.locator('#numbers-take').click());
  };
  await page.locator('#save').click();
  await expect(page.locator('#numbers-size')).toContainText('weights · head 2: 5 × 5 numbers');
  const { name, bytes } = await take('csv');
  expect(name).toBe('attention-head-2-weights-causal.csv');
  await expect(page.locator('#numbers-said')).toContainText(name);
  const weights = json((await take('json')).bytes).weights;
  expect(npy((await take('npy')).bytes)).toEqual(weights);
  const rows = csv(bytes);
  expect(rows[0]).toEqual(['query \\ key', 'the', 'cat', 'saw', 'the', 'dog']);
  expect(rows.slice(1).flatMap((row) => row.slice(1))).toEqual(weights.data);
  await page.keyboard.press('Escape');
  const shown = await table(page);
  for (const [at, row] of shown.cells.entries()) {
    for (const [key, value] of row.entries()) expect(Math.abs((value ?? 0) - weights.data[5 * at + key])).toBeLessThan(0.0006);
  }
});
