// Real checkpoints through the public API, from a folder of `./dev models --into DIR minilm smollm2` that REAL_CHECKPOINTS names: `./dev soak checkpoints`.

import { readFile, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { openApi } from './api.mjs';
import { changedOpening, endedCalls, endedOpenings, pick, putHelpers, stepsOf, together, withCopies } from './checkpoints.mjs';
import { distance } from './distance.mjs';
import { expect, idle, isolated as base, openPage } from './fixture.mjs';
import { safetensors } from './helpers-files.mjs';
import { link, readout } from './helpers.mjs';
import { lesson, press } from './lessons.mjs';
import { memory } from './memory.mjs';
import { serve } from './server.mjs';

const FOLDER = process.env.REAL_CHECKPOINTS ?? '';
const TEXT = 'The animal didn\'t cross the street because it was too tired.';
const IDS = ['minilm', 'smollm2'];
const OPENINGS = 20;
/** How much longer than its file a tokenizer is: 28 MB of SmolLM2's. */
const TOKENIZER = 30_000_000;

const test = base.extend({
  server: [
    async ({}, use) => {
      const server = await serve({ mounts: { '/offered/': FOLDER } });
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
});
// Each reads up to gigabytes.
test.describe.configure({ timeout: 600_000 });

/** The models that the folder offers, by id. */
const offered = async () => Object.fromEntries(JSON.parse(await readFile(join(FOLDER, 'models.json'), 'utf8')).models.map((model) => [model.id, model]));
const pathsOf = ({ files }) => Object.fromEntries(files.map(({ name, path }) => [name, join(FOLDER, path)]));
const golden = (name) => readFile(new URL(`../golden/checkpoints/real/${name}`, import.meta.url));

test.beforeEach(async ({ page }) => {
  await openApi(page);
  await putHelpers(page);
  for (const [id, model] of Object.entries(await offered())) await pick(page, id, pathsOf(model));
});

/** Ids, offsets, all weights and the ten likeliest next words of each text. */
const read = (page, id, texts) => page.evaluate(async ([id, texts]) => {
  const model = await attentionPlayground.open(picked[id]);
  const likeliest = ({ shape: [, n, words], data }) => {
    const last = Array.from(data.subarray((n - 1) * words));
    const most = Math.max(...last);
    const sum = last.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
    return last.map((logit, id) => [id, Math.exp(logit - most) / sum]).sort((one, other) => other[1] - one[1]).slice(0, 10);
  };
  const found = [];
  for (const text of texts) {
    const { ids, tokens, offsets } = await model.encode(text);
    const { layers, logits } = await model.forward({ text, want: ['weights', 'logits'] });
    const shape = [layers.length, ...layers[0].weights.shape.slice(1)];
    const words = [];
    if (logits) for await (const word of model.generate({ text, temperature: 0, steps: 1 })) words.push(word);
    found.push({ ids, tokens, offsets, shape, weights: layers.flatMap(({ weights }) => [...weights.data]), next: logits && likeliest(logits), words });
  }
  model.free();
  return found;
}, [id, texts]);

for (const id of IDS) {
  test(`${id}: ids, every weight and the next words are those of transformers`, async ({ page }) => {
    const texts = await Promise.all([0, 1, 2].map(async (at) => JSON.parse(await golden(`${id}_${at}.json`))));
    const found = await read(page, id, texts.map(({ text }) => text));
    for (const [at, wanted] of texts.entries()) {
      const { ids, tokens, offsets, shape, weights, next, words } = found[at];
      expect({ ids, tokens, offsets }).toEqual({ ids: wanted.ids, tokens: wanted.tokens, offsets: wanted.offsets });
      const tensors = safetensors(await golden(`${id}_${at}.safetensors`));
      expect(shape).toEqual(tensors.weights.shape);
      const apart = { weights: distance(weights, tensors.weights.data), next: 0 };
      if (wanted.next) {
        apart.next = distance(next.map(([, probability]) => probability), wanted.next.map(([, probability]) => probability));
        expect(words).toMatchObject([{ id: next[0][0] }]);
      }
      console.log(`${id} ${at}: ${JSON.stringify(apart)}`);
      expect(apart.weights, wanted.text).toBeLessThan(1e-4);
      expect(apart.next, wanted.text).toBeLessThan(1e-4);
    }
  });

  test(`${id}: memory is about that of the file, and flat over ${OPENINGS} openings`, async ({ page }) => {
    const { files } = (await offered())[id];
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const openings = (count) => page.evaluate(async ([id, text, count]) => {
      for (let at = 0; at < count; at++) {
        const model = await attentionPlayground.open(picked[id]);
        await model.forward({ text, want: ['weights'] });
        model.free();
      }
    }, [id, TEXT, count]);
    const found = [await memory(page)];
    for (const count of [1, 2, OPENINGS - 3]) {
      await openings(count);
      found.push(await memory(page));
    }
    const [before, one, three, all] = found;
    console.log(`${id}, bytes of WebAssembly memory: ${found.map(({ wasm }) => wasm)}; of buffers: ${found.map(({ buffers }) => buffers)}`);
    expect(one.wasm - before.wasm, 'after the first').toBeLessThan(1.3 * bytes + TOKENIZER);
    expect(all.wasm - three.wasm, 'after the third').toBe(0);
    expect(all.javascript - three.javascript, 'JavaScript').toBeLessThan(1_000_000);
    expect(all.buffers - three.buffers, 'buffers').toBeLessThan(1_000_000);
  });

  test(`${id}: an opening, a pass and a continuation can be ended at every stage, and leave nothing`, async ({ page }) => {
    const steps = await stepsOf(page, id);
    console.log(`${id}: ${steps} steps`);
    const before = await memory(page);
    for (let at = 1; at <= steps; at++) {
      const [early, once, step, after] = await endedOpenings(page, id, at);
      expect([early, once, step], `step ${at} of ${steps}`).toEqual(Array(3).fill('aborted signal'));
      if (at < steps) expect(after).toBe('aborted signal');
    }
    expect(await endedCalls(page, id, TEXT)).toEqual({ ended: id === 'minilm' ? ['aborted signal'] : ['aborted signal', 'aborted signal', 2], isWhole: true });
    const { wasm } = await memory(page);
    console.log(`${id}: ${wasm - before.wasm} bytes of WebAssembly memory more after all that was ended`);
    expect(wasm - before.wasm).toBeLessThan(32_000_000);
  });

  for (const [what, change] of Object.entries({ 'was changed': (path) => utimes(path, 2e9, 2e9), 'was removed': unlink })) {
    test(`${id}: a file that ${what} while it is opened is refused by its name`, async ({ page }) => {
      const steps = await stepsOf(page, id);
      const paths = pathsOf((await offered())[id]);
      const [weights] = Object.keys(paths).slice(-1);
      await withCopies(paths, async (copies) => {
        await pick(page, 'changing', copies);
        expect(await changedOpening(page, 'changing', steps >> 1, () => change(copies[weights]))).toBe(`shape_mismatch ${weights}`);
      });
      expect(await stepsOf(page, id), 'another file opens').toBe(steps);
    });
  }
}

test('two models, one after the other and both at once', async ({ page }) => {
  const { sizes, ...found } = await together(page, IDS, TEXT);
  expect(sizes[0]).not.toBe(sizes[1]);
  expect(found).toEqual({ both: [true, true], left: true, freed: ['freed model', 'freed model'] });
});

test('a model that was fetched answers without a network', async ({ page, context }) => {
  const { files } = (await offered()).smollm2;
  const names = await page.evaluate(async (files) => {
    const blobs = await Promise.all(files.map(async ({ name, path }) => [name, await (await fetch(`./offered/${path}`)).blob()]));
    globalThis.model = await attentionPlayground.open(Object.fromEntries(blobs));
    return blobs.map(([name, { size }]) => `${name} ${size}`);
  }, files);
  expect(names).toEqual(files.map(({ name, bytes }) => `${name} ${bytes}`));
  await context.setOffline(true);
  const found = await page.evaluate(async (text) => {
    const { length } = await weightsOf(model, text);
    const words = [];
    for await (const { token } of model.generate({ text, steps: 3 })) words.push(token);
    model.free();
    return [length, words.length];
  }, TEXT);
  expect(found).toEqual([30 * 9 * 13 * 13, 3]);
});

for (const [language, reached] of [['en', 'Reached.'], ['zh', '做到了。']]) {
  test(`the lesson on an induction circuit is taken with the model that it is about: ${language}`, async ({ page }) => {
    const { smollm2 } = await offered();
    await page.goto('/#v=1');
    await openPage(page, link({ lesson: '16-a-real-model', lang: language }));
    await page.locator('#model-files').setInputFiles(Object.values(pathsOf(smollm2)));
    await expect(page.locator('.model-field .chosen')).toBeVisible();
    await idle(page);
    // The head that it speaks of is on the map by itself, and the goal is reached.
    const head = (layer, of) => new RegExp(language === 'zh' ? `第 ${layer} 层第 ${of} 头` : `layer ${layer} . head ${of}`);
    await expect(page.locator('#model-pointed')).toHaveText(head(18, 5));
    await expect(lesson(page).locator('.lesson-goal')).toHaveText(reached);
    await expect(page.locator('.model-words').first().locator('li').first()).toContainText('Mary');
    await press(page, 'next');
    await expect(page.locator('.model-field .cell')).toHaveCount(270);
    await press(page, 'next');
    const cell = await readout(page);
    expect([cell.query, cell.key]).toEqual(['John', 'went']);
    expect(Number(cell.value)).toBeCloseTo(0.82, 2);
    await press(page, 'next');
    await press(page, 'next');
    // The strongest part of the score leads to the head that told it.
    await page.locator('.model-parts').first().locator('button').first().click();
    await idle(page);
    await expect(page.locator('#model-pointed')).toHaveText(head(17, 1));
    await expect(lesson(page).locator('.lesson-goal')).toHaveText(reached);
    await press(page, 'next');
    await page.locator('.model-most button', { hasText: head(18, 5) }).click();
    await idle(page);
    await page.locator('[data-do="off"]').click();
    await idle(page);
    await expect(page.locator('.model-changed')).toContainText(/Mary.*9\d.*→ 90|Mary.*→.*9[01]/);
    await page.locator('[data-do="off"]').click();
    await press(page, 'next');
    await page.locator('[data-do="need"]').click();
    await idle(page);
    await expect(page.locator('.model-needs li').first()).toHaveText(head(2, 6));
    await press(page, 'next');
    await page.locator('[data-do="layers"]').click();
    await expect(page.locator('.model-layers tbody tr')).toHaveCount(31);
    await idle(page);
  });
}
