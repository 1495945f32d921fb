// A hundred faults in a row, of every kind: nothing is lost, and nothing is left behind. Each kind by itself is in `faults.spec.mjs`.

import { addFaults, inWorker } from './faults.mjs';
import { expect, openPage, isolated as test } from './fixture.mjs';
import { expectRowsSumToOne, expectShown, link, table } from './helpers.mjs';
import { gpuBytes, memory } from './memory.mjs';

/** Each round is three faults. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 34);
/** After this one memory is measured first. */
const WARM = Math.min(7, ROUNDS - 2);
/** A slow adapter is checked before it is there. */
const PATIENCE = { timeout: 90_000 };
/** What happens to the device; each time it is then refused twice before there is a new one. */
const KINDS = ['between runs', 'destroy', 'invalid', 'memory', 'map'];
const STATE = { text: 'nothing of this is ever lost', weights: 'random', seed: '5', mask: 'causal', head: '2', scaled: '0' };

/** Asks for WebGPU by hand, which does not wait for the end of a pause; whether it was there. */
const isThere = (page) => page.evaluate(() =>
  attentionPlayground.compute({ backend: 'webgpu', q: [[[1]]], k: [[[1]]], v: [[[1]]] }).then(({ backend }) => backend === 'webgpu', () => false));

/** A fault of this kind, then two refusals, and a change of the page with each of them. */
async function faultsOf(page, kind, d_k) {
  if (kind === 'between runs') await inWorker(page, () => faults.destroy());
  else await inWorker(page, (act) => { faults.next = { act, submissions: 0 }; }, kind);
  await change(page, d_k);
  for (const [at, refusal] of ['isWithoutAdapter', 'isWithoutDevice'].entries()) {
    // A device that was asked for before, by the page itself, may still come: it is lost as well.
    await expect(async () => {
      await inWorker(page, (refusal) => {
        faults[refusal] = true;
        faults.destroy();
      }, refusal);
      expect(await isThere(page), refusal).toBe(false);
    }).toPass();
    await change(page, d_k + at + 1);
    await inWorker(page, (refusal) => { faults[refusal] = false; }, refusal);
  }
}

async function change(page, d_k) {
  await page.evaluate((d_k) => {
    const number = document.getElementById('d-k-number');
    number.value = String(d_k);
    for (const event of ['input', 'change']) number.dispatchEvent(new Event(event, { bubbles: true }));
  }, d_k);
  await expectShown(page, { ...STATE, d_k: String(d_k) });
}

test('a hundred faults lose nothing and leave nothing behind', async ({ page, browser }) => {
  test.setTimeout(12 * 60_000);
  await addFaults(page);
  await openPage(page, link({ ...STATE, backend: 'webgpu' }));
  let before;
  for (let round = 0; round < ROUNDS; round++) {
    const kind = KINDS[round % KINDS.length];
    await test.step(`${round + 1}: ${kind}`, async () => {
      // Asked while the page's own attempt is still being refused, it is refused with it.
      await expect.poll(() => isThere(page), { message: 'WebGPU is there', ...PATIENCE }).toBe(true);
      await faultsOf(page, kind, 9 + 3 * (round % 9));
      expectRowsSumToOne((await table(page)).cells);
    });
    if (round === WARM) before = { ...(await memory(page)), gpu: await gpuBytes(browser) };
  }
  expect(await inWorker(page, () => faults.count), 'faults that really happened').toBeGreaterThanOrEqual(3 * ROUNDS - 2);
  await expect.poll(() => isThere(page), PATIENCE).toBe(true);
  await expect.poll(() => inWorker(page, () => faults.devices.length), 'devices').toBe(1);
  // The browser may let go of something only after it has been asked twice.
  await expect(async () => {
    const after = { ...(await memory(page)), gpu: await gpuBytes(browser) };
    console.log(`a hundred faults: ${JSON.stringify(before)} → ${JSON.stringify(after)}`);
    expect(after.wasm - before.wasm, 'bytes of WebAssembly memory').toBeLessThan(2_000_000);
    expect(after.javascript - before.javascript, 'bytes of JavaScript').toBeLessThan(1_000_000);
    expect(after.nodes - before.nodes, 'nodes').toBeLessThan(100);
    expect(after.gpu - before.gpu, "bytes of the browser's GPU process").toBeLessThan(64_000_000);
  }).toPass({ timeout: 30_000 });
  await expect(page.locator('[data-failure]')).toBeHidden();
});
