// What the page saves, the page reads again: the same picture and the same measures. Natively every format is held to bring back every
// shape; here are three ways through the page.

import { readFile } from 'node:fs/promises';
import { expect, idle, openPage, readCanvas, test } from './fixture.mjs';
import { link, picture, table } from './helpers.mjs';

/** Saves with the button `selector` and gives the file. */
async function save(page, selector) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(selector).click()]);
  return { name: download.suggestedFilename(), mimeType: '', buffer: await readFile(await download.path()) };
}

/** Everything of a picture that its numbers decide. */
async function seen(page) {
  await idle(page);
  await page.mouse.move(0, 0);
  const { data, width, height } = await readCanvas(page.locator('#map canvas.picture'));
  const measures = await page.locator('.reading dl.measures').textContent();
  return { map: [width, height, Buffer.from(data).toString('base64')], measures, table: await table(page) };
}

async function bring(page, ...files) {
  await page.locator('#bring-file').setInputFiles(files);
  await expect(page.locator('#bringing-refusal')).toHaveText('');
  await page.locator('#bringing-take').click();
  await expect(page.locator('#brought')).toBeVisible();
  // Before the map comes to where the mouse is: a row that is pointed at stays the one that is read.
  await page.mouse.move(0, 0);
  await page.evaluate(() => scrollTo(0, 0));
}

const SETTING = { text: 'the cat sat on the mat', weights: 'random', heads: '3', d_k: '5', d_model: '24', positions: 'none', seed: '8', open: 'data' };

/** What the panel "Save" gives Python of the map. */
async function copyPython(page) {
  if (await page.locator('#text-copy').isHidden()) await page.locator('#save').click();
  for (const [name, value] of [['text-form', 'python'], ['text-extent', 'matrix']]) {
    await page.locator(`input[name="${name}"][value="${value}"]`).evaluate((radio) => radio.click());
  }
  await page.locator('#text-copy').click();
  await expect(page.locator('#text-said')).not.toBeEmpty();
  return page.evaluate(() => navigator.clipboard.readText());
}

test('a list copied for Python is pasted again once hidden cells are numbers', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPage(page, link({ ...SETTING, mask: 'causal' }));
  const before = await table(page);
  const list = await copyPython(page);
  expect(list).toContain('None');
  await openPage(page, link({ text: 'something else', open: 'data' }));
  await page.locator('#bring-text').fill(list);
  await page.locator('#bring-read').click();
  await expect(page.locator('#bringing-refusal')).toContainText('Export it with json.dumps, and write 0 where a weight is None.');
  await page.keyboard.press('Escape');
  await page.locator('#bring-text').fill(list.replaceAll('None', '0'));
  await page.locator('#bring-read').click();
  await expect(page.locator('#bringing-parts')).toContainText('[6, 6]');
  await expect(page.locator('#bringing-remarks')).toHaveText('Everything above the diagonal is 0, so it is treated as hidden by a causal mask.');
  await page.locator('#bringing-take').click();
  expect(await picture(page)).toMatchObject({ rows: 6, columns: 6 });
  await idle(page);
  expect((await table(page)).cells).toEqual(before.cells);
  expect(await copyPython(page)).toBe(list);
});

const one = async (page, name, kind) => {
  await page.locator('#data-one-kind').selectOption(kind);
  return save(page, `[data-tensor="${name}"]`);
};

const CASES = {
  'all tensors as NPZ': async (page) => { await page.locator('#data-all-kind').selectOption('npz'); return [await save(page, '#data-all')]; },
  'queries, keys and values as NPY': async (page) => [await one(page, 'q', 'npy'), await one(page, 'k', 'npy'), await one(page, 'v', 'npy')],
  'weights as CSV': async (page) => [await one(page, 'weights', 'csv')],
};

for (const [name, files] of Object.entries(CASES)) {
  test(`the same picture comes of ${name}`, async ({ page }) => {
    await openPage(page, link(SETTING));
    const before = await seen(page);
    const saved = await files(page);
    await openPage(page, link({ text: SETTING.text, open: 'data' }));
    if (name.startsWith('all')) {
      await page.locator('#bring-file').setInputFiles(saved);
      await expect(page.locator('#bringing-parts')).toContainText('d_model × heads·d_k');
      await page.locator('#bringing-form > summary').click();
      await page.locator('#bringing-heads').fill('3');
      await page.locator('#bringing-heads').press('Tab');
      await page.locator('#bringing-take').click();
      await expect(page.locator('#brought')).toBeVisible();
    } else {
      await bring(page, ...saved);
    }
    expect(await picture(page)).toMatchObject({ rows: 6, columns: 6 });
    const after = await seen(page);
    expect(after.table).toEqual(before.table);
    expect(after.measures).toBe(before.measures);
    expect(after.map).toEqual(before.map);
  });
}
