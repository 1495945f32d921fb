// A model that has learned, on the page: it learns in sight, its words are exchanged, its layers and heads are chosen.

import { subset } from './extent.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { link, named, reveal } from './helpers.mjs';

const story = (page) => page.locator('#story');
const answer = (page) => page.locator('#learned-answer .likeliest');
const settings = (page) => named(new URL(page.url()).hash);

/** The example after a few steps, which take no time. */
const SHORT = link({ weights: 'learned', trained: '20' });

/** Opens the example whose model learns, from the page's own button. */
async function learn(page, settings) {
  await openPage(page, settings);
  await page.locator('#learn').click();
  await idle(page);
}

/** Another word for the one that decides what the pronoun means. */
const exchange = (page, label) => page.locator('#exchange .is-decisive select').selectOption({ label });

isolated('whoever comes to the sentence has the model of the opening trained, for the word that may be pressed', async ({ page }) => {
  const models = [];
  page.on('request', (request) => { if (/\/engine-models-/.test(request.url())) models.push(request.url()); });
  await openPage(page, '');
  await page.mouse.move(700, 500);
  await idle(page);
  expect(models).toEqual([]);
  await page.locator('#exchange .is-decisive').hover();
  await expect.poll(() => models.length).toBe(1);
  await idle(page);
  await exchange(page, 'deep');
  await idle(page);
  await expect(answer(page)).toHaveText('street');
});

/** What the page says of the row, its head and the model, and the pixels of its maps. */
async function seen(page) {
  const texts = ['#story', '#bars', '#learned-answer', '#all-heads', '#learned-note'].map((part) => page.locator(part).innerText());
  const maps = page.locator('.rail canvas, #map .picture').evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));
  return Promise.all([...texts, maps]);
}

for (const [locale, other, meant] of subset([['en', 'wide', 'street'], ['zh-CN', '宽', '马路']], (_, at) => at === 0)) {
  isolated.describe(`the opening, ${locale}`, () => {
    isolated.use({ locale });

    isolated('is what the same model learns in the page, and a word turns the pronoun', async ({ page, quiet }) => {
      await openPage(page, '');
      const opened = await seen(page);
      await page.goto('about:blank');
      // Without the numbers that come with the page.
      await page.route(/\.f32$/, (route) => route.abort());
      quiet.allow(/ERR_FAILED/);
      await openPage(page, '');
      expect(await seen(page)).toEqual(opened);
      await exchange(page, other);
      await idle(page);
      await expect(answer(page)).toHaveText(meant);
      await expect(story(page)).toContainText(meant);
    });
  });
}

test('a model learns on the page, and the pronoun turns with the adjective', async ({ page }) => {
  await learn(page);
  await expect(page.locator('#learn')).toBeHidden();
  await expect(story(page)).toContainText('animal');
  await expect(answer(page)).toHaveText('animal');
  await expect(page.getByRole('button', { name: 'Switch head 3 off' })).toHaveAttribute('aria-pressed', 'false');
  await page.locator('#coach').getByRole('button', { name: 'wide', exact: true }).click();
  await idle(page);
  await expect(page.locator('#text')).toHaveValue('The animal didn\'t cross the street because it was too wide.');
  await expect(story(page)).toContainText('street');
  await expect(answer(page)).toHaveText('street');
  // Other words, in menus.
  await page.getByRole('combobox', { name: 'in place of “street”' }).selectOption('river');
  await idle(page);
  await expect(answer(page)).toHaveText('river');
  await expect(page.locator('#exchange .is-decisive select')).toHaveValue(/:wide$/);

  // A link says it with a few settings, and opens to the same numbers.
  expect(settings(page)).toMatchObject({ weights: 'learned', head: '3', seed: '373' });
  const seen = [await story(page).innerText(), await page.locator('#bars').innerText(), await page.locator('#learned-answer').innerText()];
  await page.reload();
  await idle(page);
  expect([await story(page).innerText(), await page.locator('#bars').innerText(), await page.locator('#learned-answer').innerText()]).toEqual(seen);
});

test('heads of all layers stand side by side, and one of another layer is a press away', async ({ page }) => {
  await learn(page);
  const heads = page.locator('#all-heads button');
  await expect(heads).toHaveCount(8);
  await expect(page.getByRole('button', { name: /layer 2, head 3/ })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: /layer 1, head 3/ }).click();
  await idle(page);
  expect(settings(page)).toMatchObject({ layer: '1', head: '3' });
  await expect(page.getByRole('button', { name: /layer 1, head 3/ })).toHaveAttribute('aria-pressed', 'true');
  // The steps and the inspector follow its numbers.
  const cell = page.locator('#map');
  await cell.focus();
  for (const key of ['ArrowRight', 'Enter']) await cell.press(key);
  await idle(page);
  await expect(page.locator('#inspector')).toBeVisible();
  await expect(page.locator('#inspector-terms')).not.toBeEmpty();
});

test('a slider learns anew, steps go back through the training, and a mask acts at once', async ({ page }) => {
  await openPage(page, SHORT);
  const learned = await page.locator('#bars').innerText();
  await page.locator('#trained').fill('0');
  await idle(page);
  expect(settings(page)).toMatchObject({ trained: '0' });
  expect(await page.locator('#bars').innerText()).not.toBe(learned);
  await page.locator('#trained').fill('20');
  await idle(page);
  expect(await page.locator('#bars').innerText()).toBe(learned);

  await (await reveal(page.locator('#layers'))).fill('1');
  await idle(page);
  await expect(page.locator('#all-heads button')).toHaveCount(4);
  await expect(page.locator('#learned-note')).toContainText('20 steps');
  await page.locator('#undo').click();
  await idle(page);
  await expect(page.locator('#all-heads button')).toHaveCount(8);
  expect(await page.locator('#bars').innerText()).toBe(learned);

  await page.getByRole('checkbox', { name: 'causal' }).first().check();
  await idle(page);
  await expect(page.locator('.legend .of-hidden')).toBeVisible();
  await expect(page.locator('#learned-note')).toContainText('20 steps');
});

test('the backward pass stands behind the forward one, and its numbers lead to those they were made of', async ({ page }) => {
  const started = { weights: 'learned', trained: '60', cell: '8,2', open: 'steps' };
  await openPage(page, link({ ...started, step: 'grad_output' }));
  await expect(page.locator('#inspector-why')).toContainText('−ln p(“animal”) at “it”');
  await openPage(page, link({ ...started, step: 'grad_scores' }));
  const gradients = page.locator('#steps-strip button[data-step^="grad_"]');
  await expect(gradients).toHaveCount(14);
  await expect(page.locator('#map')).toHaveAttribute('data-step', 'grad_scores');
  await expect(page.locator('#inspector-body tfoot')).toContainText('sum');
  const own = page.locator('#inspector-body dl button[data-step="grad_weights"]');
  const written = await own.textContent();
  expect(written).not.toMatch(/^[−0.]*$/);
  await own.click();
  await idle(page);
  await expect(page.locator('#map')).toHaveAttribute('data-step', 'grad_weights');
  expect(settings(page)).toMatchObject({ step: 'grad_weights', cell: '8,2' });
  await expect(page.locator('#inspector-cell .value')).toHaveText(written);

  // With a mask the model's loss is not that of what is computed.
  await page.locator('input[name=mask][value=causal]').check();
  await idle(page);
  await expect(gradients).toHaveCount(0);
  await expect(page.locator('#map')).toHaveAttribute('data-step', 'weights');
});

isolated('the numbers of a layer go to a worker once, and to the next one again', async ({ page, quiet }) => {
  quiet.allow(/on purpose/);
  await page.addInitScript(() => {
    globalThis.sent = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...more) {
      if (message.kind === 'page') sent.push(message.learned instanceof Float32Array ? 'numbers' : message.learned);
      return postMessage.call(this, message, ...more);
    };
  });
  await openPage(page, '');
  const change = async (temperatures) => {
    for (const temperature of temperatures) {
      await page.locator('#temperature-number').fill(temperature);
      await page.locator('#temperature-number').press('Enter');
      await idle(page);
    }
    return page.evaluate(() => sent.splice(0));
  };
  expect(await change(['2', '3', '4'])).toEqual(['numbers', true, true]);
  const [worker] = page.workers();
  await worker.evaluate(() => void setTimeout(() => { throw new Error('on purpose'); }));
  await expect.poll(() => page.workers().includes(worker)).toBe(false);
  expect(await change(['5', '6'])).toEqual(['numbers', true]);
});
