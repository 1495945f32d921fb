// The worker behind the API: long work can be ended and overtaken, a worker that dies is replaced, and what cannot start says so.

import { addHelpers, openApi } from './api.mjs';
import { soakOnly } from './extent.mjs';
import { expect, idle, openPage, isolated as test } from './fixture.mjs';
import { expectRowsSumToOne, picture, table } from './helpers.mjs';

test.beforeEach(({ page }) => addHelpers(page));

const ready = (page) => page.evaluate(() => attentionPlayground.ready);

test('an abort ends a long call at once, and the worker is free again', async ({ page }) => {
  await openApi(page);
  const found = await page.evaluate(async () => {
    const controller = new AbortController();
    let refused = null;
    caught(attentionPlayground.compute({ ...long(24_000), signal: controller.signal })).then((error) => { refused = error.code; });
    await new Promise((resolve) => setTimeout(resolve, 200));
    controller.abort();
    // Nothing but promises may pass: no message of the worker is waited for.
    for (let i = 0; i < 20; i += 1) await null;
    const atOnce = refused;
    const start = performance.now();
    await attentionPlayground.compute(small());
    return { atOnce, free: performance.now() - start };
  });
  expect(found.atOnce).toBe('aborted');
  // It would have been at work for several times as long.
  expect(found.free).toBeLessThan(6_000);
});

test('a short call is computed in the window, a layer\'s too, with the numbers of the worker', async ({ page }) => {
  await openApi(page);
  const found = await page.evaluate(async () => {
    let messages = 0;
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (...given) {
      messages += 1;
      return postMessage.apply(this, given);
    };
    const layer = await attentionPlayground.layer(layerOf());
    const calls = {
      compute: (more) => attentionPlayground.compute({ ...small(), mask: { kind: 'causal' }, ...more }),
      layer: (more) => layer.compute({ queries: tensor(5, 6), ...more }),
    };
    const counted = {};
    for (const [name, call] of Object.entries(calls)) {
      // What gives its buffers away is the worker's.
      const [here, before, there] = [await call(), messages, await call({ transfer: true })];
      delete here.elapsed_ms;
      delete there.elapsed_ms;
      counted[name] = { messages: messages - before, isSame: JSON.stringify(here) === JSON.stringify(there), backend: here.backend };
    }
    const before = messages;
    await calls.compute();
    await calls.layer();
    const lists = (rows) => attentionPlayground.compute({ q: [Array(rows).fill([1, 2])], k: [[[1, 2]]], v: [[[3]]] });
    await lists(16);
    const shortLists = messages - before;
    await lists(17);
    const longLists = messages - before;
    layer.free();
    return { ...counted, shortLists, longLists, freed: (await caught(layer.compute({ queries: tensor(5, 6) }))).code };
  });
  const wanted = { messages: 1, isSame: true, backend: 'cpu' };
  expect(found).toEqual({ compute: wanted, layer: wanted, shortLists: 0, longLists: 1, freed: 'freed' });
});

test('a short text is computed in the window until the worker is there', async ({ page }) => {
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route('**/worker-*.js', (route) => released.then(() => route.continue()));
  await openPage(page, 'v=1&weights=random&heads=3', { map: false });
  await expect(page.locator('#map')).toHaveAttribute('data-rows', '11');
  await page.locator('#text').fill('one two three');
  await expect(page.locator('#map')).toHaveAttribute('data-rows', '3');
  const pixels = () => page.locator('#map').evaluate((map) => map.querySelector('canvas').toDataURL());
  const before = await pixels();
  await page.locator('#new-seed').click();
  await expect.poll(pixels).not.toBe(before);
  release();
  await idle(page);
  expect(await picture(page)).toMatchObject({ rows: 3, backend: 'cpu' });
  expectRowsSumToOne((await table(page)).cells);
});

test("the page's own runs overtake a long call", async ({ page }) => {
  await openPage(page);
  await page.evaluate(() => {
    globalThis.isOver = false;
    globalThis.controller = new AbortController();
    globalThis.slow = caught(attentionPlayground.compute({ ...long(), signal: controller.signal })).then(() => { isOver = true; });
  });
  await page.locator('#text').fill('one two three four five six seven');
  // The bars are drawn from what the worker has computed.
  await expect(page.locator('#bars')).toContainText('seven');
  expect(await page.evaluate(() => isOver), 'the long call is still under way').toBe(false);
  await page.evaluate(() => controller.abort());
});

test('a worker that dies in the middle of a drag is replaced, and the last state is drawn', async ({ page, quiet }) => {
  quiet.allow(/on purpose/);
  await openPage(page);
  const [worker] = page.workers();
  await worker.evaluate(() => void setTimeout(() => { throw new Error('on purpose'); }));
  for (const heads of [1, 2, 4, 8]) await page.locator('#heads').fill(String(heads));
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('heads=8');
  await expect(page.locator('[data-failure]')).toBeHidden();
  expect(await page.evaluate(() => caught(attentionPlayground.compute(small())))).toBeNull();
});

test('a worker that vanishes without a word is replaced; calls under way and its layers are refused by name', async ({ page }) => {
  await openApi(page);
  const [worker] = page.workers();
  // The first call waits for its chunk of the engine; the one that is to be under way must not.
  await page.evaluate(() => attentionPlayground.compute(small()));
  await page.evaluate(async () => {
    globalThis.layer = await attentionPlayground.layer(layerOf());
    globalThis.underWay = caught(attentionPlayground.compute(long()));
  });
  await worker.evaluate(() => self.close());
  expect(await page.evaluate(() => underWay)).toMatchObject({ name: 'AttentionError', code: 'backend_unavailable', value: 'it has vanished' });
  expect(await page.evaluate(() => caught(layer.compute({ queries: tensor(3, 6) })))).toMatchObject({ code: 'freed' });
  expect(await page.evaluate(() => caught(attentionPlayground.layer(layerOf())))).toBeNull();
  expect(await page.evaluate(() => caught(attentionPlayground.compute(small())))).toBeNull();
  await expect(page.locator('[data-failure]')).toBeHidden();
});

test('a worker that vanishes as it says that it is ready is replaced, and calls end', async ({ page }) => {
  let workers = 0;
  await page.route(/\/worker-\w+\.js$/, async (route) => {
    const response = await route.fetch();
    const vanish = 'const post = postMessage; postMessage = (message, ...more) => { post.call(self, message, ...more); if (message.ready) close(); };';
    await route.fulfill({ response, body: `${workers++ ? '' : vanish}\n${await response.text()}` });
  });
  await openApi(page);
  const found = await page.evaluate(() => Promise.all([caught(attentionPlayground.compute(long(200))), caught(attentionPlayground.backends())]));
  for (const refusal of found.filter(Boolean)) expect(refusal).toMatchObject({ code: 'backend_unavailable', value: 'it has vanished' });
  expect(await page.evaluate(() => caught(attentionPlayground.compute(small())))).toBeNull();
  expect(workers).toBe(2);
  await expect(page.locator('[data-failure]')).toBeHidden();
});

soakOnly(test)('calls that overlap take no more memory together than half a gibibyte', async ({ page }) => {
  test.slow();
  await openApi(page);
  const glue = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name).find((name) => /\/engine-\w+\.js$/.test(name)));
  const finished = await page.evaluate(async () => {
    // 25 MB each, twice as many as there is room for.
    const call = () => attentionPlayground.compute({ q: tensor(1, 1800, 4), k: tensor(1, 1800, 4), v: tensor(1, 1800, 4), want: ['weights', 'scores'], backend: 'cpu' });
    const all = await Promise.all(Array.from({ length: 42 }, () => call().then(({ weights }) => weights.shape[1])));
    return all.filter((rows) => rows === 1800).length;
  });
  expect(finished).toBe(42);
  const bytes = await page.workers()[0].evaluate(async (glue) => (await import(glue)).initSync().memory.buffer.byteLength, glue);
  expect(bytes).toBeLessThan(800 * 2 ** 20);
});

test('a signal of another frame ends a call as well', async ({ page }) => {
  await openApi(page);
  const code = await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const controller = new frame.contentWindow.AbortController();
    const refused = caught(attentionPlayground.compute({ ...long(), signal: controller.signal }));
    controller.abort();
    return (await refused).code;
  });
  expect(code).toBe('aborted');
});

test('a trap inside the module is survived as well', async ({ page, quiet }) => {
  quiet.allow(/unreachable|RuntimeError/);
  await openApi(page);
  const [worker] = page.workers();
  const died = worker.waitForEvent('close');
  await page.evaluate(() => attentionPlayground.compute(small()));
  await page.evaluate(() => { globalThis.underWay = caught(attentionPlayground.compute(long())); });
  const glue = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name).find((name) => /\/engine-\w+\.js$/.test(name)));
  await worker.evaluate(async (glue) => {
    const wasm = (await import(glue)).initSync();
    // Allocations that no memory can hold, of which one alone has room: the module aborts.
    setTimeout(() => { for (let at = 0; at < 3; at++) wasm.__wbindgen_malloc(0x7fffff00, 16); });
  }, glue);
  await died;
  expect((await page.evaluate(() => underWay)).value).toContain('no more memory');
  await expect.poll(() => page.evaluate(() => caught(attentionPlayground.compute(small())))).toBeNull();
  await expect.poll(() => page.workers().length).toBe(1);
});

async function expectFailure(page, cause) {
  const failure = page.locator('[data-failure]');
  await expect(failure).toBeVisible();
  await expect(failure).toContainText('could not start');
  await expect(failure).toContainText('未能启动');
  await expect(page.locator('[data-failure-cause]')).toContainText(cause);
}

const refusals = (page) =>
  page.evaluate(async () => [await caught(attentionPlayground.ready), await caught(attentionPlayground.compute(small())), await caught(attentionPlayground.layer({}))]);

/** A browser that cannot read SIMD, until the page is loaded once more. */
const withoutSimd = (page) =>
  page.addInitScript(() => {
    if (sessionStorage.getItem('has-simd')) return;
    sessionStorage.setItem('has-simd', 'the next time');
    WebAssembly.validate = () => false;
    WebAssembly.instantiateStreaming = WebAssembly.instantiate = async () => {
      throw new WebAssembly.CompileError('no SIMD, on purpose');
    };
  });

test('a browser without SIMD is told so, and nothing hangs', async ({ page, quiet }) => {
  quiet.allow(/on purpose/);
  await withoutSimd(page);
  await openPage(page, '', { map: false });
  await expectFailure(page, 'SIMD');
  for (const refusal of await refusals(page)) expect(refusal).toMatchObject({ name: 'AttentionError', code: 'backend_unavailable' });
});

for (const [what, pattern, cause] of [
  ['the module', /\/engine-\w+\.wasm$/, ''],
  ['the glue script', /\/engine-\w+\.js$/, 'could not be loaded'],
  ['the script of the worker', /\/worker-\w+\.js$/, 'could not be loaded'],
]) {
  test(`${what} is missing: the page says so, and nothing hangs`, async ({ page, quiet }) => {
    // Without its glue the module that was loaded ahead is not used, which Chromium says some seconds later.
    quiet.allow(/integrity|404|Failed to load|TypeError|CompileError|Failed to fetch|WebAssembly|preloaded|could not be loaded/);
    await page.route(pattern, (route) => route.fulfill({ status: 404, body: '' }));
    await openPage(page, '', { map: false });
    await expectFailure(page, cause);
    for (const refusal of await refusals(page)) expect(refusal).toMatchObject({ code: 'backend_unavailable', isError: true });
  });
}

test('the reset keeps the texts and nothing else', async ({ page, quiet }) => {
  quiet.allow(/on purpose/);
  await withoutSimd(page);
  await openPage(page, 'v=1&text=a+b%26c%20%E7%8C%AB&source=d&heads=7&mask=causal', { map: false });
  await page.evaluate(() => { globalThis.isOld = true; });
  await page.locator('[data-failure-reset]').first().click();
  // The address changes before the page is loaded again, and the page that goes has an API as well.
  await page.waitForFunction(() => !globalThis.isOld && 'attentionPlayground' in globalThis);
  const kept = new URLSearchParams(await page.evaluate(() => location.hash.slice(1)));
  expect(Object.fromEntries(kept)).toEqual({ v: '1', text: 'a b&c 猫', source: 'd' });
  await ready(page);
});

test('a trap in the window stops the page visibly', async ({ page, quiet }) => {
  quiet.allow(/unreachable|RuntimeError/);
  await openApi(page);
  await page.evaluate(() => {
    const module = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11]));
    setTimeout(() => new WebAssembly.Instance(module));
  });
  await expectFailure(page, 'unreachable');
});
