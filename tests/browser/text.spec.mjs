// What is typed becomes rows and columns, in any language, and the examples do what their names say.

import { expect, idle, openPage, test } from './fixture.mjs';
import { choose, expectRowsSumToOne, expectShown, link, picture, shown, table } from './helpers.mjs';
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

const SPLITS = {
  '我爱机器学习。': ['我', '爱', '机', '器', '学', '习', '。'],
  '猫は魚が好き': ['猫', 'は', '魚', 'が', '好', 'き'],
  "J'adore l'apprentissage": ["J'", 'adore', "l'", 'apprentissage'],
  "She didn't, did she?": ['She', "didn't", ',', 'did', 'she', '?'],
  'Привет, мир!': ['Привет', ',', 'мир', '!'],
  'one 👩‍👩‍👧 family': ['one', '👩‍👩‍👧', 'family'],
  '<b>&amp;"': ['<', 'b', '>', '&', 'amp', ';', '"'],
};

test('texts are split as a reader expects', async ({ page }) => {
  await openPage(page);
  for (const [text, tokens] of Object.entries(SPLITS)) {
    await test.step(text, async () => {
      await page.locator('#text').fill(text);
      await expectShown(page, { text });
      const { rows, columns, cells } = await table(page);
      expect(rows).toEqual(tokens);
      expect(columns).toEqual(tokens);
      expectRowsSumToOne(cells);
      await expectPixelsSay(page, cells);
    });
  }
  // The last one has most of what an address could spoil.
  const before = await table(page);
  await page.reload();
  await idle(page);
  expect(await table(page)).toEqual(before);
});

test('every example opens, fills the fields and is a true picture', async ({ page }) => {
  await openPage(page);
  const ids = await page.locator('#presets option').evaluateAll((options) => options.map((option) => option.value).filter(Boolean));
  expect(ids.length).toBeGreaterThanOrEqual(6);
  for (const id of [...ids.slice(1), ids[0]]) {
    await page.locator('#presets').selectOption(id);
    expect((await shown(page)).text).toBe(await page.locator('#text').inputValue());
    await idle(page);
    const { cells } = await table(page);
    expectRowsSumToOne(cells);
    await expectPixelsSay(page, cells);
    await expect(page.locator('#presets')).toHaveValue(id);
  }
});

test('in the first picture "it" looks at the nouns', async ({ page }) => {
  await openPage(page);
  const { rows, columns, cells } = await table(page);
  const weight = (key) => cells[rows.indexOf('it')][columns.indexOf(key)];
  expect(weight('animal')).toBeGreaterThan(0.4);
  expect(weight('street')).toBeGreaterThan(0.1);
  const others = columns.filter((token) => !['animal', 'street'].includes(token)).map(weight);
  expect(Math.max(...others)).toBeLessThan(weight('street'));
});

test('the translation pair is cross-attention, with other rows than columns', async ({ page }) => {
  await openPage(page);
  await page.locator('#presets').selectOption('translation');
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
  const { rows, columns, cells } = await table(page);
  expect([rows.length, columns.length]).toEqual([3, 5]);
  await expectPixelsSay(page, cells);
  await choose(page, 'kind', 'self');
  await expect(page.locator('#second')).toBeHidden();
  expect(await picture(page)).toMatchObject({ rows: 3, columns: 3 });
  expect((await shown(page)).source).toBeUndefined();
});

test('an empty text leaves an empty map and a page that works on', async ({ page }) => {
  await openPage(page);
  for (const text of ['', ' \n\t ', '\u200b']) {
    await page.locator('#text').fill(text);
    expect(await picture(page)).toMatchObject({ rows: 0, columns: 0 });
    await page.locator('#text').fill('back again');
    expect(await picture(page)).toMatchObject({ rows: 2, columns: 2 });
  }
  await expectPixelsSay(page, (await table(page)).cells);
});

test('one token is a map of one cell', async ({ page }) => {
  await openPage(page, link({ text: 'alone' }));
  expect((await table(page)).cells).toEqual([[1]]);
});

test('more than 1024 tokens are cut with a visible note, and the text is kept', async ({ page }) => {
  test.slow();
  const text = 'word '.repeat(1100).trim();
  await openPage(page, link({ heads: '1' }));
  await page.locator('#text').fill(text);
  expect(await picture(page)).toMatchObject({ rows: 1024, columns: 1024 });
  await expect(page.locator('.notices, .map-notes').filter({ hasText: /1024|1,024/ }).first()).toBeVisible();
  await expect(page.locator('#text')).toHaveValue(text);
});
