// The words of the sentence: chosen by a press, followed while the text is edited, and chosen by the page in a new text; and what is
// said aloud of a change.

import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { address, choose, expectShown, named, readout, shown } from './helpers.mjs';

/** The middle of a word as it is drawn under its field. */
const middle = (page, word) => page.locator('#text-shade span').evaluateAll((spans, word) => {
  const { x, y, width, height } = spans.find((span) => span.textContent === word).getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}, word);

test('a word is pressed to choose its row and pointed at to see it, and typing goes on', async ({ page }) => {
  await openPage(page);
  await page.mouse.move(...await middle(page, 'street'));
  await idle(page);
  expect((await readout(page)).query).toBe('street');
  expect((await shown(page)).cell).toBeUndefined();
  await page.mouse.click(...await middle(page, 'because'));
  await expectShown(page, { cell: '7' });
  await page.keyboard.type('x');
  await page.mouse.move(0, 0);
  const { text, cell } = await shown(page);
  expect(text).toMatch(/x/);
  expect(cell).toBe('7');
});

test('the chosen word is followed, and a new text is opened where it has most to tell', async ({ page }) => {
  await openPage(page);
  await page.locator('#text').fill("Yesterday The animal didn't cross the street because it was too tired");
  await expectShown(page, { cell: '9', head: '1' });
  await page.locator('#text').fill('a rose is a rose is a rose');
  const { head, cell } = await shown(page);
  expect(head).toBe('3');
  expect(cell).toMatch(/^\d$/);
  await expect(page.locator('#notices li')).toHaveCount(0);
  // Whoever has chosen keeps that.
  await page.locator('#all-heads [data-head="1"]').click();
  await page.locator('#text').fill('a rose is a rose is a rose is it');
  await expectShown(page, { head: '2' });
});

test('what a change has done is said once, when the hand rests', async ({ page }) => {
  await openPage(page);
  const announced = page.locator('#live-region');
  await expect(announced).toBeEmpty();
  await choose(page, 'mask', 'causal');
  await idle(page);
  await expect(announced).toContainText('66 of 121 cells are visible');
  await page.locator('#scaled').uncheck();
  await idle(page);
  await expect(announced).toHaveText(/^it → animal \d\.\d\d$/);
  await page.locator('#all-heads [data-head="1"]').click();
  await idle(page);
  await expect(announced).toHaveText(/^head 2 .*; it → /);
  await page.locator('#map').focus();
  for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key);
  await idle(page);
  await expect(announced).toContainText('locked: it → ');
  await expect(page.locator('#map-cell')).toHaveText(/: (hidden by the mask|[\d.×⁻¹⁰²³⁴-⁹]{1,10})$/);
});

isolated('the map and the reading are a key away', async ({ page }) => {
  await openPage(page);
  for (const [presses, id] of [[1, 'map'], [2, '']]) {
    await page.evaluate(() => document.activeElement.blur());
    await page.reload();
    await idle(page);
    for (let press = 0; press < presses; press++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const focus = await page.evaluate(() => [document.activeElement.id, document.activeElement.className]);
    expect(focus).toEqual(id ? [id, 'canvas'] : ['', 'reading']);
  }
  expect(named(await address(page)).cell).toBeUndefined();
});
