// Models of tests/golden/models through the public API.

import { readdir, readFile } from 'node:fs/promises';
import { distance, openApi, putHelpers } from './api.mjs';
import { expect } from './fixture.mjs';
import { largest } from './goldens.mjs';

const GOLDENS = new URL('../golden/models/', import.meta.url);
export const FILES = (await readdir(GOLDENS)).filter((name) => name.endsWith('.json'));
export const golden = async (name) => JSON.parse(await readFile(new URL(name, GOLDENS)));

/** Opens the API, with `plain`: numbers as lists, so that they can be compared outside. */
export async function open(page) {
  await openApi(page);
  await putHelpers(page);
  await page.evaluate(() => {
    globalThis.plain = (value) => JSON.parse(JSON.stringify(value, (_, own) => (ArrayBuffer.isView(own) ? Array.from(own) : own)));
  });
}

/** A model's logits, loss, gradients, and tensors after the steps of a golden file. */
export const run = (page, file, backend) => page.evaluate(async ([text, backend]) => {
  const { config, tensors, tokens, targets, optimizer, steps } = JSON.parse(text);
  const model = await attentionPlayground.model({ config, tensors });
  const forward = await model.forward({ tokens, want: ['logits', 'weights'], backend });
  const loss = await model.loss({ tokens, targets, backend });
  const gradients = await model.gradients({ tokens, targets, backend });
  const reports = [];
  for (let at = 0; at < steps.length; at += 1) reports.push(await model.step({ tokens, targets, optimizer, backend }));
  const after = await model.tensors();
  model.free();
  return plain({ forward, loss, gradients, reports, after });
}, [JSON.stringify(file), backend]);

const close = (what, found, wanted, allowed) => {
  expect(found.shape, what).toEqual(wanted.shape);
  expect(distance(found.data, wanted.data), what).toBeLessThanOrEqual(allowed);
};

/** Compares everything with what PyTorch has; tensors after the steps but for those whose names `isLeftOut` takes. */
export function expectGolden(found, file, isLeftOut = () => false) {
  close('logits', found.forward.logits, file.logits, 1e-5);
  expect(found.forward.layers.length).toBe(file.weights.length);
  file.weights.forEach((weights, layer) => close(`weights of layer ${layer}`, found.forward.layers[layer].weights, weights, 1e-5));
  expect(Math.abs(found.loss.loss - file.loss)).toBeLessThanOrEqual(1e-5);
  expect(Math.abs(found.gradients.norm - file.gradient_norm)).toBeLessThanOrEqual(1e-5 * file.gradient_norm);
  expect(Object.keys(found.gradients.tensors)).toEqual(Object.keys(file.tensors));
  for (const [tensor, wanted] of Object.entries(file.gradients)) {
    close(`gradient of ${tensor}`, found.gradients.tensors[tensor], wanted, Math.max(1e-6, 1e-5 * largest(wanted)));
  }
  file.steps.forEach(({ loss }, at) => expect(Math.abs(found.reports[at].loss - loss)).toBeLessThanOrEqual(1e-5));
  for (const [tensor, wanted] of Object.entries(file.after)) {
    if (!isLeftOut(tensor)) close(`${tensor} afterwards`, found.after[tensor], wanted, 1e-5);
  }
}
