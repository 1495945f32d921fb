// The scripts that draw the page before its engine is there.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { digest } from '../../scripts/dist/integrity.mjs';
import opening from '../../scripts/dist/opening.mjs';
import { Site } from '../../scripts/dist/site.mjs';

const script = (name) => readFile(new URL(`../../src/bindings/js/${name}`, import.meta.url));

/** The engine's glue, with what it says of the page in a language. */
const glue = (said) => `let module;
export const initSync = (given) => { module = given.module; };
/**
 * The page as it opens.
 */
export function opening(language, keys, conditions) {
    return ${said};
}
export const later = 1;
`;
const SAID = '{ language, words: keys.map((key) => [key, module[0]]), conditions, map: { bytes: Uint8Array.of(1, 2, 255) }, layer: Float32Array.of(0.5, -2), link: `v=1&text=didn\'t+${language}` }';

async function drawn(said, options = { isDrawn: true }) {
  const files = new Map(await Promise.all(['boot.js', 'opening.js'].map(async (name) => [name, await script(name)])));
  const site = new Site('', files, options);
  site.write('index.html', '<h1 data-t="title"></h1><p data-t="lead" data-t-label="title" data-when="mask=none&amp;d_k=8"></p><p data-when="mask=none&amp;d_k=8"></p>');
  site.write('engine.js', glue(said));
  site.write('engine.wasm', '\x07');
  await opening(site);
  return site;
}

test('each language has a script with what the engine says of it and a file of what its model has learned, taken with these bytes only', async () => {
  const site = await drawn(SAID);
  assert.deepEqual([...site.files.keys()].sort(), ['boot.js', 'engine.js', 'engine.wasm', 'index.html', 'opening-en.f32', 'opening-en.js', 'opening-zh.f32', 'opening-zh.js']);
  for (const [language, words] of [['en', '[]'], ['zh', '[["title",7],["lead",7]]']]) {
    const code = site.text(`opening-${language}.js`);
    assert.ok(code.includes(`language:"${language}",words:${words},conditions:["mask=none&d_k=8"],map:{bytes:"AQL/"}`), code.slice(0, 400));
    const numbers = site.files.get(`opening-${language}.f32`);
    assert.deepEqual([numbers.readFloatLE(0), numbers.readFloatLE(4), numbers.length], [0.5, -2, 8]);
    const named = [[`opening-${language}.js`, Buffer.from(code)], [`opening-${language}.f32`, numbers]].map(([name, bytes]) => `['./${name}', '${digest(bytes)}']`);
    assert.ok(site.text('boot.js').includes(`${language}: [${named.join(', ')}, "v=1&text=didn't+${language}"]`));
  }
});

test('a page that the script cannot draw stops the build', async () => {
  await assert.rejects(drawn('undefined'), /"en"/);
});

test('the function that only the build calls is not sent', async () => {
  assert.ok((await drawn(SAID)).text('engine.js').includes('function opening'), 'a quick build leaves the module whole');
  const glue = (await drawn(SAID, { isDrawn: true, isSplit: true })).text('engine.js');
  assert.ok(!glue.includes('opening') && glue.includes('later'), glue);
});

test('without the engine there is no picture, and the page asks for none', async () => {
  const site = await drawn(SAID, {});
  assert.ok(site.text('boot.js').includes('const OPENINGS = {  };'));
  assert.ok(![...site.files.keys()].some((name) => name.startsWith('opening')));
});
