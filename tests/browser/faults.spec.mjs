// A device that is lost, refused or broken takes nothing with it: the picture is finished by the processor, the state is as it was, a
// note says what happened, and the GPU is asked for once more.

import { addHelpers, openApi } from './api.mjs';
import { addFaults, inWorker } from './faults.mjs';
import { expect, openPage, readCanvas, isolated as test } from './fixture.mjs';
import { expectRowsSumToOne, expectShown, link, picture, table } from './helpers.mjs';
import { openPanel } from './helpers-backend.mjs';

const STATE = { weights: 'random', seed: '7', mask: 'causal', heads: '5', head: '3', d_k: '16' };
const ON_GPU = link({ ...STATE, backend: 'webgpu' });
/** The first picture on a slow adapter, after its check. */
const PATIENCE = { timeout: 90_000 };

/** Asks for WebGPU by hand; whether it was there. */
const isThere = (page) => page.evaluate(() =>
  attentionPlayground.compute({ backend: 'webgpu', q: [[[1]]], k: [[[1]]], v: [[[1]]] }).then(() => true, () => false));

const badge = (page) => page.locator('#backend').evaluate(({ dataset }) => ({ ...dataset }));
const reason = async (page) => (await badge(page)).reason;
const onGpu = async (page) => expect(await picture(page)).toMatchObject({ backend: 'webgpu' });

const look = async (page) => ({ image: await readCanvas(page.locator('#map .picture')), numbers: await table(page) });

let drawn;

/** What the processor draws for `STATE`: opened once for all tests of a worker process, since it is the same each time. */
async function byProcessor(context) {
  if (drawn) return drawn;
  const page = await context.newPage();
  await openPage(page, link({ ...STATE, backend: 'cpu' }));
  drawn = await look(page);
  await page.close();
  return drawn;
}

/** The picture is the processor's to the last pixel, and everything that was set still is. */
async function expectUnharmed(page, context) {
  await expectShown(page, STATE);
  const [found, wanted] = [await look(page), await byProcessor(context)];
  expect(found.numbers).toEqual(wanted.numbers);
  expectRowsSumToOne(found.numbers.cells);
  expect([found.image.width, found.image.height]).toEqual([wanted.image.width, wanted.image.height]);
  expect(Buffer.compare(Buffer.from(found.image.data), Buffer.from(wanted.image.data)), 'the same pixels').toBe(0);
  await expect(page.locator('[data-failure]')).toBeHidden();
}

/** Sends a slider from stop to stop within the page; `act` is called in the middle of it. */
async function slide(page, id, values, act) {
  const half = Math.ceil(values.length / 2);
  const send = (values, isLast) => page.evaluate(async ([id, values, isLast]) => {
    const slider = document.getElementById(id);
    for (const value of values) {
      slider.value = String(value);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    if (isLast) slider.dispatchEvent(new Event('change', { bubbles: true }));
  }, [id, values, isLast]);
  await send(values.slice(0, half), false);
  await Promise.all([act(), send(values.slice(half), true)]);
}

/** From now on `noticed` has the words of every notice: one that is lost and comes back soon replaces what it has said. */
const keepNotices = (page) => page.evaluate(() => {
  globalThis.noticed = '';
  const notices = document.querySelector('#notices');
  new MutationObserver(() => { globalThis.noticed += notices.textContent; }).observe(notices, { subtree: true, childList: true, characterData: true });
});

test('the device is destroyed while a slider moves: the processor goes on, a note says so, and the GPU comes back', async ({ page, context }) => {
  await addFaults(page);
  await openPage(page, ON_GPU);
  await onGpu(page);
  await keepNotices(page);
  await slide(page, 'heads', [6, 7, 8, 3, 4, 7, 5, 6], () => inWorker(page, () => faults.destroy()));
  // Whatever is on screen next is whole; it may be the last one of the processor or, a second later, one of the new device.
  await expect.poll(() => page.evaluate(() => globalThis.noticed)).toContain('The graphics card was lost');
  await expectShown(page, { ...STATE, heads: '6' });
  expectRowsSumToOne((await table(page)).cells);
  await expect(page.locator('#notices')).toContainText('The graphics card is back', PATIENCE);
  await onGpu(page);
  await expect.poll(() => inWorker(page, () => faults.devices.length), 'one device').toBe(1);
});

/** Moves d_k to another stop by its number. */
async function enterWidth(page, d_k) {
  await page.locator('#d-k-number').fill(d_k);
  await page.locator('#d-k-number').press('Enter');
  await expectShown(page, { ...STATE, d_k });
}

for (const [act, code, note] of [
  ['destroy', 'lost', 'The graphics card was lost'],
  ['invalid', 'rejected', 'refused the computation'],
  ['memory', 'out_of_memory', 'ran out of memory'],
  ['map', 'lost', 'The graphics card was lost'],
]) {
  test(`in the middle of a run, ${act}: the processor finishes the same picture`, async ({ page, context }) => {
    await addFaults(page);
    await openPage(page, link({ ...STATE, d_k: '32', backend: 'webgpu' }));
    await onGpu(page);
    // No new device before the picture has been looked at.
    await inWorker(page, (next) => Object.assign(faults, { isWithoutAdapter: true, next }), { act, submissions: 0 });
    await enterWidth(page, STATE.d_k);
    await expectUnharmed(page, context);
    expect(await picture(page)).toMatchObject({ backend: 'cpu' });
    expect(await reason(page)).toBe(code);
    await expect(page.locator('#notices')).toContainText(note);
    // How a device is asked for again does not depend on why: that is held natively.
    if (act !== 'destroy') return;
    // Asking for WebGPU by hand does not wait for the end of the pause; the next change is computed there again.
    await inWorker(page, () => { faults.isWithoutAdapter = false; });
    await expect.poll(() => isThere(page), PATIENCE).toBe(true);
    await enterWidth(page, '48');
    await onGpu(page);
  });
}

test('an internal error of the browser ends no worker', async ({ page }) => {
  await addFaults(page);
  await openPage(page, ON_GPU);
  await onGpu(page);
  await inWorker(page, () => { faults.next = { act: 'internal', submissions: 0 }; });
  await enterWidth(page, '32');
  expectRowsSumToOne((await table(page)).cells);
  expect(await inWorker(page, () => faults.count), 'the same worker').toBe(1);
});

test('no adapter at the start: the page computes on the processor and says why; a call for WebGPU is refused by name', async ({ page, context }) => {
  await addHelpers(page);
  await addFaults(page, { isWithoutAdapter: true });
  await openPage(page, ON_GPU);
  await expect.poll(() => reason(page)).toBe('no_adapter');
  await expectUnharmed(page, context);
  const found = await page.evaluate(async () => ({
    there: await attentionPlayground.backends(),
    refused: await caught(attentionPlayground.compute({ ...small(), backend: 'webgpu' })),
    auto: (await attentionPlayground.compute({ ...small(), backend: 'auto' })).backend,
  }));
  expect(found.there.webgpu).toMatchObject({ available: false, adapter: null, reason: { code: 'no_adapter' } });
  expect(found.refused).toMatchObject({ name: 'AttentionError', code: 'backend_unavailable', field: 'backend' });
  expect(found.auto).toBe('cpu');
});

test('a device that is refused', async ({ page, context }) => {
  await addFaults(page, { isWithoutDevice: true });
  await openPage(page, ON_GPU);
  await expect.poll(() => reason(page)).toBe('no_device');
  await expectUnharmed(page, context);
});

test('a device that computes wrongly fails the check, and the page says by how much', async ({ page, context }) => {
  await addFaults(page, { offset: 0.03 });
  await openPage(page, ON_GPU);
  await expect.poll(() => reason(page), PATIENCE).toBe('probe_failed');
  await expectUnharmed(page, context);
  await openPanel(page);
  await expect(page.locator('#backend-sentence')).toContainText(/off by 0\.0\d+/);
  await expect.poll(() => inWorker(page, () => faults.devices.length), 'the device is given up').toBe(0);
});

test('a call that insists on WebGPU and loses it is refused; one that does not is finished', async ({ page }) => {
  await addHelpers(page);
  await addFaults(page);
  await openApi(page);
  await page.evaluate(() => attentionPlayground.compute({ ...small(), backend: 'webgpu' }));
  await inWorker(page, () => { faults.next = { act: 'destroy', submissions: 0 }; });
  const found = await page.evaluate(async () => {
    const insists = caught(attentionPlayground.compute({ ...long(500), backend: 'webgpu' }));
    const others = [1, 2, 3].map(() => attentionPlayground.compute({ ...small(), backend: 'auto' }));
    const layer = await caught(attentionPlayground.layer({ ...layerOf(), backend: 'cpu' }));
    return { insists: await insists, others: (await Promise.all(others)).map(({ weights }) => weights.shape), layer };
  });
  expect(found.insists).toMatchObject({ name: 'AttentionError', code: 'backend_unavailable', field: 'backend' });
  expect(found.insists.message).toMatch(/lost/);
  expect(found.others).toEqual([[2, 3, 5], [2, 3, 5], [2, 3, 5]]);
  expect(found.layer).toBeNull();
  // Whoever asks again gets a new device.
  const again = await page.evaluate(async () => (await attentionPlayground.compute({ ...small(), backend: 'webgpu' })).backend);
  expect(again).toBe('webgpu');
});
