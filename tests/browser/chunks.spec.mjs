// Chunks of the engine (`scripts/dist/chunks.mjs`): when they are loaded, and that nothing is lost where one is late or does not come.

import { watched } from './chunk-watch.mjs';
import { expect, idle, isolated as test, openPage } from './fixture.mjs';
import { link } from './helpers.mjs';

const MORE = /\/engine-more-\w+\.wasm$/;

const openCost = (page) => page.locator('#open-cost').click();

for (const [what, fragment, options, shown = []] of [
  ['a first visit', '', {}],
  ['a first visit in Chinese', '', { locale: 'zh-CN' }, ['zh']],
  ['a link to the page in Chinese', link({ lang: 'zh' }), {}, ['input', 'zh']],
  ['a phone', '', { viewport: { width: 390, height: 844 } }],
  ['an embedded map', 'embed&v=1&show=map', {}, ['input']],
  ['a link to other settings', link({ weights: 'random', heads: 3, mask: 'causal,local', positions: 'rotary' }), {}, ['input']],
]) {
  test.describe(what, () => {
    test.use(options);
    test('opens without a chunk but of its language and of links; the first input loads what a window needs, and no call waits', async ({ page, backend }) => {
      const { asked, awaited } = await watched(page);
      await openPage(page, fragment);
      const wanted = asked.filter((chunk) => backend === 'cpu' || chunk !== 'gpu');
      expect(wanted.sort(), String(await awaited())).toEqual(shown);
      await page.mouse.move(200, 200);
      await page.mouse.move(210, 200);
      await expect.poll(() => asked).toContain('more');
      await idle(page);
      expect(await awaited()).toEqual([]);
    });
  });
}

test('a language that is chosen comes with the first input; where it is late, the choice waits for it', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  const { asked, awaited } = await watched(page);
  const choose = async (language) => {
    await page.locator(`label:has(input[name=language][value=${language}])`).click();
    await idle(page);
  };
  await openPage(page);
  await page.mouse.move(200, 200);
  await expect.poll(() => asked).toContain('zh');
  await idle(page);
  await choose('zh');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  expect(await awaited()).toEqual([]);
  await choose('en');
  await page.route(/\/engine-zh-\w+\.wasm$/, (route) => (route.request().resourceType() === 'fetch' ? route.abort() : route.continue()));
  await page.reload();
  await idle(page);
  await choose('zh');
  await expect(page.locator('#undo')).toHaveAttribute('aria-label', '撤销');
  expect(await awaited()).toEqual([expect.stringMatching(/^engine-zh _/)]);
});

test('a link to a panel loads its chunk', async ({ page }) => {
  const { awaited } = await watched(page);
  await openPage(page, link({ open: 'cost,analysis' }));
  await expect(page.locator('#cost-summary')).not.toBeEmpty();
  expect(await awaited()).toEqual([]);
});

for (const [panel, shown] of [['draw', '#draw-found td'], ['training', '#training-map td']]) {
  test(`the code of models comes when the panel ${panel} is opened, and no call waits for it`, async ({ page }) => {
    const { asked, awaited } = await watched(page);
    await openPage(page);
    await page.mouse.move(200, 200);
    await expect.poll(() => asked).toContain('more');
    await idle(page);
    expect(asked).not.toContain('models');
    await page.locator(`#open-${panel}`).click();
    await expect(page.locator(shown).first()).toBeVisible();
    await idle(page);
    expect(asked).toContain('models');
    expect(await awaited()).toEqual([]);
  });
}

test('what is pressed before its chunk is there does what it does', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  // What comes in advance does not come at all: only a call that waits loads the chunk.
  await page.route(MORE, (route) => (route.request().resourceType() === 'fetch' ? route.abort() : route.continue()));
  const { awaited } = await watched(page);
  await openPage(page);
  await openCost(page);
  await expect(page.locator('#cost-summary')).not.toBeEmpty();
  expect(await awaited()).toEqual([expect.stringMatching(/^engine-more _/)]);
});

test('a first input whose chunk is not there changes the setting, and none before is lost', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  await page.route(/\/engine-(input|more)-\w+\.wasm$/, (route) => (route.request().resourceType() === 'fetch' ? route.abort() : route.continue()));
  // Until the key has been pressed, the engine itself does not come either.
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route(/\/engine-\w+\.wasm$/, (route) => released.then(() => route.continue()));
  const { awaited } = await watched(page);
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  const [layers, temperature] = ['#layers', '#temperature'].map((id) => page.locator(id));
  const before = [await layers.inputValue(), await temperature.inputValue()];
  await temperature.press('ArrowRight');
  release();
  await idle(page);
  await layers.press('ArrowRight');
  await idle(page);
  const now = [await layers.inputValue(), await temperature.inputValue()];
  expect(now.map((value, at) => value !== before[at])).toEqual([true, true]);
  await expect(page).toHaveURL(/[#&]temperature=/);
  expect((await awaited()).join()).toContain('engine-input');
});

test('a chunk that does not come: the page says so, and is there again with its settings', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED|could not be loaded/);
  await page.route(MORE, (route) => route.abort());
  await openPage(page, link({ heads: 3 }));
  await openCost(page);
  await expect(page.locator('[data-failure]')).toBeVisible();
  await expect(page.locator('[data-failure-cause]')).toContainText('could not be loaded');
  await page.unroute(MORE);
  await page.reload();
  await idle(page);
  await expect(page.locator('#heads-number')).toHaveValue('3');
  await openCost(page);
  await expect(page.locator('#cost-summary')).not.toBeEmpty();
});

test('a call of the API without its chunk is refused, and succeeds once there is a network', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  await page.route(MORE, (route) => route.abort());
  await openPage(page);
  const compute = () => page.evaluate(() => attentionPlayground.compute({ q: [[[1, 2]]], k: [[[1, 2]]], v: [[[3]]] }).then(({ backend }) => backend, ({ code, name }) => `${name} ${code}`));
  expect(await compute()).toBe('AttentionError backend_unavailable');
  await page.unroute(MORE);
  expect(await compute()).not.toContain('Error');
});

test('calls that are made at once load their chunk once', async ({ page }) => {
  const asked = [];
  page.on('request', (request) => MORE.test(request.url().split('#')[0]) && request.resourceType() === 'fetch' && asked.push(request.url()));
  await openPage(page);
  const rows = await page.evaluate(async () => {
    const call = () => attentionPlayground.compute({ q: [[[1, 2]]], k: [[[1, 2]]], v: [[[3]]] });
    return (await Promise.all(Array.from({ length: 20 }, call))).length;
  });
  expect(rows).toBe(20);
  expect(asked).toHaveLength(1);
});
