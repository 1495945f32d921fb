// Rules of the mask in words, masks that are pasted, and what libraries mean by them.

import { expect, idle, isolated as test, openPage } from './fixture.mjs';
import { violations } from './axe.mjs';
import { address, choose, link, named, reveal, table } from './helpers.mjs';

/** An array as NumPy saves it. */
const npy = (descr, shape, numbers) => {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }\n`;
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([header.length, 0]), Buffer.from(header), numbers]);
};

const visible = async (page) => (await table(page)).cells.map((row) => row.map((weight) => (weight === null ? 0 : 1)).join(''));

test('a rule in words is in force as it is typed, says where it cannot be read, and stands in the link', async ({ page }) => {
  await openPage(page, link({ text: 'a b c d e f', positions: 'none', mask: 'causal' }));
  await reveal(page.locator('#rule'));
  await page.locator('#rule').fill('documents 4, 2');
  await idle(page);
  expect(await visible(page)).toEqual(['100000', '110000', '111000', '111100', '000010', '000011']);
  expect(named(await address(page)).rule).toBe('documents 4, 2');
  await page.locator('#rule').fill('documents 4, 2 andd first 1');
  await expect(page.locator('#rule-fault')).toHaveText('Characters 16 to 19: expected “and”, “or”, another operator, or the end.');
  await page.locator('#rule').fill('documents 4, 3');
  await expect(page.locator('#rule-fault')).toHaveText('The lengths add up to 7, but there are 6 queries.');
  expect((await visible(page))[5]).toBe('111111');
  await page.locator('#rule').fill('');
  await expect(page.locator('#rule-fault')).toBeEmpty();
});

test('a causal rule is aligned at the last key where it says so', async ({ page }) => {
  await openPage(page, link({ text: 'a a', source: 'a a a a a', positions: 'none', rule: 'causal end' }));
  expect((await table(page)).cells).toEqual([[0.25, 0.25, 0.25, 0.25, null], [0.2, 0.2, 0.2, 0.2, 0.2]]);
});

test('queries line up with the last keys, for masks and positions alike', async ({ page }) => {
  await openPage(page, link({ text: 'a a', source: 'a a a a a', positions: 'none', mask: 'causal' }));
  expect(await visible(page)).toEqual(['10000', '11000']);
  await choose(page, 'align', 'last');
  await idle(page);
  expect((await table(page)).cells).toEqual([[0.25, 0.25, 0.25, 0.25, null], [0.2, 0.2, 0.2, 0.2, 0.2]]);
  expect(named(await address(page)).align).toBe('last');
  await expect(page.locator('#mask-rule')).toContainText('The last query stands at the last key');
  // With ALiBi the query is nearest to the last key.
  await openPage(page, link({ text: 'a', source: 'a a a', heads: '1', positions: 'alibi', align: 'last' }));
  const [first, second, last] = (await table(page)).cells[0];
  expect(first).toBeLessThan(second);
  expect(second).toBeLessThan(last);
  // One text stands where it stands.
  await openPage(page, link({ text: 'a b' }));
  await expect(page.locator('input[name=align]').first()).toBeHidden();
});

test('ones that are added hide nothing, and the page says how much weight lies on what they should hide', async ({ page }) => {
  await openPage(page, link({ text: 'a a a a a a a a', weights: 'random', positions: 'none', mask: 'causal' }));
  await choose(page, 'hiding', 'added');
  await idle(page);
  const { cells } = await table(page);
  expect([cells[0][0], cells[0][7], cells[1][0], cells[7][7]]).toEqual([0.28, 0.103, 0.238, 0.125]);
  await expect(page.locator('#hiding-note')).toContainText('at worst 72.0');
});

test('who sees its future or another document is named with its weight, and a window with its keys', async ({ page }) => {
  const traps = page.locator('#mask-traps');
  await openPage(page, link({ text: 'a b c d', positions: 'none', mask: 'causal' }));
  await expect(traps).toBeEmpty();
  await openPage(page, link({ text: 'a a a a', positions: 'none', rule: 'causal or documents 2, 2' }));
  await expect(traps).toHaveText('“a” sees its future, “a”, at .50; there are 2 such cells. “a” sees “a” of another document, at .25; there are 4 such cells.');
  await reveal(page.locator('#rule'));
  await page.locator('#rule').fill('causal and window 2');
  await expect(traps).toHaveText('The window: 2 before, 3 with itself.');
  await page.locator('#rule').fill('padding left 4');
  await expect(traps).toHaveText('4 keys of padding stand in front, and places count them: the first real word is at place 5.');
  await expect(page.locator('#mask-empty-rows')).toContainText('PyTorch’s need_weights gives NaN');
});

test('every library has its program, and a pasted mask is asked about and shown', async ({ page }) => {
  await openPage(page, link({ text: 'a b c', positions: 'none', mask: 'causal', open: 'code' }));
  await page.locator('#libraries').click();
  await expect(page.locator('.of-library')).toHaveCount(10);
  await expect(page.locator('.who-means-what > p code')).toHaveText('causal');
  await page.locator('.of-library', { hasText: 'JAX' }).locator('summary').click();
  await expect(page.locator('.of-library', { hasText: 'JAX' }).locator('pre')).toContainText('is_causal=True');
  expect(await page.locator('.conventions tbody tr').count()).toBeGreaterThan(20);

  expect(await violations(page, '#panel-code')).toEqual([]);

  const pasted = page.locator('#pasted-mask');
  await pasted.fill('[[True, False, False], [True, True, False], [True, True, True]]');
  await expect(page.locator('.reading-of-mask')).toHaveCount(2);
  await expect(page.locator('.reading-of-mask').nth(1)).toContainText('exactly what it should hide');
  await page.locator('.reading-of-mask').nth(1).getByRole('button').click();
  await idle(page);
  expect(await visible(page)).toEqual(['011', '001', '000']);
  await pasted.fill('flash_attn_func(q, k, v, causal=True, window_size=(1, 0))');
  await expect(page.locator('.reading-of-mask').first()).toContainText('5 of 9 cells are visible');
  await pasted.fill('[[1, 0], [1, 1]]');
  await expect(page.locator('.paste-mask .is-fault')).toContainText('does not fit 3 queries and 3 keys');
});

test('a mask comes from a file: numbers with −∞, tensors by name, a picture', async ({ page }) => {
  await openPage(page, link({ text: 'a b c', positions: 'none', open: 'code' }));
  await page.locator('#libraries').click();
  const file = page.locator('#mask-file');
  const readings = page.locator('.reading-of-mask');
  const cells = [0, -Infinity, -Infinity, 0, 0, -Infinity, 0, 0, 0];
  await file.setInputFiles({ name: 'mask.npy', mimeType: '', buffer: npy('<f4', '(3, 3)', Buffer.from(Float32Array.from(cells).buffer)) });
  await expect(readings).toHaveCount(1);
  await readings.getByRole('button').click();
  await idle(page);
  expect(await visible(page)).toEqual(['100', '110', '111']);

  const header = '{"near":{"dtype":"BOOL","shape":[3,3],"data_offsets":[0,9]},"far":{"dtype":"BOOL","shape":[2,2],"data_offsets":[9,13]}}';
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const bits = Buffer.from([1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1]);
  await file.setInputFiles({ name: 'masks.safetensors', mimeType: '', buffer: Buffer.concat([length, Buffer.from(header), bits]) });
  await expect(readings).toHaveCount(3);
  await expect(readings.last()).toContainText('“far”: Its shape [2, 2] does not fit');
  await readings.first().getByRole('button').click();
  await idle(page);
  expect(await visible(page)).toEqual(['110', '111', '011']);

  // Four pixels for each cell, dropped; the import of the page stays closed.
  const picture = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 6, height: 6 });
    const pen = canvas.getContext('2d');
    [[0, 0], [1, 1], [2, 2], [0, 2]].forEach(([query, key]) => pen.fillRect(2 * key, 2 * query, 2, 2));
    return canvas.toDataURL('image/png').split(',')[1];
  });
  await page.locator('.paste-mask').evaluate((place, bytes) => {
    const own = new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], 'mask.png', { type: 'image/png' });
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(own);
    const over = (target, kind) => target.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
    over(document.querySelector('h1'), 'dragover');
    over(place, 'dragover');
    over(place, 'drop');
  }, picture);
  await expect(page.locator('[data-dropping]')).toHaveCount(0);
  await expect(readings.first()).toContainText('Dark cells show: 4 of 9');
  await readings.first().getByRole('button').click();
  await idle(page);
  expect(await visible(page)).toEqual(['101', '010', '001']);
  await expect(page.locator('#import-dialog')).toBeHidden();
  await page.locator('#pasted-mask').fill('causal');
  await file.setInputFiles({ name: 'cut.npy', mimeType: '', buffer: npy('<f4', '(3, 3)', Buffer.alloc(8)) });
  await expect(page.locator('.paste-mask .is-fault')).toBeVisible();
  await expect(page.locator('#pasted-mask')).toHaveValue('causal');
});

test('the same in Chinese', async ({ page }) => {
  await openPage(page, link({ text: '猫 坐 下', lang: 'zh', rule: 'windw', open: 'code' }));
  await reveal(page.locator('#rule'));
  await expect(page.locator('#rule-fault')).toHaveText('第 1 到第 5 个字符：“windw”既不是规则也不是变量名。');
  await page.locator('#libraries').click();
  await page.locator('#pasted-mask').fill('causal and window 1, 0');
  await expect(page.locator('.reading-of-mask')).toContainText('格可见');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await violations(page, '#panel-code')).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
