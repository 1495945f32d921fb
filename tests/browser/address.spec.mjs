// The whole state is in the address: links, reload, back and forward, and links that are damaged or hostile.

import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { address, choose, enter, expectRowsSumToOne, expectShown, link, named, picture, shown, table } from './helpers.mjs';
import { difference, plot } from './helpers-pixels.mjs';

const EVERYTHING = {
  text: 'un chat & «deux» 猫 + 100% #1', source: 'one cat, two cats', weights: 'random', seed: '99', d_model: '48', d_k: '6', heads: '9',
  kv_heads: '3', mask: 'local,first', valid: '2', window: '4', stride: '3', first: '2', paint: 'AQIE', hiding: 'after', scoring: 'additive', scaled: '0',
  positions: 'rotary', projected: '9', temperature: '0.35', head: '7', cell: '2,3', step: 'v', open: 'analysis', against: 'd_k=9&scaled=1',
  colours: 'blues', scale: 'log', range: 'head', lang: 'zh', theme: 'dark',
};

isolated('a link with every setting opens with every setting, and shows the same numbers wherever it is opened', async ({ page, browser, server }) => {
  await openPage(page, link(EVERYTHING));
  expect(await shown(page)).toMatchObject(EVERYTHING);
  await expect(page.locator('#text')).toHaveValue(EVERYTHING.text);
  await expect(page.locator('#second')).toHaveValue(EVERYTHING.source);
  await expect(page.locator('#d-k-number')).toHaveValue('6');
  await expect(page.locator('#notices li')).toHaveCount(0);
  const first = await table(page);
  const other = await browser.newPage({ baseURL: server.origin });
  await openPage(other, link(EVERYTHING));
  expect(await table(other)).toEqual(first);
  expect(difference(await plot(page), await plot(other))).toBe(0);
  await other.close();
});

test('what is done is in the address, and nothing of it is sent', async ({ page }) => {
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await openPage(page);
  await page.locator('#text').fill('secret words');
  await enter(page, 'd-k-number', 9);
  await choose(page, 'mask', 'causal');
  await page.locator('#scaled').uncheck();
  await expectShown(page, { text: 'secret words', d_k: '9', mask: 'causal', scaled: '0' });
  expect(named(await address(page))).toMatchObject({ v: '1', text: 'secret words', d_k: '9', mask: 'causal', scaled: '0' });
  expect(asked.filter((url) => url.includes('secret'))).toEqual([]);
});

test('a step on the map just before another change is not written over it', async ({ page }) => {
  await openPage(page, link({ text: 'one two three', cell: '1,1' }));
  await page.locator('#map').focus();
  // Without a pause between them: what is written a little later must not come late.
  await page.evaluate(() => {
    document.querySelector('#map').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    document.querySelector('#new-seed').click();
  });
  const { seed, cell } = await shown(page);
  expect(seed).not.toBe('42');
  expect(cell).toBe('2,1');
  await page.goBack();
  await expectShown(page, { seed: '42' });
  expect(named(await address(page)).cell).toBe('2,1');
});

test('a link pasted into the open page is opened', async ({ page }) => {
  await openPage(page);
  await page.evaluate((fragment) => void (location.hash = fragment), link({ text: 'pasted link', heads: '2', kv_heads: '1' }));
  await expectShown(page, { text: 'pasted link', heads: '2' });
  expect(await picture(page)).toMatchObject({ rows: 2, columns: 2 });
});

test('what cannot be together is said in words, and never changed in silence', async ({ page }) => {
  await openPage(page, link({ kv_heads: '2' }));
  await enter(page, 'heads-number', 5);
  await expectShown(page, { heads: '5', kv_heads: '1' });
  await expect(page.locator('#notices li')).toHaveCount(1);
  await expect(page.locator('#notices li')).toContainText(/key\/value heads/);
  await page.locator('#notices button').click();
  await expect(page.locator('#notices li')).toHaveCount(0);
  for (const [typed, became, words] of [[99, '8', /8/], [0, '1', /1/]]) {
    await enter(page, 'heads-number', typed);
    await expectShown(page, { heads: became });
    await expect(page.locator('#notices li').first()).toContainText(words);
    await expect(page.locator('#heads-number')).toHaveValue(became);
  }
  await enter(page, 'd-k-number', 5000);
  await expectShown(page, { d_k: '128' });
  await expect(page.locator('#notices li').first()).toContainText('set to 128');
});

/** What is damaged, and how it is told, is tested natively: here is how it reaches the page. */
const DAMAGED = {
  'a number out of range': ['v=1&heads=999', /heads/],
  'markup as a text and as a value': ['v=1&text=%3Cimg%20src=x%20onerror=alert(1)%3E&mask=%3Cscript%3Ealert(1)%3C/script%3E', /script/],
  'noise': ['%%%&&&===&\u0000&v&=1&🙂=🙃', /./],
  'an endless value': [`v=1&mask=${'y'.repeat(50_000)}`, /yyy/],
};

for (const [name, [fragment, words]] of Object.entries(DAMAGED)) {
  test(`a link with ${name} opens with a visible note and a working page`, async ({ page }) => {
    await openPage(page, fragment);
    const notes = page.locator('#notices li');
    await expect(notes.first()).toBeVisible();
    await expect(notes.filter({ hasText: words }).first()).toBeVisible();
    await expect(page.locator('[data-failure]')).toBeHidden();
    expect((await page.locator('#notices').boundingBox()).height, 'the notes leave room for the map').toBeLessThan(400);
    expectRowsSumToOne((await table(page)).cells);
    await page.locator('#text').fill('still works');
    expect(await picture(page)).toMatchObject({ rows: 2, columns: 2 });
    await idle(page);
    expect(await page.evaluate(() => document.querySelectorAll('img:not(#save-preview), #notices script, #as-table script').length)).toBe(0);
  });
}
