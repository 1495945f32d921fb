// What a person sees when something of ours cannot start or has died: plain words, and a way on that keeps their text.

import { pathToFileURL } from 'node:url';

import { subset } from './extent.mjs';
import { expect, idle, openPage, isolated as test } from './fixture.mjs';
import { expectRowsSumToOne, expectShown, link, picture, table } from './helpers.mjs';
import { DIST, serve } from './server.mjs';

const START = link({ text: 'my own words', d_k: '33', mask: 'causal' });
const overlay = (page) => page.locator('[data-failure]');

/** The overlay is there in both languages; its button leads back to a working page with the text and without the settings. */
async function expectPlainWordsAndWayBack(page, repair) {
  await expect(overlay(page)).toBeVisible();
  await expect(overlay(page)).toContainText('The computation could not start or has stopped');
  await expect(overlay(page)).toContainText('计算未能启动');
  await expect(page.locator('[data-failure-cause]')).not.toBeEmpty();
  const box = await overlay(page).boundingBox();
  expect(box.y, 'in the first window').toBeLessThan(600);
  await repair?.();
  // The page that has failed may be idle with the map of another d_k until the new one has taken its place.
  const replaced = page.waitForEvent('domcontentloaded');
  await page.locator('[data-failure-reset]').first().click();
  await replaced;
  await expectShown(page, { text: 'my own words', d_k: '16', mask: 'none' });
  expect(await picture(page)).toMatchObject({ rows: 3, columns: 3 });
  await expect(overlay(page)).toBeHidden();
  await expect(page.locator('#text')).toHaveValue('my own words');
  expectRowsSumToOne((await table(page)).cells);
}

const BREAKS = {
  'the wasm file does not arrive': (page) => page.route('**/*.wasm', (route) => route.abort()),
  'the wasm file is not found': (page) => page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: 'gone' })),
  'the wasm file is cut short': (page) => page.route('**/*.wasm', (route) =>
    route.fulfill({ contentType: 'application/wasm', body: Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1]) })),
  'the script does not arrive': (page) => page.route(/\/engine-\w+\.js$/, (route) => route.abort()),
  'the browser has no SIMD': (page) => page.addInitScript(() => { WebAssembly.validate = () => false; }),
  'the browser has no WebAssembly': (page) => page.addInitScript(() => { delete globalThis.WebAssembly; }),
  'the worker cannot be made': (page) => page.addInitScript(() => {
    globalThis.Worker = class { constructor() { throw new Error('no workers here'); } };
  }),
};

/** What goes another way than one of these does; all of them in `./dev soak`. */
const TESTED = ['the wasm file is not found', 'the wasm file is cut short', 'the script does not arrive', 'the browser has no SIMD', 'the worker cannot be made'];
for (const [name, spoil] of subset(Object.entries(BREAKS), ([name]) => TESTED.includes(name))) {
  test(`${name}: the page says so and offers a reset that keeps the text`, async ({ page, context, quiet }) => {
    // A truncated module gives an error without a stack.
    quiet.allow(/wasm|WebAssembly|ERR_FAILED|Failed to (load|fetch)|could not be loaded|404|no workers|module script|SIMD|^uncaught: $/i);
    await spoil(page);
    await openPage(page, START, { map: false });
    const isInScript = name.startsWith('the browser') || name.startsWith('the worker');
    if (!isInScript) return expectPlainWordsAndWayBack(page, () => page.unrouteAll());
    await expect(overlay(page)).toBeVisible();
    await expect(overlay(page)).toContainText('could not start');
    const healthy = await context.newPage();
    await openPage(healthy, START);
    await expect(overlay(healthy)).toBeHidden();
    await healthy.close();
  });
}

test('the first cause is told, not what follows from it', async ({ page, context, quiet }) => {
  quiet.allow(/WebAssembly|panicked|unreachable/);
  await page.addInitScript(() => { delete globalThis.WebAssembly; });
  await openPage(page, START, { map: false });
  await expect(page.locator('[data-failure-cause]')).toHaveText('This browser cannot run WebAssembly with SIMD.');
  const other = await context.newPage();
  const trapped = other.waitForEvent('pageerror');
  await other.addInitScript(() => { Element.prototype.querySelector = () => null; });
  await openPage(other, START, { map: false });
  await trapped;
  await expect(other.locator('[data-failure-cause]')).toContainText('panicked');
});

test('what the browser lacks is told in a sentence, in both languages', async ({ context, quiet }) => {
  quiet.allow(/memory/);
  const lacks = [
    [() => { HTMLCanvasElement.prototype.getContext = () => null; }, ['it gives no 2D canvas', '没有可用的二维画布']],
    [() => { WebAssembly.instantiate = async () => { throw new RangeError('could not allocate memory'); }; }, ['may have no more memory', '可能已经没有内存']],
  ];
  await Promise.all(lacks.map(async ([take, said]) => {
    const page = await context.newPage();
    await page.addInitScript(take);
    await openPage(page, START, { map: false });
    for (const sentence of said) await expect(overlay(page).getByText(sentence)).toBeVisible();
    // Each lack has its own sentence.
    await expect(overlay(page).locator('[data-failure-when]:visible')).toHaveCount(2);
  }));
  const page = await context.newPage();
  await page.addInitScript(() => { delete globalThis.PerformanceObserver; });
  await openPage(page, START);
  await expect(overlay(page)).toBeHidden();
});

test('a worker that never answers is told of in words, with a way back', async ({ page }) => {
  // The first time it takes a hundredth of the time.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('hurried')) return;
    sessionStorage.setItem('hurried', 'once');
    const own = globalThis.setInterval;
    globalThis.setInterval = (act, ms, ...given) => own(act, ms === 5000 ? 50 : ms, ...given);
  });
  await page.route(/\/worker-\w+\.js$/, () => {});
  await openPage(page, START, { map: false });
  for (const said of ['The background worker that computes has not answered for 15 seconds.', '负责计算的后台线程 15 秒没有响应。']) {
    await expect(overlay(page).getByText(said)).toBeVisible();
  }
  expect(await page.evaluate(() => attentionPlayground.ready.catch(({ code }) => code))).toBe('backend_unavailable');
  await expectPlainWordsAndWayBack(page, () => page.unrouteAll());
});

for (const [what, pattern] of Object.entries({ 'the script that starts': /\/start-/, 'the glue script': /\/engine-\w+\.js$/, 'the module': /\/engine-\w+\.wasm$/ })) {
  test(`${what} was once answered by another page, and kept by the browser: it is asked for anew`, async ({ page, quiet }) => {
    let answers = 0;
    const headers = { 'content-type': 'text/html', 'cache-control': 'public, max-age=31536000, immutable', 'access-control-allow-origin': '*' };
    const site = await serve({ instead: (path) => (pattern.test(path) && (answers += 1) === 1 ? { headers, body: '<!doctype html>a page' } : null) });
    quiet.allow(/integrity|request to another origin|MIME|module script|preload/i);
    await page.goto(`${site.origin}/#${START}`);
    await idle(page);
    expect(answers).toBeGreaterThan(1);
    await expect(overlay(page)).toBeHidden();
    await page.goto('about:blank');
    await site.close();
  });
}

test('the first script does not arrive: the page says that its files are missing, in place of what it cannot do', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED|Failed to load|attentionPlayground/i);
  await page.route(/\/boot-\w+\.js$/, (route) => route.abort());
  await openPage(page, START, { map: false });
  for (const said of ['Its files did not arrive', '它的文件没有送达']) await expect(page.locator('.stranded')).toContainText(said);
  await expect(page.locator('.stranded p').last()).toBeInViewport();
  await expect(page.locator('#text')).toBeHidden();
});

test('the page is opened from a disk: it says what to do', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED|CORS policy|preload|another origin: file:/i);
  await page.goto(pathToFileURL(`${DIST}/index.html`).href);
  for (const said of ['opened from a disk', '从磁盘打开页面']) await expect(page.locator('.stranded')).toContainText(said);
  await expect(page.locator('.stranded p').last()).toBeInViewport();
});

test('the style sheet does not arrive: the page computes all the same', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED|Failed to load/i);
  await page.route(/\/style-\w+\.css$/, (route) => route.abort());
  await openPage(page, START);
  await expect(page.locator('#text')).toBeVisible();
  await expect(page.locator('.stranded')).toHaveCount(0);
});

test('the worker script does not arrive', async ({ page, quiet }) => {
  quiet.allow(/worker|ERR_FAILED|Failed to load|module/i);
  await page.route('**/worker*.js', (route) => route.abort());
  await openPage(page, START, { map: false });
  await page.waitForFunction(() => document.querySelector('#map').dataset.step || !document.querySelector('[data-failure]').hidden);
  if (await overlay(page).isVisible()) await expectPlainWordsAndWayBack(page, () => page.unrouteAll());
});

test('a fault in the running module stops the page visibly, with a way back', async ({ page, quiet }) => {
  quiet.allow(/on purpose|unreachable|RuntimeError/);
  await openPage(page, START);
  await page.evaluate(() => void setTimeout(() => { throw new WebAssembly.RuntimeError('unreachable, on purpose'); }));
  await expectPlainWordsAndWayBack(page);
});

test("somebody else's error on the page is none of ours", async ({ page, quiet }) => {
  quiet.allow(/an extension/);
  await openPage(page, START);
  await page.evaluate(() => void setTimeout(() => { throw new Error('an extension, on purpose'); }));
  await expect.poll(() => quiet.problems().length).toBe(0);
  await page.locator('#text').fill('goes on and on');
  expect(await picture(page)).toMatchObject({ rows: 4, columns: 4 });
  await expect(overlay(page)).toBeHidden();
});

test('a worker that dies is replaced, or the page says that it has stopped', async ({ page, quiet }) => {
  quiet.allow(/worker|on purpose|terminated/i);
  await page.addInitScript(() => {
    globalThis.workers = [];
    const Own = Worker;
    globalThis.Worker = class extends Own {
      constructor(...given) {
        super(...given);
        globalThis.workers.push(this);
      }
    };
  });
  await openPage(page, START);
  expect(await page.evaluate(() => globalThis.workers.length)).toBeGreaterThan(0);
  await page.evaluate(() => globalThis.workers[0].dispatchEvent(new ErrorEvent('error', { message: 'on purpose' })));
  await page.evaluate(() => globalThis.workers[0].terminate());
  await page.locator('#text').fill('after the fall of it');
  await page.waitForFunction(() => document.querySelector('#map').dataset.rows === '5' || !document.querySelector('[data-failure]').hidden);
});

test('without scripts the page says what it needs', async ({ browser, server }) => {
  const page = await browser.newPage({ baseURL: server.origin, javaScriptEnabled: false });
  await page.goto('/');
  await expect(page.locator('noscript, .noscript').first()).toBeVisible();
  await page.close();
});
