// The code in the documents, run as it stands there. Only addresses are put in, and numbers where a text leaves them open.

import { readFile } from 'node:fs/promises';
import { expectPicture, test as elementTest } from './element.mjs';
import { expect, openPage, isolated as test } from './fixture.mjs';
import { expectShown, shown } from './helpers.mjs';
import { test as hostTest } from './hosts.mjs';

const ROOT = new URL('../../', import.meta.url);

/** The code blocks of a document in one language. */
async function blocks(document, language) {
  const text = await readFile(new URL(document, ROOT), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);
}

/** What stands in a line after `//`, as the value that it says an expression has. */
const remarks = (code) => Object.fromEntries([...code.matchAll(/^([\w.()]+);\s+\/\/ ([^\n]*)$/gm)].map(([, expression, says]) => [expression, says]));

/** The names in an object, and what kind of thing each stands for. */
const shape = (value) => Object.fromEntries(Object.entries(value).map(([name, own]) => [name, own && typeof own === 'object' ? shape(own) : typeof own]));

/** Numbers for what texts leave open: inputs and the weights of heads of width 2. */
const OPEN = `
  const matrix = (rows, columns) => Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => Math.sin(3 * i + j)));
  const heads = HEADS;
  const queries = matrix(3, 3);
  const [w_q, w_k, w_v, w_o] = [matrix(3, heads * 2), matrix(3, heads * 2), matrix(3, heads * 2), matrix(heads * 2, 5)];
  const weights = { w_q, w_k, w_v, w_o };
`;

/** Runs code as a module would, and returns what the names in `results` stand for. */
const run = (page, code, results) => page.evaluate(`(async () => { ${code}\n return { ${results.join(', ')} }; })()`);

test('the README and the reference compute what they say', async ({ page }) => {
  await openPage(page);
  const [readme] = await blocks('README.md', 'js');
  const opened = OPEN.replace('HEADS', 2).replace(/const (queries|weights) .*\n/g, '');
  const { weights, output, empty_rows } = await run(page, opened + readme, ['weights', 'output', 'empty_rows']);
  expect([weights.shape, output.shape, empty_rows]).toEqual([[2, 3, 3], [3, 5], 0]);

  const [first, decoding, padding, layers, models, checkpoints, attribution, backends] = await blocks('docs/api.md', 'js');
  const says = remarks(first);
  const { trace } = await run(page, first, ['trace']);
  expect(says['trace.weights.shape']).toMatch(`[${trace.weights.shape.join(', ')}]: `);
  expect(Object.keys(trace.weights.data)).toHaveLength(Number(says['trace.weights.data'].match(/of (\d+)/)[1]));
  const { decoded, padded } = await run(page, `const ap = attentionPlayground; ${decoding} ${padding}`, ['decoded', 'padded']);
  const [allKeys, lastRows] = [remarks(decoding)['decoded.weights.data'], remarks(padding)['padded.weights.data.slice(15)']].map((said) => JSON.parse(said));
  expect(Object.values(decoded.weights.data)).toEqual(allKeys);
  expect(Object.values(padded.weights.data).slice(15)).toEqual(lastRows);
  expect(padded.empty_rows).toBe(Number.parseInt(remarks(padding)['padded.empty_rows'], 10));
  const layer = await run(page, `const ap = attentionPlayground; ${OPEN.replace('HEADS', 4)} ${layers}`, ['trace']);
  expect([layer.trace.weights.shape, layer.trace.output]).toEqual([[4, 3, 3], undefined]);
  const file = (await readFile(new URL('../golden/checkpoints/llama.gguf', import.meta.url))).toString('base64');
  const given = `const file = new Blob([Uint8Array.from(atob('${file}'), (letter) => letter.charCodeAt(0))]), show = () => {}, signal = null;`;
  const attributed = attribution.replace('layer: 17, head: 4', 'layer: 1, head: 3');
  const together = checkpoints.replace('model.free();', attributed);
  const checkpoint = await run(page, `${given} ${together} model.free();`, ['ids', 'layers', 'score', 'parts', 'logit']);
  expect([checkpoint.score, checkpoint.logit, checkpoint.parts[0].value].every(Number.isFinite)).toBe(true);
  expect(checkpoint.layers.map(({ weights }) => weights.shape)).toEqual(Array(2).fill([1, 4, checkpoint.ids.length, checkpoint.ids.length]));
  const absent = backends.split('\n').find((line) => line.includes('no_webgpu')).replace('// ', '');
  const found = await page.evaluate(() => globalThis.attentionPlayground.backends());
  expect(shape(found)).toEqual(shape(await page.evaluate(`(${absent})`)));
});

elementTest('the element does what its document says', async ({ page, host, server }) => {
  const [markup] = await blocks('docs/element.md', 'html');
  const [script] = await blocks('docs/element.md', 'js');
  const body = markup.replace(/<script.*\n/, (line) => line.replace('https://example.org/playground', server.origin));
  await host.open(page, body);
  const read = script.replace('playground.settings.d_k;', 'const d_k = playground.settings.d_k;').replace('playground.state;', 'const { state } = playground;');
  const { d_k, state } = await run(page, read, ['d_k', 'state']);
  const says = remarks(script);
  expect(String(d_k)).toBe(says['playground.settings.d_k']);
  expect(`"${state}`).toContain(says['playground.state'].split('…')[0]);
  await expectPicture(page.locator('attention-playground'), 'text=two+words&heads=8&mask=causal,local&window=2');
  await expect.poll(() => page.evaluate(() => document.querySelector('attention-playground').snapshot.cell)).toBe(null);
});

hostTest('a page talks with the frame as its document says', async ({ page, host, server }) => {
  const [frame] = await blocks('docs/messages.md', 'html');
  const [script] = await blocks('docs/messages.md', 'js');
  const own = frame.replace('https://playground.example', server.origin).replace('https://course.example', host.origin);
  const body = `<!doctype html><html lang="en"><title>course</title><link rel="icon" href="data:,">${own}<script type="module">${script} Object.assign(globalThis, { say });</script></html>`;
  host.pages.set('/course', { body });
  const logged = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.goto(`${host.origin}/course`);
  const inside = page.frameLocator('#attention');
  await expectShown(inside, { heads: '2' });
  const height = () => page.locator('#attention').evaluate((frame) => frame.clientHeight);
  await expect.poll(height).toBeGreaterThan(200);
  await page.evaluate(() => globalThis.say({ type: 'set', settings: { heads: 4, mask: ['causal', 'local'], text: null } }));
  await expect.poll(() => shown(inside)).toMatchObject({ mask: 'causal,local' });
  await expect.poll(() => logged).toEqual(['4']);
});
