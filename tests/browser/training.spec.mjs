// The training lab: a model learns in the page, and its training can be looked back on.

import { expect, idle, isolated as test, openPage } from './fixture.mjs';
import { link, named } from './helpers.mjs';

const LAB = link({ open: 'training' });
const answer = (page) => page.locator('#training-answer .likeliest');
const at = (page) => page.locator('#training-at');

/** Opens the lab, and waits for its first picture. */
async function openLab(page, settings = LAB) {
  await openPage(page, settings);
  await expect(page.locator('#training-wall canvas').first()).toBeVisible();
  await idle(page);
}

/** Reads another text. */
async function write(page, text) {
  await page.locator('#training-text').fill(text);
  await page.locator('#training-text').blur();
  await idle(page);
}

test('a model learns what it means, and its answer turns with the adjective', async ({ page }) => {
  await openLab(page);
  await expect(page.locator('#training-progress')).toHaveText(/nothing has been learned/);
  await page.locator('#training-play').click();
  await expect(page.locator('#training-done')).toHaveText(/All 150 steps are done: (100|>?99\.\d)/, { timeout: 30_000 });
  await idle(page);
  await expect(at(page)).toContainText('150');
  await expect(answer(page)).toHaveText('animal');
  await write(page, 'the animal didn\'t cross the street because it was too wide .');
  await expect(answer(page)).toHaveText('street');
  await expect(page.locator('#training-answer-name')).toContainText('it');
  await expect(page.locator('#training-map tbody tr.is-chosen th')).toHaveText('it');

  // Back through the training: another loss and other maps; what was known at the end is known again there.
  const map = page.locator('#training-map tbody');
  const learned = await map.innerText();
  await page.locator('#training-step').fill('0');
  await expect(page.locator('#training-progress')).toHaveText(/nothing has been learned/);
  expect(await map.innerText()).not.toBe(learned);
  await page.locator('#training-step').fill('150');
  expect(await map.innerText()).toBe(learned);

  // A word that it does not know changes nothing and is answered with those that it does.
  await write(page, 'the elephant slept');
  await expect(page.locator('#training-problem')).toContainText('animal');
  await expect(answer(page)).toHaveText('street');

  await page.locator('#training-measure').click();
  await expect(page.locator('#training-wall .without').last()).not.toBeEmpty();
  await idle(page);
  await expect(page.locator('#training-needed')).toContainText('256 examples');
});

test('the same task and seed give the same training, at once or step by step', async ({ page }) => {
  await openLab(page);
  for (let step = 1; step <= 3; step += 1) {
    await page.locator('#training-next').click();
    await expect(at(page)).toContainText(`${step}`);
  }
  const third = await page.locator('#training-progress').innerText();
  await page.locator('#training-reset').click();
  await page.locator('#training-at-once').click();
  await expect(page.locator('#training-done')).not.toBeEmpty({ timeout: 30_000 });
  await idle(page);
  await page.locator('#training-step').fill('3');
  await expect(page.locator('#training-progress')).toHaveText(third);
  await page.locator('#training-seed').fill('2');
  await page.locator('#training-seed').press('Enter');
  await idle(page);
  for (let step = 1; step <= 3; step += 1) await page.locator('#training-next').click();
  await expect(page.locator('#training-progress')).not.toHaveText(third);
});

test('a link holds task, seed and step: whoever opens it sees the same numbers', async ({ page, context }) => {
  await openLab(page);
  await page.locator('#training-task').selectOption('reverse');
  await page.locator('#training-seed').fill('7');
  await page.locator('#training-seed').blur();
  await idle(page);
  await page.locator('#training-at-once').click();
  await expect(page.locator('#training-done')).not.toBeEmpty({ timeout: 30_000 });
  await idle(page);
  expect(named(new URL(page.url()).hash)).toMatchObject({ task: 'reverse', task_seed: '7', task_step: '150' });
  await page.locator('#training-step').fill('40');
  await idle(page);
  expect(named(new URL(page.url()).hash)).toMatchObject({ task_step: '40' });
  const [progress, map] = [page.locator('#training-progress'), page.locator('#training-map tbody')];
  const seen = [await progress.innerText(), await map.innerText()];

  const other = await context.newPage();
  await other.goto(page.url());
  await idle(other);
  await expect(at(other)).toHaveText('40 / 150');
  expect([await other.locator('#training-progress').innerText(), await other.locator('#training-map tbody').innerText()]).toEqual(seen);
  await other.close();

  // Another task begins at its beginning, and one step back brings the training back.
  await page.locator('#training-task').selectOption('sort');
  await idle(page);
  await expect(progress).toHaveText(/nothing has been learned/);
  await page.locator('#undo').click();
  await idle(page);
  expect([await progress.innerText(), await map.innerText()]).toEqual(seen);
});

test('beside a run that does one thing in another way', async ({ page }) => {
  await openLab(page, LAB);
  await page.locator('#training-practice').selectOption('zero');
  await expect(page.locator('#training-practice-see')).toContainText('exactly 0');
  await page.locator('#training-at-once').click();
  await expect(page.locator('#training-done')).toContainText('All 150 steps', { timeout: 30_000 });
  await idle(page);
  await expect(page.locator('#training-other-progress')).toContainText('gradient norm 0 ');
  await expect(page.locator('#training-other-wall li')).toHaveCount(8);
  // What is learned has names; where nothing is, every key is looked at alike.
  await expect(page.locator('#training-wall .does').filter({ hasText: /\S/ })).not.toHaveCount(0);
  await expect(page.locator('#training-other-wall .does').filter({ hasText: /\S/ })).toHaveCount(0);
  await page.locator('#training-practice').selectOption('one-head');
  await expect(page.locator('#training-other-wall li')).toHaveCount(2);
  await page.locator('#training-practice').selectOption('');
  await expect(page.locator('#training-other')).toBeHidden();
});

test('a layer that has been learned goes on the map, and what was there can be had back', async ({ page }) => {
  await openLab(page);
  await page.locator('#training-at-once').click();
  await expect(page.locator('#training-done')).toContainText('All 150 steps', { timeout: 30_000 });
  await idle(page);
  const learned = await page.locator('#training-map tbody tr.is-chosen td').allTextContents();
  await page.locator('#training-on-map').click();
  await idle(page);
  await expect(page.locator('#brought-what')).toContainText('pronoun-1-150-2');
  await expect(page.locator('#map')).toBeInViewport();
  await expect(page.locator('[data-t=weights-random-note]'), 'these were learned').toBeHidden();
  // The row of the lab, as the page's own table has it.
  const bars = await page.locator('#bars li').allInnerTexts();
  const largest = Math.max(...learned.map(Number));
  expect(bars[0]).toContain(largest.toFixed(2).replace(/^0/, ''));
  await page.locator('#undo').click();
  await idle(page);
  await expect(page.locator('#brought')).toBeHidden();
});

test('every task can be begun, paused and left', async ({ page }) => {
  await openLab(page);
  const tasks = await page.locator('#training-task option').evaluateAll((options) => options.map(({ value }) => value));
  expect(tasks).toHaveLength(8);
  for (const task of tasks) {
    await page.locator('#training-task').selectOption(task);
    await idle(page);
    await page.locator('#training-play').click();
    await expect(at(page)).not.toHaveText(/^0 /);
    await page.locator('#training-play').click();
    await idle(page);
    await page.locator('#training-another').click();
    await expect(page.locator('#training-problem')).toBeEmpty();
    await page.locator('#training-map tbody button').last().click();
    await page.locator('#training-wall button').first().click();
    await expect(page.locator('#training-wall button').first()).toHaveAttribute('aria-pressed', 'true');
  }
  // A panel that is closed computes nothing.
  await page.locator('#training-play').click();
  await page.locator('#open-training').click();
  await idle(page);
});

test('with reduced motion nothing plays, and all is learned at once or step by step', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openLab(page);
  await expect(page.locator('#training-play')).toBeHidden();
  await page.locator('#training-next').click();
  await expect(page.locator('#training-progress')).toContainText('loss');
});
