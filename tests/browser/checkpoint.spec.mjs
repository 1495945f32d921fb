// Checkpoints through the public API: files that a reader has, opened by the worker piece by piece.

import { appendFile, readFile, truncate, unlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openApi } from './api.mjs';
import { changedOpening, endedCalls, endedOpenings, pick, putHelpers, stepsOf, together, withCopies } from './checkpoints.mjs';
import { distance } from './distance.mjs';
import { expect, isolated, test } from './fixture.mjs';

const ROOT = new URL('../../', import.meta.url);
const golden = async (path) => (await readFile(new URL(path, ROOT))).toString('base64');
const pathsOf = (name) => ({
  'model.safetensors': `tests/golden/checkpoints/${name}/model.safetensors`,
  'config.json': `tests/golden/checkpoints/${name}/config.json`,
  'tokenizer.json': `crates/tokenizer/tests/golden/${name}.tokenizer.json`,
});
const folder = async (name) => Object.fromEntries(await Promise.all(Object.entries(pathsOf(name)).map(async ([file, path]) => [file, await golden(path)])));
const expected = async (name) => JSON.parse(await readFile(new URL(`tests/golden/checkpoints/${name}/expected.json`, ROOT))).cases;

/** In the page: files by name of what was read here. */
function helpers() {
  globalThis.blobs = (files) => Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))])]));
  globalThis.refusal = async (promise) => {
    try {
      return { resolved: typeof await promise };
    } catch ({ name, code, field, value, message }) {
      return { name, code, field, value, message };
    }
  };
}

test.beforeEach(async ({ page }) => {
  await openApi(page);
  await page.evaluate(helpers);
});

/** Opens files, and reads every text: what is said of the model, its progress, and for each text ids, offsets and weights. */
const read = (page, files, texts) => page.evaluate(async ([files, texts]) => {
  const progress = [];
  const model = await attentionPlayground.open(blobs(files), { onProgress: (step) => progress.push(step) });
  const { family, dtype, config } = model;
  const found = [];
  for (const text of texts) {
    const { ids, tokens, offsets } = await model.encode(text);
    const { layers, tokens: [read] } = await model.forward({ text, want: ['weights'] });
    found.push({ ids, tokens, offsets, read, weights: layers.map(({ weights }) => ({ shape: weights.shape, data: [...weights.data] })) });
  }
  model.free();
  return { family, dtype, config, progress, found, later: await refusal(model.encode('a')) };
}, [files, texts]);

const FAMILIES = [['gpt2', 'gpt2'], ['bert', 'bert'], ['llama', 'llama'], ['llama', 'llama.gguf']];
for (const [name, what] of FAMILIES) {
  test(`${what} opens with its tokenizer, and its weights are those of the reference`, async ({ page }) => {
    const cases = await expected(name);
    const files = what === name ? await folder(name) : { 'tiny.gguf': await golden('tests/golden/checkpoints/llama.gguf') };
    const { family, dtype, config, progress, found, later } = await read(page, files, cases.map(({ text }) => text));
    expect([family, dtype]).toEqual([name, ['f32']]);
    expect([config.layers, config.mask, config.positions]).toEqual([2, name === 'bert' ? 'none' : 'causal', name === 'llama' ? 'rotary' : 'learned']);
    const last = progress.at(-1);
    expect(last.read).toBe(last.total);
    expect(last.total).toBeGreaterThan(100_000);
    for (const [at, { ids, tokens, offsets, attentions }] of cases.entries()) {
      const own = found[at];
      expect([own.ids, own.read, own.tokens, own.offsets]).toEqual([ids, ids, tokens, offsets]);
      for (const [layer, { shape, data }] of attentions.entries()) {
        expect(own.weights[layer].shape).toEqual([1, ...shape]);
        expect(distance(own.weights[layer].data, data)).toBeLessThan(1e-5);
      }
    }
    expect(later.code).toBe('freed');
  });
}

test('parts of a pass, heads switched off, hidden cells, and words that follow', async ({ page }) => {
  const files = { 'tiny.gguf': await golden('tests/golden/checkpoints/llama.gguf') };
  const found = await page.evaluate(async (files) => {
    const model = await attentionPlayground.open(blobs(files));
    const text = 'one two three';
    const all = await model.forward({ text, want: ['weights', 'logits', 'hidden'] });
    const n = all.tokens[0].length;
    const part = await model.forward({ text, want: ['weights'], layers: [1], heads: [3, 0] });
    const head = (layer, head) => [...all.layers[layer].weights.data.subarray(head * n * n, (head + 1) * n * n)];
    const off = await model.forward({ text, want: ['logits'], off: [{ layer: 0, head: 2 }] });
    const hidden = await model.forward({ text, want: ['weights'], hidden_cells: [{ layer: 0, head: 1, query: 2, key: 0 }] });
    const words = [];
    for await (const word of model.generate({ text, temperature: 0, steps: 4 })) words.push(word);
    const last = [...all.logits.data.subarray((n - 1) * all.logits.shape[2])];
    const stop = new AbortController();
    const heard = [];
    const ended = await refusal((async () => {
      for await (const { id } of model.generate({ text, seed: 3, signal: stop.signal })) {
        heard.push(id);
        if (heard.length === 2) stop.abort();
      }
    })());
    const long = [];
    for await (const { id } of model.generate({ text, steps: 1000 })) long.push(id);
    const again = await model.forward({ tokens: [[...all.tokens[0], ...words.slice(0, 3).map(({ id }) => id)]], want: ['logits'] });
    const whole = again.logits.data.subarray((n + 2) * all.logits.shape[2]);
    return {
      n,
      shapes: [all.hidden.shape, part.layers.map(({ weights }) => weights?.shape ?? null)],
      isPart: JSON.stringify([...part.layers[1].weights.data]) === JSON.stringify([...head(1, 3), ...head(1, 0)]),
      moved: Math.max(...off.logits.data.map((logit, at) => Math.abs(logit - all.logits.data[at]))),
      cell: hidden.layers[0].weights.data[n * n + 2 * n],
      words,
      likeliest: [last, [...whole]].map((logits) => logits.indexOf(Math.max(...logits))),
      ended: [ended.code, heard.length],
      long: long.length,
      refused: await Promise.all([
        model.forward({ text, layers: [2] }), model.forward({ text, off: [{ layer: 0 }] }), model.forward({ text, heads: 1 }), model.tensors(), model.save(),
        model.generate({ text: '', temperature: -1 }).next(),
      ].map(refusal)).then((all) => all.map(({ code, field }) => `${code} ${field}`)),
    };
  }, files);
  const { n } = found;
  expect(found.shapes).toEqual([[1, n, 32], [null, [1, 2, n, n]]]);
  expect(found.isPart).toBe(true);
  expect(found.moved).toBeGreaterThan(1e-3);
  expect(found.cell).toBe(0);
  expect(found.words).toHaveLength(4);
  expect(found.likeliest, 'kept keys and values give what a whole pass gives').toEqual([found.words[0].id, found.words[3].id]);
  for (const { token, probability } of found.words) expect([typeof token, probability > 0 && probability <= 1]).toEqual(['string', true]);
  expect(found.ended).toEqual(['aborted', 2]);
  expect(found.long, 'as far as the model takes words').toBe(128 - n + 1);
  expect(found.refused).toEqual([
    'shape_mismatch layers', 'missing_field off.head', 'unknown_option heads', 'not_applicable tensors', 'not_applicable save', 'unknown_option temperature',
  ]);
});

test('scores and logits are split over what they are made of, and heads take outputs from another text', async ({ page }) => {
  const files = { 'tiny.gguf': await golden('tests/golden/checkpoints/llama.gguf') };
  const found = await page.evaluate(async (files) => {
    const model = await attentionPlayground.open(blobs(files));
    const text = 'one two three';
    const { logits, tokens: [own] } = await model.forward({ text, want: ['logits'] });
    const [n, vocabulary] = [own.length, logits.shape[2]];
    const cell = { text, layer: 1, head: 3, query: n - 1, key: 1 };
    const split = await Promise.all(['key', 'query', 'pairs'].map((by) => model.attribute({ ...cell, by })));
    const logit = await model.attribute({ text, position: n - 1, token: 7 });
    const other = [[...own].reverse()];
    const patched = await model.forward({ text, want: ['logits'], patch: [{ layer: 0, head: 2, tokens: other }] });
    const same = await model.forward({ text, want: ['logits'], patch: [{ layer: 0, head: 2, text }] });
    const moved = ({ logits: { data } }) => Math.max(...data.map((own, at) => Math.abs(own - logits.data[at])));
    return {
      split, logit,
      isDefault: JSON.stringify(await model.attribute(cell)) === JSON.stringify(split[0]),
      last: logits.data[(n - 1) * vocabulary + 7],
      moved: [moved(patched), moved(same)],
      refused: await Promise.all([
        model.attribute({ text }), model.attribute({ ...cell, key: n }), model.attribute({ ...cell, query: 0 }), model.attribute({ ...cell, by: 'value' }),
        model.attribute({ ...cell, token: 1 }), model.attribute({ text, token: 1 }), model.forward({ text, patch: [{ layer: 0, head: 2, tokens: [[1]] }] }),
      ].map(refusal)).then((all) => all.map(({ code, field }) => `${code} ${field}`)),
    };
  }, files);
  for (const { score, parts } of [...found.split, found.logit]) {
    const largest = Math.abs(parts[0].value);
    expect(Math.abs(parts.reduce((sum, { value }) => sum + value, 0) - score)).toBeLessThan(1e-5 * largest);
  }
  expect(new Set(found.split.map(({ score }) => score)).size).toBe(1);
  expect(found.isDefault).toBe(true);
  const kinds = ({ kind, layer, head }) => [kind, layer, head].filter((own) => own !== undefined).join(' ');
  expect(found.split[0].parts.map(({ source }) => kinds(source)).sort()).toEqual(['head 0 0', 'head 0 1', 'head 0 2', 'head 0 3', 'mlp 0', 'token']);
  expect(found.split[2].parts).toHaveLength(36);
  expect(Object.keys(found.split[2].parts[0].source)).toEqual(['query', 'key']);
  expect(found.logit.logit).toBe(found.logit.score);
  expect(Math.abs(found.logit.logit - found.last)).toBeLessThan(1e-5 * Math.abs(found.logit.parts[0].value));
  expect(found.moved[0]).toBeGreaterThan(1e-3);
  expect(found.moved[1]).toBe(0);
  expect(found.refused).toEqual([
    'missing_field layer', 'shape_mismatch key', 'not_applicable key', 'unknown_option by', 'not_applicable layer', 'missing_field position', 'shape_mismatch patch.tokens',
  ]);
});

test('what is wrong with files is said by their names, and nothing stays', async ({ page }) => {
  const files = await folder('llama');
  const refused = await page.evaluate(async (files) => {
    const own = blobs(files);
    const { 'config.json': config, ...rest } = own;
    const changed = async (change) => new Blob([change(await config.text())]);
    const open = (given, options) => refusal(attentionPlayground.open(given, options));
    const early = new AbortController();
    early.abort();
    const late = new AbortController();
    return {
      nothing: await open(null),
      missing: await open(rest),
      none: await open({ ...own, 'config.json': 'a text' }),
      family: await open({ ...own, 'config.json': await changed((text) => text.replace('"llama"', '"mamba"')) }),
      shape: await open({ ...own, 'config.json': await changed((text) => text.replace('"intermediate_size": 48', '"intermediate_size": 47')) }),
      short: await open({ ...own, 'model.safetensors': own['model.safetensors'].slice(0, 5000) }),
      tokenizer: await open({ ...own, 'tokenizer.json': new Blob(['{']) }),
      early: await open(own, { signal: early.signal }),
      late: await open(own, { signal: late.signal, onProgress: () => late.abort() }),
      thrown: await open(own, { onProgress: () => { throw new Error('of the caller'); } }),
      callback: await open(own, { onProgress: 1 }),
      after: await open(own),
    };
  }, files);
  const said = Object.fromEntries(Object.entries(refused).map(([name, { code, field, resolved }]) => [name, resolved ?? `${code} ${field}`]));
  expect(said).toEqual({
    nothing: 'unknown_option files',
    missing: 'missing_field config.json',
    none: 'unknown_option config.json',
    family: 'unknown_option model_type',
    shape: 'shape_mismatch model.layers.0.mlp.up_proj.weight',
    short: 'unknown_option model.safetensors',
    tokenizer: 'unknown_option tokenizer.json',
    early: 'aborted signal',
    late: 'aborted signal',
    thrown: 'aborted onProgress',
    callback: 'unknown_option onProgress',
    after: 'object',
  });
});

const pathOf = (path) => fileURLToPath(new URL(path, ROOT));
const GGUF = { 'tiny.gguf': pathOf('tests/golden/checkpoints/llama.gguf') };
const FOLDER = Object.fromEntries(Object.entries(pathsOf('gpt2')).map(([name, path]) => [name, pathOf(path)]));

/** Tiny checkpoints as files of a disk. */
async function pickTiny(page) {
  await putHelpers(page);
  await pick(page, 'gguf', GGUF);
  await pick(page, 'folder', FOLDER);
}

for (const name of ['gguf', 'folder']) {
  test(`an opening, a pass and a continuation can be ended at every stage (${name})`, async ({ page }) => {
    await pickTiny(page);
    const steps = await stepsOf(page, name);
    expect(steps).toBeGreaterThan(1);
    for (let at = 1; at <= steps; at++) {
      const [before, once, step, after] = await endedOpenings(page, name, at);
      expect([before, once, step], `step ${at} of ${steps}`).toEqual(Array(3).fill('aborted signal'));
      // Nothing is left to be ended after the last.
      if (at < steps) expect(after).toBe('aborted signal');
    }
    expect(await endedCalls(page, name, 'one two three')).toEqual({ ended: ['aborted signal', 'aborted signal', 2], isWhole: true });
  });
}

const CHANGES = {
  'was cut': (path) => truncate(path, 70_000),
  'has grown': (path) => appendFile(path, 'more'),
  'has other bytes': async (path) => writeFile(path, (await readFile(path)).reverse()),
  'was removed': unlink,
};
for (const [what, change] of Object.entries(CHANGES)) {
  isolated(`a file that ${what} while it is opened is refused by its name`, async ({ page }) => {
    await pickTiny(page);
    for (const [paths, changing] of [[GGUF, 'tiny.gguf'], [FOLDER, 'model.safetensors']]) {
      await withCopies(paths, async (copies) => {
        await pick(page, 'changing', copies);
        expect(await changedOpening(page, 'changing', 1, () => change(copies[changing]))).toBe(`shape_mismatch ${changing}`);
      });
    }
    expect(await stepsOf(page, 'gguf'), 'another file opens').toBeGreaterThan(1);
  });
}

test('two models, one after the other and both at once', async ({ page }) => {
  await pickTiny(page);
  const { sizes, ...found } = await together(page, ['gguf', 'folder'], 'one two three');
  expect(sizes[0]).not.toBe(sizes[1]);
  expect(found).toEqual({ both: [true, true], left: true, freed: ['freed model', 'freed model'] });
});
