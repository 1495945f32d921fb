// How much of the page a browser styles again for one key press: a rule that asks what an element holds can make it all of it.

import { expect, idle, openPage, isolated as test } from './fixture.mjs';
import { addOnPicture } from './pictures.mjs';
import { link } from './helpers.mjs';

const EVERYTHING = link({ open: 'steps,streaming,training,draw,compare,analysis,cost,code,data' });
const PRESSES = 8;

/** The slider, its number, the map's own words and those of the panels in sight; about 15 on the opening page. */
const MOST = 40;

/** Elements that were styled in each key press, from the key to the picture. */
function styled(events) {
  const at = (name) => events.filter((event) => event.name === name).map(({ ts }) => ts);
  const drawn = at('picture');
  return at('key').map((key) => {
    const end = drawn.find((time) => time > key);
    const within = events.filter(({ name, ph, ts }) => name === 'UpdateLayoutTree' && ph === 'X' && ts > key && ts < end);
    return within.reduce((sum, { args }) => sum + args.elementCount, 0);
  });
}

test('a key press on a slider styles what it changes, and no more', async ({ page, browser }) => {
  await openPage(page, EVERYTHING);
  await page.evaluate(addOnPicture);
  await page.evaluate(() => {
    addEventListener('keydown', () => performance.mark('key'), true);
    onPicture(() => performance.mark('picture'), true);
  });
  await page.locator('#d-k').focus();
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing'] });
  for (let at = 0; at < PRESSES; at++) {
    await page.keyboard.press(at % 2 ? 'ArrowLeft' : 'ArrowRight');
    await idle(page);
  }
  const counts = styled(JSON.parse(await browser.stopTracing()).traceEvents);
  expect(counts).toHaveLength(PRESSES);
  counts.sort((one, other) => one - other);
  expect(counts[0], 'something was styled').toBeGreaterThan(0);
  expect(counts[PRESSES / 2], `elements styled in each press: ${counts}`).toBeLessThan(MOST);
});
