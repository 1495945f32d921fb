// Chunks of the engine (`scripts/dist/chunks.mjs`): when they are loaded, and that nothing is lost where one is late or does not come.

import { watched } from './chunk-watch.mjs';
import { subset } from './extent.mjs';
import { expect, idle, isolated as test, openPage } from './fixture.mjs';
import { link, reveal } from './helpers.mjs';

const MORE = /\/engine-more-\w+\.wasm$/;

const openCost = (page) => page.locator('#open-cost').click();

const choose = async (page, language) => {
  await (await reveal(page.locator(`label:has(input[name=language][value=${language}])`))).click();
  await idle(page);
};

for (const [what, fragment, options, shown = []] of subset([
  ['a first visit', '', {}],
  ['a first visit in Chinese', '', { locale: 'zh-CN' }, ['zh']],
  ['a link to the page in Chinese', link({ lang: 'zh' }), {}, ['input', 'zh']],
  ['a phone', '', { viewport: { width: 390, height: 844 } }],
  ['an embedded map', 'embed&v=1&show=map', {}, ['input']],
  ['a link to other settings', link({ weights: 'random', heads: 3, mask: 'causal,local', positions: 'rotary' }), {}, ['input']],
], ([what]) => !what.startsWith('a link to'))) {
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

test('a page whose worker takes long to come up asks for no chunk meanwhile', async ({ page, backend }) => {
  // The first look at it, at once instead of after five seconds.
  await page.addInitScript(() => {
    const { setInterval: repeat } = globalThis;
    globalThis.setInterval = (act, ms, ...rest) => (ms === 5_000 ? setTimeout(() => { globalThis.looked = true; act(); }) : repeat(act, ms, ...rest));
  });
  const { asked } = await watched(page);
  await openPage(page, '');
  expect(await page.evaluate(() => globalThis.looked)).toBe(true);
  expect(asked.filter((chunk) => backend === 'cpu' || chunk !== 'gpu')).toEqual([]);
});

test('a language that is chosen comes with the first input', async ({ page }) => {
  const { asked, awaited } = await watched(page);
  await openPage(page);
  await page.mouse.move(200, 200);
  await expect.poll(() => asked).toContain('zh');
  await idle(page);
  await choose(page, 'zh');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  expect(await awaited()).toEqual([]);
});

test('a link to a panel loads its chunk', async ({ page }) => {
  const { awaited } = await watched(page);
  await openPage(page, link({ open: 'cost,analysis' }));
  await expect(page.locator('#cost-summary')).not.toBeEmpty();
  expect(await awaited()).toEqual([]);
});

for (const [panel, shown] of subset([['draw', '#draw-found td'], ['training', '#training-map td']], ([panel]) => panel === 'training')) {
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
  // What comes in advance does not come at all: only what is pressed loads the chunk, before the engine is entered.
  await page.route(MORE, (route) => (route.request().resourceType() === 'fetch' ? route.abort() : route.continue()));
  const { awaited } = await watched(page);
  await openPage(page);
  await page.locator('#share-open').click();
  await expect(page.locator('#share-text')).not.toBeEmpty();
  // What any input needs may have come meanwhile.
  expect((await awaited()).at(-1)).toMatch(/^engine-more /);
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
  const [heads, temperature] = ['#heads', '#temperature'].map((id) => page.locator(id));
  const before = [await heads.inputValue(), await temperature.inputValue()];
  await temperature.press('ArrowRight');
  release();
  await idle(page);
  await heads.press('ArrowRight');
  await idle(page);
  const now = [await heads.inputValue(), await temperature.inputValue()];
  expect(now.map((value, at) => value !== before[at])).toEqual([true, true]);
  await expect(page).toHaveURL(/[#&]temperature=/);
  expect((await awaited()).join()).toContain('engine-input');
});

const PAGE = { contentType: 'text/html', body: '<!doctype html>a page' };
const SAID = /could not be loaded/;
/** What a server says of a file that is gone, as after a newer build has taken its place. */
const gone = (page, name) => page.route(new RegExp(`/engine-${name}-\\w+\\.wasm`), (route) => route.fulfill(PAGE));
const ALLOWED = /integrity|Failed to find a valid digest|preload/i;

/** Three words come to be three rows of the map, and the page has not stopped. */
async function expectTyped(page) {
  await page.locator('#text').fill('The animal was');
  await expect(page.locator('#map')).toHaveAttribute('data-rows', '3');
  await idle(page);
  await expect(page.locator('[data-failure]')).toBeHidden();
}

test('a page in place of the chunk for panels: each says so, settings are heard, and all is there once it comes', async ({ page, quiet }) => {
  quiet.allow(ALLOWED);
  await gone(page, 'more');
  await openPage(page, link({ open: 'none', heads: 3 }));
  await openCost(page);
  const missing = page.locator('#cost-body .missing');
  await expect(missing).toContainText(SAID);
  await expect(page.locator('#cost-summary')).toBeHidden();
  for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.locator('#map').press(key);
  await expect(page.locator('#inspector')).toContainText(SAID);
  await page.locator('#share-open').click();
  await expect(page.locator('[data-missing]')).toContainText(SAID);
  await expectTyped(page);
  await page.locator('#heads').press('ArrowRight');
  await page.locator('label:has(input[name=mask][value=causal])').click();
  await page.locator('label:has(input[name=view][value=curves])').click();
  await idle(page);
  await expect(page.locator('[data-failure]')).toBeHidden();
  await page.unrouteAll();
  await missing.locator('button').click();
  await expect(page.locator('#cost-summary')).not.toBeEmpty();
  await expect(missing).toHaveCount(0);
  await expect(page.locator('[data-missing]')).toBeHidden();
  await expect(page.locator('#heads-number')).toHaveValue('4');
  // What was pressed meanwhile is done.
  await expect(page.locator('#share-text')).not.toBeEmpty();
});

for (const [panel, shown] of subset([['draw', '#draw-found td'], ['training', '#training-map td']], ([panel]) => panel === 'training')) {
  test(`a page in place of the code of models: the panel ${panel} says so, and is there once it comes`, async ({ page, quiet }) => {
    quiet.allow(ALLOWED);
    await gone(page, 'models');
    await openPage(page);
    await page.locator(`#open-${panel}`).click();
    const missing = page.locator(`#${panel}-body .missing`);
    await expect(missing).toContainText(SAID);
    await expectTyped(page);
    await page.unrouteAll();
    await missing.locator('button').click();
    await expect(page.locator(shown).first()).toBeVisible();
  });
}

test('a page in place of what any input needs: what is typed is heard once it comes', async ({ page, quiet }) => {
  quiet.allow(ALLOWED);
  await gone(page, 'input');
  await openPage(page, '');
  await page.locator('#text').fill('The animal');
  const line = page.locator('[data-missing]');
  await expect(line).toContainText(SAID);
  await page.locator('#text').fill('The animal was');
  await page.unrouteAll();
  // By now another attempt may have had it, and the line has gone.
  await line.locator('button').evaluate((button) => button.click());
  await expect(page.locator('#map')).toHaveAttribute('data-rows', '3');
  await expect(line).toBeHidden();
  await expectTyped(page);
});

test('a page in place of a language: the page stays in its own, says so, and speaks the other once it comes', async ({ page, quiet }) => {
  quiet.allow(ALLOWED);
  await gone(page, 'zh');
  await openPage(page);
  await choose(page, 'zh');
  const line = page.locator('[data-missing]');
  await expect(line).toContainText(SAID);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expectTyped(page);
  await page.unrouteAll();
  await line.locator('button').click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  await expect(page.locator('#undo')).toHaveAttribute('aria-label', '撤销');
});

test('a page in place of what a link cannot be read without: the page says so, and keeps the settings', async ({ page, quiet }) => {
  quiet.allow(/integrity|digest|preload|could not be loaded/i);
  await gone(page, 'input');
  await openPage(page, link({ heads: 3 }), { map: false });
  await expect(page.locator('[data-failure]')).toContainText('could not be loaded');
  await expect(page.locator('[data-failure]')).toContainText('无法载入');
  await page.unrouteAll();
  await page.locator('[data-failure-again]').first().click();
  await page.waitForEvent('domcontentloaded');
  await idle(page);
  await expect(page.locator('#heads-number')).toHaveValue('3');
});

test('a page in place of what talks to the page around a frame: the frame computes all the same', async ({ page, quiet }) => {
  quiet.allow(ALLOWED);
  await gone(page, 'host');
  await page.route('/around', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>around</title><link rel="icon" href="data:,"><iframe src="/#embed&v=1"></iframe>' }));
  await page.goto('/around');
  await idle(page.frames()[1]);
  expect(await page.frames()[1].evaluate(() => document.querySelector('[data-failure]').hidden)).toBe(true);
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
