// The watch on the page must itself be able to fail: each test here does what it forbids and is expected to fail.

import { expect, openBlank, openPage, readCanvas, test as shared, isolated as test } from './fixture.mjs';
import { reveal } from './reveal.mjs';

/** What a page must not do, and what the watch says of it. */
const FORBIDDEN = {
  'a console error': [() => console.error('on purpose 1'), /^console error: on purpose 1/],
  'a console warning': [() => console.warn('on purpose 2'), /^console warning: on purpose 2/],
  'an uncaught error': [() => void setTimeout(() => { throw new Error('on purpose 3'); }), /^uncaught: .*on purpose 3/],
  'an unhandled rejection': [() => void Promise.reject(new Error('on purpose 4')), /^uncaught: .*on purpose 4/],
  'a request to another origin': [() => void fetch('http://127.0.0.1:9/').catch(() => {}), /^request to another origin: http:\/\/127\.0\.0\.1:9\//],
  'a missing file': [() => void fetch('no-such-file').catch(() => {}), /^status 404: .*no-such-file/],
  'a console error in a worker': [() => void new Worker(URL.createObjectURL(new Blob(['console.error("on purpose 5")']))), /^console error: on purpose 5/],
  'an uncaught error in a worker': [() => void new Worker(URL.createObjectURL(new Blob(['throw new Error("on purpose 6")']))), /on purpose 6/],
};

test('the watch sees whatever a page must not do', async ({ page, quiet }) => {
  await openBlank(page);
  for (const [name, [act, said]] of Object.entries(FORBIDDEN)) {
    expect(quiet.problems().filter((problem) => said.test(problem)), name).toEqual([]);
    await page.evaluate(act);
    await expect.poll(() => quiet.problems().some((problem) => said.test(problem)), name).toBe(true);
  }
  quiet.allow(/on purpose|127\.0\.0\.1:9|no-such-file|404|ERR_/);
});

test('a problem fails the test (this one fails as it should)', async ({ page }) => {
  test.fail();
  await openBlank(page);
  await page.evaluate(() => console.error('on purpose'));
});

test('reading a canvas gives its pixels', async ({ page }) => {
  await openBlank(page);
  await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { id: 'probe', width: 3, height: 2 });
    const context = canvas.getContext('2d');
    context.fillStyle = 'rgb(10, 20, 30)';
    context.fillRect(2, 1, 1, 1);
    document.body.append(canvas);
  });
  const { width, height, data } = await readCanvas(page.locator('#probe'));
  expect([width, height, data.length]).toEqual([3, 2, 24]);
  expect([...data.subarray(20)]).toEqual([10, 20, 30, 255]);
});

shared.describe('a page that tests share', () => {
  shared.describe.configure({ mode: 'serial' });
  const left = (page) => page.evaluate(() => ({
    dialogs: document.querySelectorAll('dialog[open], details[open], :popover-open').length,
    kind: document.querySelector('#data-all-kind')?.selectedIndex ?? 0,
    place: scrollY,
    width: innerWidth,
    text: document.querySelector('#text').value,
  }));
  let asNew;

  shared('is used', async ({ page }) => {
    await openPage(page, undefined, { isFresh: true });
    asNew = await left(page);
    expect(asNew).toMatchObject({ dialogs: 0, width: 1280 });
  });

  shared('is left with all that a test may do to it', async ({ page }) => {
    await page.setViewportSize({ width: 600, height: 500 });
    await openPage(page, 'v=1&open=data&text=other+words');
    await page.locator('#data-all-kind').selectOption({ index: 1 });
    await page.locator('#as-table > summary').click();
    await page.evaluate(() => scrollTo({ top: 300, behavior: 'instant' }));
    await page.evaluate(() => document.querySelector('#share-open').click());
    const now = await left(page);
    for (const [what, before] of Object.entries(asNew)) expect(now[what], what).not.toBe(before);
  });

  shared('is as new in the next test', async ({ page }) => {
    await openPage(page);
    expect(await left(page)).toEqual(asNew);
  });

  shared('is put back where a hand can do it, and loaded again only where something stays behind', async ({ page }) => {
    await openPage(page);
    await page.evaluate(() => { globalThis.isSame = true; });
    const state = () => page.evaluate(() => [globalThis.isSame, localStorage.length, document.documentElement.dataset.theme, document.querySelector('#tile-width').value, document.querySelector('#map-said').textContent]);
    const asNew = await state();
    await openPage(page, 'v=1&open=streaming,analysis&cell=2,1');
    await (await reveal(page.locator('label:has(input[name="theme"][value="dark"])'))).click();
    await page.locator('#tile-width').fill('2');
    await page.locator('#map').focus();
    await page.keyboard.press('Control+c');
    await expect(page.locator('#map-said')).not.toBeEmpty();
    for (const [at, now] of (await state()).entries()) if (at) expect(now, String(at)).not.toBe(asNew[at]);
    await openPage(page);
    expect(await state()).toEqual(asNew);
    await openPage(page, 'v=1&open=analysis');
    await page.locator('#analysis-heads th button').nth(2).click();
    await openPage(page);
    expect(await state()).toEqual([undefined, ...asNew.slice(1)]);
  });

  shared('fails the test in which it says something (this one fails as it should)', async ({ page }) => {
    shared.fail();
    await openPage(page);
    await page.evaluate(() => console.error('on purpose'));
  });

  shared('and no other', async ({ page, quiet }) => {
    await openPage(page);
    expect(quiet.problems()).toEqual([]);
  });

  shared('refuses what would stay with later tests', async ({ page }) => {
    expect(() => page.addInitScript(() => {})).toThrow('isolated');
    expect(() => page.route('**', () => {})).toThrow('isolated');
  });
});
