// What a change needs is given back: a megabyte that stays behind each time would show within a few changes.

import { extent } from './extent.mjs';
import { expect, openPage, isolated as test } from './fixture.mjs';
import { expectShown, link } from './helpers.mjs';
import { changes, memory } from './memory.mjs';

const PICTURES = extent('PICTURES', { short: 8, long: 200 });

test('memory is flat over many pictures of a megabyte', async ({ page }) => {
  test.setTimeout(240_000);
  await openPage(page, link({ text: 'one more word '.repeat(85).trim(), heads: '4' }));
  await changes(page, Math.min(PICTURES, 20));
  // The driver puts a script of its own into the page when a test first looks for an element.
  await expectShown(page, { d_k: '16' });
  const before = await memory(page);
  await changes(page, PICTURES);
  await expectShown(page, { d_k: '16' });
  // The browser may let go of something only after it has been asked twice.
  await expect(async () => {
    const after = await memory(page);
    expect(after.wasm - before.wasm, 'bytes of WebAssembly memory').toBeLessThan(2_000_000);
    expect(after.javascript - before.javascript, 'bytes of JavaScript').toBeLessThan(1_000_000);
    expect(after.nodes - before.nodes, 'nodes').toBeLessThan(100);
  }).toPass({ timeout: 30_000 });
});
