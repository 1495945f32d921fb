// What a change needs is given back: a megabyte that stays behind each time would show within a few changes.

import { expect, openPage, test } from './fixture.mjs';
import { expectShown, link } from './helpers.mjs';
import { memory } from './memory.mjs';

/** Moves the slider of d_k `count` times, each time to another stop and each time to a picture; ends where it began. */
const changes = (page, count) => page.evaluate(async (count) => {
  const [slider, map] = ['d-k', 'map'].map((id) => document.getElementById(id));
  for (let at = 1; at <= count; at++) {
    const run = map.dataset.run;
    slider.value = String(at % 2 ? 5 : 4);
    for (const event of ['input', 'change']) slider.dispatchEvent(new Event(event, { bubbles: true }));
    while (map.dataset.run === run) await new Promise((resolve) => setTimeout(resolve, 2));
  }
}, count);

test('memory is flat over two hundred pictures of a megabyte', async ({ page }) => {
  test.setTimeout(120_000);
  await openPage(page, link({ text: 'one more word '.repeat(85).trim(), heads: '4' }));
  await changes(page, 20);
  const before = await memory(page);
  await changes(page, 200);
  await expectShown(page, { d_k: '16' });
  const after = await memory(page);
  expect(after.wasm - before.wasm, 'bytes of WebAssembly memory').toBeLessThan(2_000_000);
  expect(after.javascript - before.javascript, 'bytes of JavaScript').toBeLessThan(1_000_000);
  expect(after.nodes - before.nodes, 'nodes').toBeLessThan(100);
});
