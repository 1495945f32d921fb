// The matrix on the map as text: in the panel "Save", and with Ctrl+C on the map.

import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { link, number, readout, table } from './helpers.mjs';

const pasted = (page) => page.evaluate(() => navigator.clipboard.readText());

test.beforeEach(async ({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

/** Opens the panel, with a form and a part of the matrix. */
async function open(page, form, extent) {
  await page.locator('#save').click();
  for (const [name, value] of [['text-form', form], ['text-extent', extent]]) {
    await page.locator(`input[name="${name}"][value="${value}"]`).evaluate((radio) => radio.click());
  }
}

const copied = async (page) => {
  await page.locator('#text-copy').click();
  await expect(page.locator('#text-said')).not.toBeEmpty();
  return pasted(page);
};

test('a spreadsheet gets the map, with every digit', async ({ page }) => {
  await openPage(page, link({ mask: 'causal', text: 'the cat sat 猫' }));
  const { rows, columns, cells } = await table(page);
  await open(page, 'tabs', 'matrix');
  const text = await copied(page);
  expect(await page.locator('#text-written').inputValue()).toBe(text);
  const lines = text.trimEnd().split('\n').map((line) => line.split('\t'));
  expect(lines[0]).toEqual(['query \\ key', ...columns]);
  expect(lines.slice(1).map((line) => line[0])).toEqual(rows);
  for (const [query, row] of cells.entries()) {
    for (const [key, weight] of row.entries()) {
      const cell = lines[query + 1][key + 1];
      if (weight === null) expect(cell, 'hidden').toBe('');
      else expect(Math.abs(Number(cell) - weight)).toBeLessThan(0.00051);
    }
  }
  await expect(page.locator('#text-note')).toHaveText('Hidden cells are left empty.');
});

test('Ctrl+C on the map copies the row, or the cell that is locked, and says so', async ({ page }) => {
  await openPage(page, link({ cell: '8' }));
  await page.locator('#map').focus();
  await page.keyboard.press('Control+c');
  await expect(page.locator('#map-said')).toHaveText('Row copied: it');
  const row = (await pasted(page)).trimEnd().split('\n').map((line) => line.split('\t'));
  expect([row.length, row[1].length, row[1][0]]).toEqual([2, 12, 'it']);
  await expect(page.locator('#map')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+c');
  await expect(page.locator('#map-said')).toContainText('Copied:');
  const cell = Number(await pasted(page));
  await idle(page);
  expect(Math.abs(cell - number((await readout(page)).value))).toBeLessThan(1e-6);
});

test('text that is selected is copied as ever', async ({ page }) => {
  await openPage(page);
  await page.locator('#map').focus();
  const selected = await page.evaluate(() => {
    getSelection().selectAllChildren(document.querySelector('#head-name'));
    return getSelection().toString();
  });
  await page.keyboard.press('Control+c');
  // Chromium hands on spaces that do not break as plain ones.
  await expect.poll(() => pasted(page)).toBe(selected.replaceAll('\u00a0', ' '));
  await expect(page.locator('#map-said')).toBeEmpty();
});

isolated('in Chinese, without a clipboard: the text is selected, to be copied by hand', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  await openPage(page, link({ lang: 'zh', cell: '2' }));
  await open(page, 'tabs', 'row');
  await page.locator('#text-copy').click();
  await expect(page.locator('#text-said')).toContainText('Ctrl+C');
  const selected = await page.locator('#text-written').evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd));
  expect(selected.split('\n')).toHaveLength(3);
  await page.keyboard.press('Escape');
  await page.locator('#map').focus();
  await page.keyboard.press('Control+c');
  await expect(page.locator('#map-said')).toContainText('保存');
});
