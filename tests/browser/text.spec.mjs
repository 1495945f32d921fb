// What is typed becomes rows and columns; how texts are split, and what the examples show, is tested natively.

import { expect, openPage, test } from './fixture.mjs';
import { choose, expectRowsSumToOne, expectShown, link, picture, reveal, shown, table } from './helpers.mjs';
import { expectPixelsSay } from './helpers-pixels.mjs';

const typed = async (page, text) => {
  await page.locator('#text').fill('');
  await page.locator('#text').pressSequentially(text);
  await expectShown(page, { text });
};

test('each keystroke reaches the map', async ({ page }) => {
  await openPage(page);
  await typed(page, 'a bird');
  expect((await table(page)).rows).toEqual(['a', 'bird']);
  await page.locator('#text').press('End');
  await page.locator('#text').pressSequentially(' sings');
  await expectShown(page, { text: 'a bird sings' });
  const { rows, columns, cells } = await table(page);
  expect([rows, columns]).toEqual([['a', 'bird', 'sings'], ['a', 'bird', 'sings']]);
  expectRowsSumToOne(cells);
  await expectPixelsSay(page, cells);
});

test('the translation pair is cross-attention, with other rows than columns', async ({ page }) => {
  await openPage(page);
  await (await reveal(page.locator('#presets'))).selectOption('translation');
  await expectShown(page, { text: "J'adore l'apprentissage automatique", source: 'I love machine learning' });
  const { rows, columns, cells } = await table(page);
  expect(rows).toEqual(["J'", 'adore', "l'", 'apprentissage', 'automatique']);
  expect(columns).toEqual(['I', 'love', 'machine', 'learning']);
  expect(await picture(page)).toMatchObject({ rows: 5, columns: 4 });
  expectRowsSumToOne(cells);
  await expectPixelsSay(page, cells);
  await expect(page.locator('input[name="kind"][value="cross"]')).toBeChecked();
});

test('cross-attention begins with a copy, takes another text and goes again', async ({ page }) => {
  await openPage(page, link({ text: 'two cats sleep' }));
  await expect(page.locator('#second')).toBeHidden();
  await choose(page, 'kind', 'cross');
  await expect(page.locator('#second')).toHaveValue('two cats sleep');
  await page.locator('#second').fill('deux chats dorment ici.');
  await expectShown(page, { text: 'two cats sleep', source: 'deux chats dorment ici.' });
  const { rows, columns } = await table(page);
  expect([rows.length, columns.length]).toEqual([3, 5]);
  await choose(page, 'kind', 'self');
  await expect(page.locator('#second')).toBeHidden();
  expect(await picture(page)).toMatchObject({ rows: 3, columns: 3 });
  expect((await shown(page)).source).toBeUndefined();
});

test('an empty text leaves an empty map and a page that works on', async ({ page }) => {
  await openPage(page);
  await page.locator('#text').fill(' \n\t ');
  expect(await picture(page)).toMatchObject({ rows: 0, columns: 0 });
  await page.locator('#text').fill('back again');
  expect(await picture(page)).toMatchObject({ rows: 2, columns: 2 });
  await expectPixelsSay(page, (await table(page)).cells);
});
