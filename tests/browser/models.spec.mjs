// Models through the public API: goldens of PyTorch, training, refusals, what a caller may do meanwhile.

import { expect, test } from './fixture.mjs';
import { expectGolden, FILES, golden, open, run } from './model-goldens.mjs';
import { TRAINED_BITS, trainedBits } from './training-bits.mjs';

const SMALL = { vocabulary: 11, length: 7, d_model: 6, layers: 2, heads: 3 };

for (const name of FILES) {
  test(`${name} comes out as PyTorch has it`, async ({ page }) => {
    await open(page);
    const file = await golden(name);
    expectGolden(await run(page, file, 'cpu'), file);
  });
}

test('a task is learned, the same way twice, and text is read', async ({ page }) => {
  await open(page);
  const [first, second] = await page.evaluate(async () => {
    const learn = async () => {
      const config = { d_model: 32, layers: 2, heads: 4, norm: 'layer' };
      const model = await attentionPlayground.model({ config, task: 'pronoun', seed: 2 });
      let heard = 0;
      const trained = await model.train({ task: 'pronoun', optimizer: { rate: 3e-3 }, batch: 32, steps: 150, seed: 2, onProgress: () => void (heard += 1) });
      const read = await model.forward({ text: 'the animal didn\'t cross the street because it was too tired .' });
      return plain({ trained, heard, read, tensors: await model.tensors() });
    };
    return [await learn(), await learn()];
  });
  expect(first).toEqual(second);
  expect(first.trained.accuracy).toBeGreaterThan(0.99);
  expect(first.trained.steps).toBe(150);
  expect(first.heard).toBe(150);
  expect(first.trained.history.map(({ step }) => step)).toEqual(Array.from({ length: 150 }, (_, at) => at + 1));
  const { words } = await page.evaluate(() => attentionPlayground.tasks.find(({ name }) => name === 'pronoun'));
  expect(first.read.tokens[0].map((word) => words[word]).slice(0, 6)).toEqual(['the', 'animal', 'didn\'t', 'cross', 'the', 'street']);
  const it = first.read.tokens[0].findIndex((word) => words[word] === 'it');
  const row = first.read.logits.data.slice(it * words.length, (it + 1) * words.length);
  expect(words[row.indexOf(Math.max(...row))]).toBe('animal');
});

test('training gives the bits that it gives natively', async ({ page }) => {
  await open(page);
  expect(await page.evaluate(trainedBits)).toBe(TRAINED_BITS);
});

test('a signal ends training early and keeps what it has; other calls come in between', async ({ page }) => {
  await open(page);
  const found = await page.evaluate(async () => {
    const model = await attentionPlayground.model({ config: { d_model: 32, layers: 1, heads: 4 }, task: 'reverse', seed: 1 });
    const ends = new AbortController();
    let between = 0;
    const trained = await model.train({
      task: 'reverse', steps: 1_000_000, signal: ends.signal,
      onProgress: ({ step }) => {
        if (step === 5) model.forward({ tokens: [[1, 2, 3, 4, 5, 6, 7, 8]] }).then(() => void (between += 1)).then(() => ends.abort());
      },
    });
    return { steps: trained.steps, length: trained.history.length, between, loss: (await model.forward({ tokens: [[1]] })).logits.shape };
  });
  expect(found.steps).toBeGreaterThanOrEqual(5);
  expect(found.steps).toBeLessThan(100_000);
  expect(found.length).toBe(found.steps);
  expect(found.between).toBe(1);
  expect(found.loss).toEqual([1, 1, 10]);
});

test('a saved model opens again', async ({ page }) => {
  await open(page);
  const [before, after] = await page.evaluate(async (config) => {
    const model = await attentionPlayground.model({ config, seed: 4, init: 'normal', std: 0.5 });
    const again = await attentionPlayground.model({ config, tensors: await model.save() });
    const logits = async (own) => plain(await own.forward({ tokens: [[1, 2, 3]] }));
    return [await logits(model), await logits(again)];
  }, SMALL);
  expect(after).toEqual(before);
});

test('bad input is refused by field, and a freed model too', async ({ page }) => {
  await open(page);
  const found = await page.evaluate(async (config) => {
    const { model: make } = attentionPlayground;
    const model = await make({ config, seed: 1 });
    const seen = async (promise) => {
      const error = await caught(promise);
      return error && `${error.name} ${error.code} ${error.field}`;
    };
    const tokens = [[1, 2, 3]];
    const list = [
      () => make(), () => make({}), () => make({ config: { ...config, heads: 4 } }), () => make({ config: { ...config, norm: 'batch' } }), () => make({ config: { ...config, width: 3 } }),
      () => make({ config: { ...config, vocabulary: 4e9 } }), () => make({ config, backend: 'webgpu' }), () => make({ config, tensors: {} }), () => make({ config, task: 'juggling' }),
      () => make({ config, tensors: { tokens: { shape: [11, 6], data: Array(66).fill(NaN) } } }), () => make({ config, init: 'zero' }),
      () => model.forward({}), () => model.forward({ tokens: [1, 2] }), () => model.forward({ tokens: [[11]] }), () => model.forward({ tokens: [[1, 2], [1]] }),
      () => model.forward({ tokens, want: ['gradients'] }), () => model.forward({ text: 'it' }), () => model.forward({ tokens: [[0.5]] }),
      () => model.loss({ tokens }), () => model.loss({ tokens, targets: [[1, 2]] }), () => model.loss({ tokens, targets: [[-1, -1, -1]] }), () => model.loss({ tokens, targets: [[-2, 1, 1]] }),
      () => model.step({ tokens, targets: tokens, optimizer: { kind: 'lion' } }), () => model.step({ tokens, targets: tokens, optimizer: { rate: -1 } }),
      () => model.train({}), () => model.train({ task: 'sort' }), () => model.train({ task: 'sort', signal: 3 }), () => model.train({ task: 'sort', onProgress: 3 }), () => model.train({ task: 'sort', batch: 0 }),
      () => model.train({ task: { name: 'text', text: 'short' } }),
    ];
    const answers = [];
    for (const call of list) answers.push(await seen(call()));
    const before = plain(await model.forward({ tokens }));
    model.free();
    model.free();
    const freed = [await seen(model.forward({ tokens })), await seen(model.tensors()), await seen(model.save())];
    return { answers, freed, isFinite: before.logits.data.every(Number.isFinite) };
  }, SMALL);
  expect(found.answers).toEqual([
    'missing_field request', 'missing_field config', 'heads_do_not_divide heads', 'unknown_option norm', 'unknown_option config.width',
    'too_large config', 'backend_unavailable backend', 'missing_field tensors.tokens', 'unknown_option task',
    'not_finite tensors.tokens', 'unknown_option init',
    'missing_field tokens', 'shape_mismatch tokens', 'unknown_option tokens[0][0]', 'shape_mismatch tokens[1]',
    'unknown_option want', 'not_applicable text', 'unknown_option tokens[0][0]',
    'missing_field targets', 'shape_mismatch targets', 'missing_field targets', 'unknown_option targets[0][0]',
    'unknown_option optimizer.kind', 'unknown_option optimizer.rate',
    'missing_field task', 'shape_mismatch length', 'unknown_option signal', 'unknown_option onProgress', 'shape_mismatch batch',
    'shape_mismatch task.text',
  ].map((answer) => `AttentionError ${answer}`));
  expect(found.isFinite).toBe(true);
  expect(found.freed).toEqual(Array(3).fill('AttentionError freed model'));
});
