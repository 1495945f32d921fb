// A checkpoint in a second browser engine: a file of the disk, opened by the worker piece by piece.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { distance } from '../distance.mjs';
import { start } from './firefox.mjs';

const CHECKPOINTS = new URL('../../golden/checkpoints/', import.meta.url);

let session;
after(() => session?.close());

test('a GGUF file opens, and its ids and weights are those of the reference', async () => {
  session = await start();
  const page = await session.open();
  const { cases } = JSON.parse(await readFile(new URL('llama/expected.json', CHECKPOINTS)));
  const input = await page.evaluateHandle(() => Object.assign(document.createElement('input'), { type: 'file' }));
  await input.uploadFile(fileURLToPath(new URL('llama.gguf', CHECKPOINTS)));
  const found = await input.evaluate(async ({ files: [file] }, texts) => {
    const { open, ready } = attentionPlayground;
    await ready;
    const progress = [];
    const model = await open({ 'tiny.gguf': file }, { onProgress: (step) => progress.push(step) });
    const all = [];
    for (const text of texts) {
      const { layers, tokens: [ids] } = await model.forward({ text, want: ['weights'] });
      all.push({ ids, weights: layers.map(({ weights }) => ({ shape: weights.shape, data: [...weights.data] })) });
    }
    model.free();
    return { family: model.family, last: progress.at(-1), all };
  }, cases.map(({ text }) => text));
  assert.deepEqual([found.family, found.last.read], ['llama', found.last.total]);
  for (const [at, { ids, attentions }] of cases.entries()) {
    assert.deepEqual(found.all[at].ids, ids);
    for (const [layer, { shape, data }] of attentions.entries()) {
      const { weights } = found.all[at];
      assert.deepEqual(weights[layer].shape, [1, ...shape]);
      const apart = distance(weights[layer].data, data);
      assert.ok(apart < 1e-5, `${cases[at].text}, layer ${layer}: ${apart}`);
    }
  }
  page.assertQuiet();
});
