// Models on WebGPU, through the public API: goldens of PyTorch, training, what a caller may do meanwhile, and what the processor does.

import { readFile } from 'node:fs/promises';
import { distance } from './distance.mjs';
import { expect, test } from './fixture.mjs';
import { expectGolden, FILES, golden, open, run } from './model-goldens.mjs';

for (const name of FILES) {
  test(`${name} comes out of WebGPU as PyTorch has it`, async ({ page }) => {
    await open(page);
    const file = await golden(name);
    const found = await run(page, file, 'webgpu');
    // The gradient of a key's bias is 0 but for rounding, and Adam makes steps of full length of it.
    expectGolden(found, file, (tensor) => tensor.endsWith('.b_k'));
    for (const { backend } of [found.forward, found.loss, found.gradients, ...found.reports]) expect(backend).toBe('webgpu');
  });
}

test('a model learns on WebGPU, calls wait for each other, and a later one without a word goes where the model was made', async ({ page }) => {
  await open(page);
  const found = await page.evaluate(async () => {
    const model = await attentionPlayground.model({ config: { d_model: 16, layers: 1, heads: 2 }, task: 'reverse', seed: 1, backend: 'webgpu' });
    const tokens = [[1, 2, 3, 4, 5, 6, 7, 8]];
    const targets = [[2, -1, 4, 5, 6, 7, 8, 1]];
    const before = await model.loss({ tokens, targets });
    const trained = await model.train({ task: 'reverse', steps: 12, batch: 8, seed: 3, optimizer: { rate: 0.01 } });
    // None waits for the one before it.
    const steps = await Promise.all(Array.from({ length: 6 }, () => model.step({ tokens, targets, optimizer: { rate: 0.01 } })));
    const forward = model.forward({ tokens });
    const tensors = await model.tensors();
    const here = await model.forward({ tokens, backend: 'cpu' });
    const there = await forward;
    const gap = Math.max(...there.logits.data.map((number, at) => Math.abs(number - here.logits.data[at])));
    model.free();
    return { before, trained, losses: steps.map(({ loss }) => loss), gap, finite: tensors.tokens.data.every(Number.isFinite), places: [before, trained, steps[5], here, there].map(({ backend }) => backend) };
  });
  expect(found.places).toEqual(['webgpu', 'webgpu', 'webgpu', 'cpu', 'webgpu']);
  expect(found.trained.steps).toBe(12);
  expect(found.trained.history.map(({ step }) => step)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  expect(found.losses).toEqual([...found.losses].sort((a, b) => b - a));
  expect(found.gap).toBeLessThan(1e-5);
  expect(found.finite).toBe(true);
});

test('a model that is freed in the middle refuses what is left, and others go on', async ({ page }) => {
  await open(page);
  const found = await page.evaluate(async () => {
    const make = () => attentionPlayground.model({ config: { vocabulary: 9, length: 8, d_model: 12, layers: 2, heads: 3 }, backend: 'webgpu' });
    const [one, other] = await Promise.all([make(), make()]);
    const tokens = [[1, 2, 3]];
    const first = one.forward({ tokens }).then(() => 'done', ({ code }) => code);
    const second = one.forward({ tokens }).then(() => 'done', ({ code }) => code);
    one.free();
    return [await first, await second, (await other.forward({ tokens })).backend];
  });
  // The first may have ended before it was freed.
  expect(['done', 'freed']).toContain(found[0]);
  expect(found.slice(1)).toEqual(['freed', 'webgpu']);
});

test('what WebGPU cannot compute is refused with a reason, and done by the processor where that is open', async ({ page }) => {
  await open(page);
  const found = await page.evaluate(async () => {
    const model = await attentionPlayground.model({ config: { vocabulary: 9, length: 8, d_model: 12, layers: 2, heads: 3, mask: 'causal' } });
    const large = await attentionPlayground.model({ config: { vocabulary: 9, length: 8, d_model: 12, layers: 2, heads: 3 }, init: 'normal', std: 60 });
    const tokens = [[1, 2, 3]];
    const off = [{ layer: 0, head: 1 }];
    const refused = (answer) => answer.then(() => 'done', ({ code, field, message }) => [code, field, message]);
    return {
      large: await refused(large.forward({ tokens, backend: 'webgpu' })),
      off: await refused(model.forward({ tokens, off, backend: 'webgpu' })),
      auto: (await model.forward({ tokens, off, backend: 'auto' })).backend,
      generated: await refused(model.generate({ tokens, steps: 1, backend: 'webgpu' }).next()),
      plain: (await model.forward({ tokens })).backend,
    };
  });
  expect(found.large.slice(0, 2)).toEqual(['backend_unavailable', 'scores']);
  expect(found.off[2]).toContain('a pass with heads that are off or patched is computed on the processor');
  expect(found.generated[2]).toContain('what goes on after a text is computed on the processor');
  expect([found.auto, found.plain]).toEqual(['cpu', 'cpu']);
});

test('an opened checkpoint is the same model on WebGPU', async ({ page }) => {
  await open(page);
  const file = await readFile(new URL('../golden/checkpoints/llama.gguf', import.meta.url));
  const [here, there, ...learning] = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const model = await attentionPlayground.open({ 'model.gguf': new Blob([bytes]) });
    const ask = (backend) => model.forward({ text: 'one two three', want: ['weights', 'logits', 'hidden'], backend });
    const answers = [await ask('cpu'), await ask('webgpu')];
    const told = [{ tokens: [[1, 2]], targets: [[2, 1]] }, { task: 'copy', batch: 2 }];
    const learning = ['cpu', 'webgpu'].flatMap((backend) => [() => model.gradients({ ...told[0], backend }), () => model.step({ ...told[0], backend }), () => model.train({ ...told[1], backend })]);
    for (const learn of learning) answers.push(await learn().catch(({ code, field }) => [code, field]));
    // Its tokenizer is still there.
    const { ids } = await model.encode('one two three');
    for (const backend of ['cpu', 'webgpu']) answers.push(await model.loss({ tokens: [ids], targets: [ids], backend }));
    return plain(answers);
  }, file.toString('base64'));
  expect(learning.slice(0, 6)).toEqual(new Array(6).fill(['not_applicable', 'model']));
  const [own, other] = learning.slice(6);
  expect([own.backend, other.backend]).toEqual(['cpu', 'webgpu']);
  expect(Math.abs(own.loss - other.loss)).toBeLessThanOrEqual(1e-5);
  expect([here.backend, there.backend]).toEqual(['cpu', 'webgpu']);
  const tensors = ({ logits, hidden, layers }) => [logits, hidden, ...layers.map(({ weights }) => weights)];
  tensors(there).forEach((found, at) => {
    const wanted = tensors(here)[at];
    expect(found.shape).toEqual(wanted.shape);
    expect(distance(found.data, wanted.data)).toBeLessThanOrEqual(1e-5 * Math.max(1, ...wanted.data.map(Math.abs)));
  });
});
