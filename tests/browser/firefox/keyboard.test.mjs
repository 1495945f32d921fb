// By keyboard alone, in another browser: past the controls to the map, along a row, into a cell, back, and undone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start } from './firefox.mjs';

let session;
let page;
before(async () => {
  session = await start();
  page = await session.open('');
});
after(() => session?.close());

const focused = () => page.evaluate(() => document.activeElement.id);
const press = async (...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

test('a reader without a mouse reads a cell, changes a setting and takes it back', async () => {
  await press('Tab', 'Enter');
  assert.equal(await focused(), 'map');
  await press('ArrowDown', 'ArrowRight', 'Enter');
  await page.waitForFunction(() => !document.querySelector('#inspector').hidden);
  await page.waitForFunction(() => document.querySelector('#live-region').textContent.includes('locked'));
  await press('Escape');
  await page.waitForFunction(() => document.querySelector('#inspector').hidden);

  await page.focus('#heads');
  await press('ArrowRight');
  await page.waitForFunction(() => document.querySelectorAll('#all-heads button').length === 10);
  await page.keyboard.down('Control');
  await press('z');
  await page.keyboard.up('Control');
  await page.waitForFunction(() => document.querySelectorAll('#all-heads button').length === 8);
  page.assertQuiet();
});
