// The badge and its panel in another browser: the panel stands at its badge, says something, closes with Escape, and moves nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { idle, start } from './firefox.mjs';

let session;
before(async () => { session = await start(); });
after(() => session?.close());

const shown = (page) => page.$eval('#backend-panel', (panel) => panel.matches(':popover-open'));
const untilShown = (page, isShown) => page.waitForFunction((isShown) => document.querySelector('#backend-panel').matches(':popover-open') === isShown, {}, isShown);

test('the panel opens at its badge, says where the picture was computed, and closes with Escape', async () => {
  const page = await session.open();
  const places = () => page.evaluate(() => ['backend', 'backend-panel', 'map'].map((id) => {
    const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
    return { left, top, right, bottom };
  }));
  const [, , map] = await places();
  await page.click('#open-menu');
  await page.click('#backend');
  await untilShown(page, true);
  const [badge, panel, after] = await places();
  assert.deepEqual(after, map, 'nothing is moved');
  assert.ok(Math.abs(panel.top - badge.bottom - 4) < 1 && Math.abs(panel.right - badge.right) < 1, 'it stands at its badge');
  assert.match(await page.$eval('#backend-sentence', (sentence) => sentence.textContent), /computed this picture\./);
  await page.click('label:has(input[name="backend"][value="cpu"])');
  await idle(page);
  assert.equal(await page.$eval('#backend', ({ dataset }) => dataset.reason), 'chosen');
  assert.ok(await shown(page), 'a choice leaves it open');
  await page.keyboard.press('Escape');
  await untilShown(page, false);
  page.assertQuiet();
  await page.close();
});
