// What the page saves, the page reads again: the same picture and the same measures. Natively every format is held to bring back every
// shape; here is one way through the page.

import { readFile } from 'node:fs/promises';
import { expect, idle, openPage, readCanvas, test } from './fixture.mjs';
import { address, link, named, picture, table } from './helpers.mjs';

/** Saves with the button `selector` and gives the file. */
async function save(page, selector) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(selector).click()]);
  return { name: download.suggestedFilename(), mimeType: '', buffer: await readFile(await download.path()) };
}

/** Everything of a picture that its numbers decide. */
async function seen(page) {
  await idle(page);
  await page.mouse.move(0, 0);
  // The page chooses a row of its own of what is imported.
  await page.locator('#map').press('Control+Home');
  const { data, width, height } = await readCanvas(page.locator('#map canvas.picture'));
  const measures = await page.locator('.reading dl.measures').textContent();
  return { map: [width, height, Buffer.from(data).toString('base64')], measures, table: await table(page) };
}

const SETTING = { text: 'the cat sat on the mat', weights: 'random', heads: '3', d_k: '5', d_model: '24', positions: 'sinusoidal', mask: 'causal', seed: '8', open: 'data' };

test('the same picture comes of all tensors as NPZ', async ({ page }) => {
  await openPage(page, link(SETTING));
  const before = await seen(page);
  await page.locator('#data-all-kind').selectOption('npz');
  const saved = await save(page, '#data-all');
  await openPage(page, link({ text: SETTING.text, open: 'data' }));
  await page.locator('#import-file').setInputFiles([saved]);
  await expect(page.locator('#import-dialog-parts')).toContainText('d_model × heads·d_k');
  await expect(page.locator('#import-dialog-heads')).toHaveValue('3');
  await page.locator('#import-dialog-take').click();
  await expect(page.locator('#imported')).toBeVisible();
  expect(await picture(page)).toMatchObject({ rows: 6, columns: 6 });
  const after = await seen(page);
  expect(named(await address(page))).toMatchObject({ mask: 'causal', positions: 'sinusoidal' });
  await expect(page.locator('#heads-number')).toHaveValue('3');
  expect(after.table).toEqual(before.table);
  expect(after.measures).toBe(before.measures);
  expect(after.map).toEqual(before.map);
});
