// Fields for numbers in another browser, which lets any letters stand in them and does not tell twice of the same text.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { start } from './firefox.mjs';

const START = 'v=1&weights=random&seed=42&heads=4';

let session;
let page;
before(async () => {
  session = await start();
  page = await session.open(START);
});
after(() => session?.close());
beforeEach(async () => {
  await page.evaluate((start) => void (location.hash = start), START);
  await page.waitForFunction(() => {
    const [seed, heads] = ['seed', 'heads-number'].map((id) => document.getElementById(id));
    return seed.value === '42' && heads.value === '4' && !seed.matches(':disabled');
  });
  await dismiss();
});
afterEach(() => page.assertQuiet());

const dismiss = () => page.evaluate(() => document.querySelector('#notices button')?.click());
const type = async (id, typed) => {
  await page.waitForSelector(`#${id}`, { visible: true });
  await page.focus(`#${id}`);
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await (typed ? page.keyboard.type(typed) : page.keyboard.press('Delete'));
};
/** What a field says, and what the page says of it. */
const said = (id) => page.evaluate((id) => {
  const field = document.getElementById(id);
  return [field.value, field.validity.badInput, document.querySelector('#notices')?.innerText.split('\n')[0] ?? ''];
}, id);
/** The same, once it was left. */
const left = async (id) => {
  await page.focus('#text');
  return said(id);
};

const SEED = 'seed: It must be a whole number. Set to 42.';

for (const typed of ['abc', '-', '--', 'e1', '']) {
  test(`what is no number is refused each time: "${typed}"`, async () => {
    for (let time = 1; time <= 2; time++) {
      await type('seed', typed);
      assert.deepEqual(await left('seed'), ['42', false, SEED]);
      await dismiss();
    }
    // Entered, and then once more without leaving the field between.
    for (const isEntered of [true, true, false]) {
      await type('seed', typed);
      if (isEntered) await page.keyboard.press('Enter');
      assert.deepEqual(isEntered ? await said('seed') : await left('seed'), ['42', false, SEED]);
      await dismiss();
    }
  });
}

test('of a number with letters behind it the number stays', async () => {
  await type('seed', '12x');
  assert.deepEqual(await left('seed'), ['12', false, SEED.replace('42', '12')]);
});

test('a number out of range is moved to the nearest each time', async () => {
  const said = 'heads must be 1–16; set to 16.';
  await type('heads-number', '99');
  await page.keyboard.press('Enter');
  assert.equal(await page.$eval('#heads-number', ({ value }) => value), '16');
  await dismiss();
  await type('heads-number', '99');
  assert.deepEqual(await left('heads-number'), ['16', false, said]);
});

test('what is typed while something else changes the number is done once it is left', async () => {
  await type('seed', '7');
  await page.keyboard.press('Enter');
  await page.evaluate(() => void (location.hash = 'v=1&weights=random&seed=9'));
  await page.waitForFunction(() => document.querySelector('#seed').value === '9');
  const before = await page.evaluate(() => history.length);
  await type('seed', '7');
  assert.deepEqual((await left('seed')).slice(0, 2), ['7', false]);
  await type('seed', '8');
  await left('seed');
  // Each is an entry of its own.
  await page.waitForFunction((length) => history.length === length, {}, before + 2);
});

test('a lock that comes while something is typed leaves the number as it is', async () => {
  await type('seed', 'abc');
  await page.evaluate(() => void (location.hash = 'v=1&weights=random&lock=seed'));
  await page.waitForFunction(() => document.querySelector('#seed').matches(':disabled'));
  assert.deepEqual((await left('seed')).slice(0, 2), ['42', false]);
});

test('fields of panels show what is used instead', async () => {
  await page.evaluate(() => {
    document.querySelector('#open-streaming').click();
    document.querySelector('#save').click();
  });
  for (const [id, wanted] of [['save-width', '170'], ['tile-width', '1']]) {
    for (const typed of ['abc', 'abc']) {
      await type(id, typed);
      await page.keyboard.press('Enter');
      assert.deepEqual((await page.$eval(`#${id}`, ({ value, validity }) => [value, validity.badInput])), [wanted, false], id);
    }
    await page.keyboard.press('Escape');
  }
});
