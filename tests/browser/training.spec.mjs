// The training lab: a model learns in the page, and its training can be looked back on.

import { subset } from './extent.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { saved, safetensors } from './helpers-files.mjs';
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
  await openLab(page, link({ open: 'training', task: 'reverse', task_seed: '3' }));
  await page.locator('#training-variant').selectOption('zero');
  await expect(page.locator('#training-variant-see')).toContainText('exactly 0');
  await page.locator('#training-at-once').click();
  await expect(page.locator('#training-done')).toContainText('All 150 steps', { timeout: 30_000 });
  await idle(page);
  await expect(page.locator('#training-other-progress')).toContainText('gradient norm 0 ');
  await expect(page.locator('#training-other-wall li')).toHaveCount(4);
  // What is learned has names, once it is measured; where nothing is, every key is looked at alike.
  await expect(page.locator('#training-wall .does').filter({ hasText: /^mirrored place \.\d\d$/ })).not.toHaveCount(0);
  await expect(page.locator('#training-other-wall .does').filter({ hasText: /\S/ })).toHaveCount(0);
  await page.locator('#training-variant').selectOption('one-head');
  await expect(page.locator('#training-other-wall li')).toHaveCount(1);
  await page.locator('#training-variant').selectOption('');
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
  await expect(page.locator('#imported-what')).toContainText('pronoun-1-150-2');
  await expect(page.locator('#map')).toBeInViewport();
  await expect(page.locator('[data-t=weights-random-note]'), 'these were learned').toBeHidden();
  // The row of the lab, as the page's own table has it.
  const bars = await page.locator('#bars li').allInnerTexts();
  const largest = Math.max(...learned.map(Number));
  expect(bars[0]).toContain(largest.toFixed(2).replace(/^0/, ''));
  await page.locator('#undo').click();
  await idle(page);
  await expect(page.locator('#imported')).toBeHidden();
});

test('cells are hidden from a head by hand and by key, and what the model makes of it stands beside what it was', async ({ page }) => {
  await openLab(page);
  await page.locator('#training-at-once').click();
  await expect(page.locator('#training-done')).toContainText('All 150 steps', { timeout: 30_000 });
  await idle(page);
  const n = 12;
  const cell = (row, key) => page.locator('#training-map [data-paint-cell]').nth(row * n + key);
  const before = await answer(page).innerText();
  const [unmask, masked] = [page.locator('#training-unmask'), page.locator('#training-masked')];
  await expect(unmask).toHaveAttribute('aria-disabled', 'true');

  // A stroke along the row of "it".
  const row = await page.locator('#training-map tbody tr').evaluateAll((rows) => rows.findIndex((own) => own.matches('.is-chosen')));
  await cell(row, 0).scrollIntoViewIfNeeded();
  const [from, to] = [await cell(row, 0).boundingBox(), await cell(row, n - 1).boundingBox()];
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y + 5, { steps: 4 });
  await page.mouse.up();
  await idle(page);
  await expect(page.locator('#training-map [aria-selected=true]')).toHaveCount(n);
  await expect(cell(row, 3)).toHaveAccessibleName(/ hidden$/);
  await expect(page.locator('#training-answer .open')).toContainText(`with nothing hidden: ${before}`);
  await expect(masked).toContainText(`With ${n} cells hidden`);
  await expect(page.locator('#training-wall .hides')).toHaveText(`${n} hidden`);

  // One of them by the keyboard, which is one stop for Tab.
  await expect(page.locator('#training-map [data-paint-cell][tabindex="0"]')).toHaveCount(1);
  await cell(row, 0).focus();
  await page.keyboard.press('ArrowRight');
  await expect(cell(row, 1)).toBeFocused();
  await page.keyboard.press('Space');
  await idle(page);
  await expect(cell(row, 1)).toHaveAttribute('aria-selected', 'false');
  await expect(masked).toContainText(`With ${n - 1} cells hidden`);

  // At another step they stay hidden and are measured there.
  const measured = await masked.innerText();
  await page.locator('#training-previous').click();
  await idle(page);
  await expect(masked).toContainText(`With ${n - 1} cells hidden`);
  await page.locator('#training-next').click();
  await idle(page);
  await expect(masked).toHaveText(measured);
  await unmask.click();
  await expect(page.locator('#training-map [aria-selected=true]')).toHaveCount(0);
  await expect(answer(page)).toHaveText(before);
  await expect(masked).toBeEmpty();
  await expect(unmask).toHaveAttribute('aria-disabled', 'true');
});

test('a model is taken along, and the public API opens it with the weights of the step that is looked at', async ({ page }) => {
  await openLab(page, link({ open: 'training', task: 'reverse', task_seed: '3', task_step: '40' }));
  await expect(at(page)).toHaveText('40 / 150');
  await page.locator('#training-step').fill('30');
  await idle(page);
  await page.locator('#training-variant').selectOption('one-head');
  await page.locator('#training-at-once').click();
  await expect(page.locator('#training-done')).not.toBeEmpty({ timeout: 30_000 });
  await idle(page);
  await page.locator('#training-step').fill('30');
  await idle(page);
  const take = (button) => saved(page, () => page.locator(`#training-${button}`).click());
  const [file, opens, trains] = [await take('take-file'), await take('take-open'), await take('take-train')];
  expect([file.name, opens.name, trains.name]).toEqual(['reverse-3-30.safetensors', 'reverse-3-30.py', 'reverse-3-train.py']);
  await expect(page.locator('#training-taken')).toHaveText('Saved: reverse-3-train.py');
  const other = await take('other-file');
  expect(other.name).toBe('reverse-3-30-one-head.safetensors');
  expect(safetensors(other.bytes)['layers.0.w_q'].shape).toEqual([32, 32]);
  expect((await take('other-open')).bytes.toString()).toContain('h = 1  # heads');

  const program = opens.bytes.toString();
  const config = JSON.parse(/config: (\{.*\}), tensors/.exec(program)[1]);
  const tokens = JSON.parse(/tokens = torch\.tensor\((.*)\)/.exec(program)[1]);
  const weights = await page.evaluate(async ([config, tokens, bytes]) => {
    const model = await attentionPlayground.model({ config, tensors: Uint8Array.from(bytes) });
    const { layers } = await model.forward({ tokens });
    model.free();
    return Array.from(layers[0].weights.data);
  }, [config, tokens, [...file.bytes]]);
  const shown = (await page.locator('#training-map tbody td').allTextContents()).map(Number);
  expect(shown).toHaveLength(64);
  shown.forEach((weight, at) => expect(Math.abs(weight - weights[at])).toBeLessThanOrEqual(0.0051));
  // The page's losses stand in the program that trains: as many as there are steps.
  expect(/^page = \[(.*)\]$/m.exec(trains.bytes.toString())[1].split(', ')).toHaveLength(150);
});

test('a text of one’s own is learned and gone on with, the same from a link', async ({ page, context }) => {
  await openLab(page, link({ open: 'training', task: 'text', lang: 'en' }));
  await expect(page.locator('#training-own-text')).toHaveValue(/^This is the house that Jack built/);
  const own = page.locator('#training-own-text');
  await own.fill('too short a text');
  await idle(page);
  await expect(page.locator('#training-own-problem')).toHaveText('A text to learn from must have more than 32 characters; this one has 16.');
  await expect(page.locator('#training-lab')).toBeHidden();
  // Long enough that every character stands at every place that the model reads.
  await own.fill('the cat sat on the mat, and the cat ate the rat. '.repeat(4));
  await own.blur();
  await idle(page);
  await expect(page.locator('#training-own-problem')).toBeEmpty();
  const continuation = page.locator('#training-continuation');
  const noise = await continuation.textContent();
  expect(noise.length).toBe(160);
  // Natively it is learned to the end.
  for (const step of ['1', '2', '3']) {
    await page.locator('#training-next').click();
    await expect(at(page)).toContainText(step);
  }
  await idle(page);
  const learned = await continuation.textContent();
  expect(learned).not.toBe(noise);
  const temperature = page.locator('#training-temperature');
  await temperature.fill('2');
  await expect(page.locator('#training-temperature-at')).toHaveText('2');
  await idle(page);
  const hot = await continuation.textContent();
  expect(hot).not.toBe(learned);
  expect(named(new URL(page.url()).hash)).toMatchObject({ task_temperature: '2', task_step: '3' });
  await write(page, 'and the dog');
  await expect(page.locator('#training-problem')).toContainText('of these characters: ␣');

  // Whoever opens a link learns up to its step.
  const other = await context.newPage();
  await other.goto(page.url());
  await idle(other);
  await expect(at(other)).toContainText('3');
  expect(await other.locator('#training-continuation').textContent()).toBe(hot);
});

test('whoever reads Chinese begins with a Chinese text, which the link then holds', async ({ page }) => {
  await openLab(page, link({ open: 'training', lang: 'zh' }));
  await page.locator('#training-task').selectOption('text');
  await idle(page);
  await expect(page.locator('#training-own-text')).toHaveValue(/^吃葡萄不吐葡萄皮/);
  expect(named(new URL(page.url()).hash).task_text).toMatch(/^吃葡萄/);
  await expect(page.locator('#training-wall canvas')).toHaveCount(8);
});

isolated('at a chosen speed each share of the work is one step', async ({ page }) => {
  await page.addInitScript(() => {
    const own = globalThis.setInterval;
    globalThis.setInterval = (call, pause) => {
      if (pause < 50) return own(call, pause);
      globalThis.played = { call, pause };
      return 0;
    };
  });
  await openLab(page);
  const tick = () => page.evaluate(() => { globalThis.played.call(); return globalThis.played.pause; });
  await page.locator('#training-speed').selectOption('5');
  await page.locator('#training-play').click();
  expect(await tick()).toBe(200);
  await expect(at(page)).toHaveText('1 / 150');
  expect(await tick()).toBe(200);
  await expect(at(page)).toHaveText('2 / 150');
  await page.locator('#training-speed').selectOption('20');
  expect(await tick()).toBe(50);
  await expect(at(page)).toHaveText('3 / 150');
  // The track of the slider is the loss so far.
  expect((await page.locator('#training-track polyline').getAttribute('points')).split(' ')).toHaveLength(3);
  await page.locator('#training-play').click();
  await idle(page);
});

test('every task can be begun, paused and left', async ({ page }) => {
  await openLab(page);
  const tasks = await page.locator('#training-task option').evaluateAll((options) => options.map(({ value }) => value));
  expect(tasks).toHaveLength(9);
  // One of each kind; natively every one is opened and learned.
  for (const task of subset(tasks, (task) => ['reverse', 'text'].includes(task))) {
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

isolated('with reduced motion nothing plays, and all is learned at once or step by step', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openLab(page);
  await expect(page.locator('#training-play')).toBeHidden();
  await expect(page.locator('#training-speed')).toBeHidden();
  await page.locator('#training-next').click();
  await expect(page.locator('#training-progress')).toContainText('loss');
});
