// What is taken away from an element in somebody else's page: links, pictures and numbers, by pointer and by keyboard.

import { expect, test, withElement } from './element.mjs';
import { address, expectShown } from './helpers.mjs';
import { npy, npz, saved } from './helpers-files.mjs';

const START = 'tokens="she sees it" heads="3" head="1" weights="random" seed="7" mask="causal"';
const element = (page) => page.locator('attention-playground').first();
/** What the element shows, as the whole page would have it in its address. */
const state = async (page) => (await withElement(page, (one) => one.state)).replace(/^embed&/, '');
const text = (page) => page.locator('#share-text').inputValue();

/** What has the focus in the element. */
const focused = (page) => withElement(page, (one) => one.shadowRoot.activeElement?.id);

test('a link by pointer: it opens the very numbers on the whole page', async ({ page, context, host, server }) => {
  await host.open(page, `<attention-playground ${START} controls="share heads"></attention-playground>`);
  await page.locator('#share-open').click();
  await expect(page.locator('#share')).toBeVisible();
  expect((await text(page)).startsWith(`${server.origin}/#v=1&`)).toBe(true);
  const other = await context.newPage();
  await other.goto(await text(page));
  await expectShown(other, { text: 'she sees it', weights: 'random', seed: '7', heads: '3', mask: 'causal' });
  await expect(other.locator('h1')).toBeVisible();
  expect((await address(other)).replace(/^embed&/, '')).toBe(await state(page));
  await page.locator('#share-close').click();
  await expect(page.locator('#share')).toBeHidden();
});

test('an element by keyboard, copied: what is pasted is the same element', async ({ page, context, host }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.origin });
  await host.open(page, `<attention-playground ${START} controls="share heads"></attention-playground>`);
  await page.locator('#share-open').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#share')).toBeVisible();
  await page.locator('[name=share-form]:checked').focus();
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await expect(page.locator('#share-text')).toHaveValue(/<attention-playground /);
  await page.locator('#share-copy').press('Enter');
  await expect(page.locator('#share-said')).toHaveText('Copied.');
  const pasted = await page.evaluate(() => navigator.clipboard.readText());
  expect(pasted).toBe(await text(page));
  await page.keyboard.press('Escape');
  await expect(page.locator('#share')).toBeHidden();
  await expect.poll(() => focused(page)).toBe('share-open');
  const own = await state(page);
  await host.open(page, pasted.replace(/<script[^]*?<\/script>/g, ''));
  expect(await state(page)).toContain('text=she+sees+it&weights=random&seed=7&heads=3&mask=causal');
  expect(own).toContain('text=she+sees+it&weights=random&seed=7&heads=3&mask=causal');
});

for (const [hand, press] of [['pointer', (one) => one.click()], ['keyboard', (one) => one.press('Enter')]]) {
  test(`a picture by ${hand}: the file has the words of the map`, async ({ page, host }) => {
    await host.open(page, `<attention-playground ${START} controls="save"></attention-playground>`);
    await press(page.locator('#save'));
    const { name, bytes } = await saved(page, () => press(page.locator('#save-take')));
    expect(name).toBe('attention-head-1-weights-causal.svg');
    const words = await page.evaluate((file) => [...new DOMParser().parseFromString(file, 'image/svg+xml').querySelectorAll('text')].map((one) => one.textContent), bytes.toString());
    expect(words).toEqual(expect.arrayContaining(['she', 'sees', 'it', 'query ↓']));
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('save');
  });

  test(`numbers by ${hand}: one tensor and all of them`, async ({ page, host }) => {
    await host.open(page, `<attention-playground ${START} controls="data" panel="data"></attention-playground>`);
    await page.locator('#data-one-kind').selectOption('npy');
    const one = await saved(page, () => press(page.locator('[data-tensor="weights"]')));
    expect(one.name).toBe('attention-weights.npy');
    const weights = npy(one.bytes);
    expect(weights.shape).toEqual([3, 3, 3]);
    const all = npz((await saved(page, () => press(page.locator('#data-all')))).bytes);
    expect(all.weights).toEqual(weights);
    await withElement(page, (one) => one.select(2, 1));
    await expect.poll(() => withElement(page, (one) => one.snapshot.cell?.weight)).toBeCloseTo(weights.data[7], 6);
  });
}

test('in Chinese: a link, a picture and numbers', async ({ page, host }) => {
  await host.open(page, `<attention-playground ${START} controls="share save data" panel="data" language="zh"></attention-playground>`);
  await page.locator('#share-open').click();
  await expect(page.locator('#share-title')).toHaveText('分享当前设置');
  expect(await text(page)).toContain('text=she+sees+it');
  await page.keyboard.press('Escape');
  await page.locator('#save').click();
  const { bytes } = await saved(page, () => page.locator('#save-take').click());
  expect(bytes.toString()).toContain('查询 query ↓');
  expect(bytes.toString()).toMatch(/ lang="zh/);
  await page.keyboard.press('Escape');
  await saved(page, () => page.locator('#data-all').click());
  await expect(page.locator('#data-said')).toContainText('attention.npz');
  await expect(page.locator('#data-said')).not.toContainText('made');
});

test('the whole page is where the host says that it is, and nowhere that is no page', async ({ page, host }) => {
  const whole = page.locator('#whole');
  await host.open(page, '<attention-playground tokens="a b" page="https://course.example/lab/"></attention-playground>');
  await expect(whole).toHaveAttribute('href', /^https:\/\/course\.example\/lab\/#v=1&text=a\+b/);
  for (const [given, leads] of [['data:text/html,no', /^http:/], ['lab/', /^http:/], ['', /^http:/]]) {
    await host.open(page, `<attention-playground tokens="a b" page="${given}"></attention-playground>`);
    await expect(whole, given).toHaveAttribute('href', leads);
  }
});
