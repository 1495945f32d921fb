// The software adapter is there and computes: without it the tests on WebGPU would prove nothing, so its absence is a failure.

import { expect, openBlank, isolated as test } from './fixture.mjs';

const ADVICE = 'this Chromium gives no WebGPU adapter with --use-webgpu-adapter=swiftshader: install a current Chromium, or name one in CHROMIUM';

/** Doubles four numbers on the GPU; the error's words where something is missing. */
async function doubled() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) return navigator.gpu ? 'no adapter' : 'no navigator.gpu';
  const device = await adapter.requestDevice();
  const code = '@group(0) @binding(0) var<storage, read_write> x: array<f32>; @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { x[i] = 2.0 * x[i]; }';
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code }) } });
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const [here, back] = [STORAGE | COPY_SRC | COPY_DST, MAP_READ | COPY_DST].map((usage) => device.createBuffer({ size: 16, usage }));
  device.queue.writeBuffer(here, 0, new Float32Array([1, 2, 3, 4]));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: here } }] }));
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(here, 0, back, 0, 16);
  device.queue.submit([encoder.finish()]);
  await back.mapAsync(GPUMapMode.READ);
  return [...new Float32Array(back.getMappedRange())];
}

test('the window has an adapter that computes', async ({ page }) => {
  await openBlank(page);
  expect(await page.evaluate(doubled), ADVICE).toEqual([2, 4, 6, 8]);
});

test('so has a worker', async ({ page }) => {
  await openBlank(page);
  const found = await page.evaluate((doubled) => new Promise((resolve) => {
    const worker = new Worker(URL.createObjectURL(new Blob([`(${doubled})().then(postMessage, (error) => postMessage(String(error)))`])));
    worker.onmessage = ({ data }) => resolve(data);
  }), String(doubled));
  expect(found, ADVICE).toEqual([2, 4, 6, 8]);
});
