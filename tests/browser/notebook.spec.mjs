// The Python package in a notebook: what a kernel and a page know of each other, and what an export of the example shows.

import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, asked, COMPUTED, expect, expectDrawn, FINISHED, opened, PYTHON, ROOT, run, set, surroundings, tensor, test, widgets } from './notebooks.mjs';

test.describe.configure({ timeout: 240_000 });

test('the page shows the arrays that Python has, and Python has what the page computes', async ({ page, lab }) => {
  await opened(page, lab, [FINISHED, COMPUTED]);
  await expectDrawn(page, 2, (one) => !!one.settings.data);
  // Numbers on screen are those of the array, to the last bit.
  expect(await tensor(page, 0, 'weights')).toEqual(await array(page, 'weights[0]'));
  expect(await widgets(page).first().evaluate(({ snapshot, settings }) => [snapshot.tokens.keys, settings.head])).toEqual([['the', 'cat', 'sat', 'on', 'a', 'mat'], 2]);
  // Python has set it, and what was not set.
  expect(await asked(page, '[widget.head, widget.heads, widget.view, computed.mask]')).toEqual([2, 4, 'map', 'causal']);
  const measures = await widgets(page).first().evaluate(({ snapshot }) => snapshot.measures);
  const stats = await asked(page, '{name: float(of_heads[1]) for name, of_heads in widget.stats.items()}');
  for (const name of Object.keys(stats)) expect(stats[name], name).toBeCloseTo(measures[name], 6);
  expect(Object.keys(stats)).toHaveLength(3);
  // What only the page computes.
  await expect.poll(() => asked(page, 'list(computed._arrays)')).toEqual(['weights', 'output']);
  for (const name of ['weights', 'output']) expect(await array(page, `computed.${name}`), name).toEqual(await tensor(page, 1, name));
  expect((await tensor(page, 1, 'weights')).data.slice(0, 5)).toEqual([1, 0, 0, 0, 0]);

  // A hand on the page, and a line in Python.
  await widgets(page).nth(1).evaluate((one) => {
    let kind = one;
    while (!Object.hasOwn(kind, 'settings')) kind = Object.getPrototypeOf(kind);
    const { get, set } = Object.getOwnPropertyDescriptor(kind, 'settings');
    globalThis.given = [];
    Object.defineProperty(one, 'settings', { get, set(settings) { globalThis.given.push(settings); set.call(this, settings); } });
  });
  await set(page, 1, { mask: 'none', temperature: 2 });
  await expect.poll(() => asked(page, '[computed.mask, computed.temperature, bool((computed.weights > 0).all())]')).toEqual(['none', 2, true]);
  expect(await page.evaluate(() => globalThis.given), 'what Python had before is not set again').toEqual([{ mask: 'none', temperature: 2 }]);
  expect(await array(page, 'computed.weights')).toEqual(await tensor(page, 1, 'weights'));
  await asked(page, '(setattr(widget, "head", 4), setattr(widget, "cell", "2,3"), setattr(widget, "layer", 3))');
  await expect.poll(() => widgets(page).first().evaluate(({ settings }) => [settings.head, settings.cell])).toEqual([4, '2,3']);
  await expect.poll(() => tensor(page, 0, 'weights')).toEqual(await array(page, 'weights[2]'));
  expect(await array(page, 'widget.weights')).toEqual(await array(page, 'weights[2]'));
  const field = page.locator('[data-lm-suppress-shortcuts] > label > input');
  await field.fill('2');
  await field.press('Enter');
  await expect.poll(() => asked(page, 'widget.layer')).toBe(2);
  await expect.poll(() => tensor(page, 0, 'weights')).toEqual(await array(page, 'weights[1]'));
  expect(await asked(page, '[widget.head, widget.cell]')).toEqual([4, '2,3']);

  // What cannot be is said, and the trait is what is on screen.
  await asked(page, 'setattr(computed, "temperature", -3)');
  await expect.poll(() => asked(page, '[computed.temperature, computed.refused != ""]')).toEqual([2, true]);
  expect(await asked(page, '[computed.figure("svg", width_mm=100)[:4], computed.figure("png")[1:4].decode(), computed.link()[:7]]')).toEqual(['<svg', 'PNG', 'embed&v']);
});

test('the example runs without a page, and its export shows the weights', async ({ page, quiet }) => {
  const folder = await mkdtemp(join(tmpdir(), 'example-'));
  await cp(join(ROOT, 'docs/examples/notebook'), folder, { recursive: true });
  await run(PYTHON, ['-m', 'nbconvert', '--to', 'html', '--execute', 'widget.ipynb'], { cwd: folder, env: surroundings(folder) });
  const html = await readFile(join(folder, 'widget.html'), 'utf8');
  expect(html).toContain('(None, None)');
  await page.setContent(html.replaceAll(/<script[^]*?<\/script>/g, ''));
  await expect(page.locator('figcaption')).toHaveText(['Attention weights, layer 1 of 3: head 2 of 4, 6 × 6.', 'Attention from one\'s own numbers: head 1.', 'Attention of “the animal was tired”: head 1.']);
  const picture = page.locator('[data-attention-playground] img');
  await expect(picture).toHaveCount(1);
  await expect(picture).toBeVisible();
  quiet.allow(/./);
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
});
