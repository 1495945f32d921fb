// The watch on the page must itself be able to fail: each test here does what it forbids and is expected to fail.

import { expect, openBlank, readCanvas, isolated as test } from './fixture.mjs';

test.beforeEach(({ page }) => openBlank(page));

const FORBIDDEN = {
  'a console error': () => console.error('on purpose'),
  'a console warning': () => console.warn('on purpose'),
  'an uncaught error': () => void setTimeout(() => { throw new Error('on purpose'); }),
  'an unhandled rejection': () => void Promise.reject(new Error('on purpose')),
  'a request to another origin': () => void fetch('http://127.0.0.1:9/').catch(() => {}),
  'a missing file': () => void fetch('no-such-file').catch(() => {}),
  'a console error in a worker': () => void new Worker(URL.createObjectURL(new Blob(['console.error("on purpose")']))),
  'an uncaught error in a worker': () => void new Worker(URL.createObjectURL(new Blob(['throw new Error("on purpose")']))),
};

for (const [name, act] of Object.entries(FORBIDDEN)) {
  test(`the watch sees ${name}`, async ({ page, quiet }) => {
    expect(quiet.problems()).toEqual([]);
    await page.evaluate(act);
    await expect.poll(() => quiet.problems().length).toBeGreaterThan(0);
    quiet.allow(/on purpose|127\.0\.0\.1:9|no-such-file|404|ERR_/);
  });
}

test('a problem fails the test (this one fails as it should)', async ({ page }) => {
  test.fail();
  await page.evaluate(() => console.error('on purpose'));
});

test('reading a canvas gives its pixels', async ({ page }) => {
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
