// Drawn attention: a target is chosen or painted, and descent finds the projections for it.

import { expect, idle, openPage, test } from './fixture.mjs';
import { link } from './helpers.mjs';

const WORDS = 'one two three four five six seven eight';
const DRAW = { open: 'draw', text: WORDS };

const cell = (page, row, key, count = 8) => page.locator('#draw-target [data-paint-cell]').nth(row * count + key);
const painted = (page) => page.locator('#draw-target [aria-selected="true"]').evaluateAll((all) => all.map((own) => own.getAttribute('aria-label').replace(/ [\d.]+$/, '')));
const why = (page) => page.locator('#draw-why').innerText();

/** Opens the panel, and waits for its first picture. */
async function openDraw(page, settings = DRAW) {
  await openPage(page, link(settings));
  await expect(page.locator('#draw-found td').first()).toBeVisible();
  await idle(page);
}

/** Finds projections to the last step; how far they leave the weights from the target, in nats. */
async function find(page) {
  await page.locator('#draw-find').click();
  await expect(page.locator('#draw-progress')).toContainText('step 1000 of 1000', { timeout: 30_000 });
  await idle(page);
  const [, distance] = (await page.locator('#draw-progress').innerText()).match(/· (<?[\d.]+) nats/);
  return Number(distance.replace('<', ''));
}

/** Drags from the middle of one cell to that of another. */
async function drag(page, from, to) {
  const [start, end] = [await cell(page, ...from).boundingBox(), await cell(page, ...to).boundingBox()];
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2);
  await page.mouse.up();
}

test('cells are painted and cleared by pointer and by keyboard', async ({ page }) => {
  await openDraw(page);
  await page.locator('#draw-clear').click();
  await expect(page.locator('#draw-pattern')).toHaveValue('own');
  expect(await painted(page)).toEqual([]);
  expect(await why(page)).toContain('Nothing is painted');
  await expect(page.locator('#draw-find')).toHaveAttribute('aria-disabled', 'true');
  await page.locator('#draw-find').press('Enter');
  await idle(page);
  await expect(page.locator('#draw-progress')).toContainText('step 0 of');

  await drag(page, [1, 2], [1, 5]);
  expect(await painted(page)).toEqual(['two → three', 'two → four', 'two → five', 'two → six']);
  await drag(page, [1, 4], [3, 6]);
  expect(await painted(page), 'a stroke that begins on a painted cell clears').toEqual(['two → three', 'two → four', 'two → six']);

  // One stop for Tab, arrow keys between cells, the space bar paints.
  await cell(page, 1, 4).focus();
  await expect(page.locator('#draw-target [tabindex="0"]')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await expect(cell(page, 2, 0)).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('Space');
  await expect(cell(page, 2, 1)).toBeFocused();
  expect(await painted(page)).toEqual(['two → three', 'two → four', 'two → six', 'three → one']);
  expect(await why(page), 'three words that are looked at together').toContain('two places');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  expect(await why(page)).toContain('up to 2 words');
  await page.locator('#draw-d-k').selectOption('4');
  expect(await find(page)).toBeLessThan(0.01);
});
