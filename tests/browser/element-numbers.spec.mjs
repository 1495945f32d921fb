// Numbers that a host hands an element, and those that it takes away.

import { expect, expectTold, test, withElement } from './element.mjs';

const PLAIN = '<attention-playground tokens="the cat sat" heads="2" mask="causal"></attention-playground>';

/** One head after the other, each row a query. */
const WEIGHTS = [[[0.75, 0.25, 0], [0.5, 0.25, 0.25]], [[0.125, 0.375, 0.5], [1, 0, 0]]];

const load = (page, content) => withElement(page, async (one, content) => {
  const file = new File([JSON.stringify(content)], 'own.json');
  return one.load(file).then((self) => self === one, (error) => error.message);
}, content);

const tensor = (page, name) => withElement(page, async (one, name) => {
  const found = await one.tensor(name);
  return found && { shape: found.shape, data: [...found.data] };
}, name);

test('numbers that are handed over are on screen without a dialog, and come back as they went', async ({ page, host }) => {
  await host.open(page, `<p style="height: 200px">above</p>${PLAIN}<p style="height: 3000px">below</p>`);
  await page.evaluate(() => scrollTo(0, 150));
  expect(await load(page, { weights: WEIGHTS, query_tokens: ['who', 'is'], key_tokens: ['it', 'is', 'there'] })).toBe(true);
  expect(await tensor(page, 'weights')).toEqual({ shape: [2, 2, 3], data: WEIGHTS.flat(2) });
  expect(await tensor(page, 'output')).toBeUndefined();
  expect(await withElement(page, ({ snapshot }) => snapshot.tokens)).toEqual({ queries: ['who', 'is'], keys: ['it', 'is', 'there'] });
  await expectTold(page, 'change', { by: 'host', state: { settings: { heads: 2 } } });
  await expect(page.locator('#import-dialog')).toBeHidden();
  expect(await page.evaluate(() => scrollY), 'the page around stays where it is').toBe(150);
});

test('what cannot be shown is said, and changes nothing', async ({ page, host }) => {
  await host.open(page, PLAIN);
  const before = await withElement(page, ({ state }) => state);
  expect(await load(page, { q: [[1, 2]], k: [[1, 2, 3]], v: [[1]] })).toContain('3');
  expect(await load(page, 'a text')).toContain('own.json');
  expect(await withElement(page, ({ state }) => state)).toBe(before);
});

test('what the page computes is taken away as arrays and as a picture', async ({ page, host }) => {
  await host.open(page, PLAIN);
  const weights = await tensor(page, 'weights');
  expect(weights.shape).toEqual([2, 3, 3]);
  expect([weights.data[0], weights.data[1]], 'the first token sees itself alone').toEqual([1, 0]);
  expect((await tensor(page, 'output')).shape).toEqual([3, 64]);
  expect(await tensor(page, 'mask')).toEqual({ shape: [3, 3], data: [1, 0, 0, 1, 1, 0, 1, 1, 1] });
  const [svg, png, refused] = await withElement(page, async (one) => [
    new TextDecoder().decode(await one.figure('svg', { width: 120 })),
    [...(await one.figure('png')).slice(0, 8)],
    await one.figure('pdf').catch(({ message }) => message),
  ]);
  expect(Number(/<svg[^>]* width="([\d.]+)mm"/.exec(svg)[1])).toBeLessThanOrEqual(120);
  expect(svg).toContain('cat');
  expect(png).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  expect(refused).toContain('svg or png');
});
