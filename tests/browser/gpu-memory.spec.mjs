// Runs on WebGPU give back what they took: buffers that stay behind would show within some dozens of runs.

import { expect, openPage, isolated as test } from './fixture.mjs';
import { expectShown, link, picture } from './helpers.mjs';
import { changes, gpuBytes, memory } from './memory.mjs';

const RUNS = Number(process.env.RUNS ?? 100);

test('memory is flat over many runs and many calls on WebGPU', async ({ page, browser }) => {
  await openPage(page, link({ text: 'one more word '.repeat(20).trim(), heads: '4', backend: 'webgpu' }));
  expect(await picture(page)).toMatchObject({ backend: 'webgpu' });
  const calls = (count) => page.evaluate(async (count) => {
    const numbers = (...shape) => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)).fill(0.5) });
    for (let at = 0; at < count; at++) {
      const layer = await attentionPlayground.layer({ backend: 'webgpu', heads: 2, weights: { w_q: numbers(64, 64), w_k: numbers(64, 64), w_v: numbers(64, 64) } });
      await layer.compute({ queries: numbers(20 + (at % 30), 64) });
      layer.free();
    }
  }, count);
  await changes(page, 20);
  await calls(20);
  const before = { ...(await memory(page)), gpu: await gpuBytes(browser) };
  await changes(page, RUNS);
  await calls(Math.ceil(RUNS * 0.6));
  await expectShown(page, { d_k: '16' });
  // The browser may let go of something only after it has been asked twice.
  await expect(async () => {
    const after = { ...(await memory(page)), gpu: await gpuBytes(browser) };
    console.log(`many runs on WebGPU: ${JSON.stringify(before)} → ${JSON.stringify(after)}`);
    expect(after.wasm - before.wasm, 'bytes of WebAssembly memory').toBeLessThan(1_000_000);
    expect(after.javascript - before.javascript, 'bytes of JavaScript').toBeLessThan(1_000_000);
    expect(after.gpu - before.gpu, "bytes of the browser's GPU process").toBeLessThan(32_000_000);
  }).toPass({ timeout: 30_000 });
});
