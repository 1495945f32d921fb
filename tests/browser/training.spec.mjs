// The training lab: a model learns in the page, and its training can be looked back on.

import { expect, idle, openPage, test } from './fixture.mjs';
import { saved, safetensors } from './helpers-files.mjs';
import { link } from './helpers.mjs';

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
