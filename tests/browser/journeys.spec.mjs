// Six visitors, each from opening the page to what he came for; and nothing moves under anybody while the page comes up.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { soakOnly, subset } from './extent.mjs';
import { expect, idle, isolated, openPage } from './fixture.mjs';
import { address, choose, drag, link, named, readout, table } from './helpers.mjs';
import { csv, saved } from './helpers-files.mjs';
import { expect as ofHost, test as embedded } from './hosts.mjs';
import { DIST, serve } from './server.mjs';

const headline = (page) => page.locator('#story');

/** What has moved without being asked to, with the names of what did. */
function watchShifts() {
  globalThis.shifts = [];
  const name = ({ node }) => node?.id || node?.className || node?.nodeName;
  new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map(({ value, sources }) => [value, ...sources.map(name)])))
    .observe({ type: 'layout-shift', buffered: true });
}

/** Two frames: what there was before the first of them has been painted. */
const painted = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

for (const width of subset([390, 1024, 1280, 1440], (width) => [390, 1280].includes(width))) {
  isolated(`nothing shifts while the page comes in, a part at a time: ${width} px`, async ({ page, quiet }) => {
    const pieces = (await readFile(join(DIST, 'index.html'), 'utf8')).split(/(?=<(?:section|fieldset|details|ul|footer|button[^>]* id=.share-open)\b)/);
    let arrival;
    async function* slowly() {
      for (const piece of pieces) {
        yield piece;
        await arrival;
        await painted(page);
      }
    }
    const slow = await serve({ instead: (path) => path === '/' && { headers: { 'content-type': 'text/html; charset=utf-8' }, body: slowly() } });
    quiet.allow(new RegExp(`^request to another origin: ${slow.origin}/`));
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(watchShifts);
    arrival = page.goto(`${slow.origin}/`, { waitUntil: 'commit' });
    await arrival;
    await page.waitForLoadState();
    await idle(page);
    const shifts = await page.evaluate(() => globalThis.shifts);
    expect(shifts.reduce((sum, [value]) => sum + value, 0), JSON.stringify(shifts)).toBeLessThanOrEqual(0.001);
    await slow.close();
  });
}

isolated('a first-time visitor learns what “it” means, and sees temperature and scaling at work', async ({ page }) => {
  await openPage(page, '');
  await expect(page.locator('.lead')).toContainText('Each row is a word that looks');
  await expect(headline(page)).toHaveText(/^it→animal0\.\d\d$/);
  await page.locator('#about-temperature').click();
  await expect(page.locator('#help-temperature')).toContainText('Divides the scores before the softmax');
  await page.keyboard.press('Escape');
  const before = await headline(page).textContent();
  await drag(page, 'temperature', 0.1);
  await idle(page);
  await expect(headline(page)).not.toHaveText(before);
  await page.locator('#undo').click();
  await expect(headline(page)).toHaveText(before);
  await page.locator('#player-previous').click();
  await expect(page.locator('#player-says')).toContainText('score');
  await page.getByRole('button', { name: 'wide', exact: true }).click();
  await idle(page);
  await expect(headline(page)).toHaveText(/^it→street/);
  await page.locator('#text').fill('The dog chased the ball because it was bored');
  await idle(page);
  await expect(page.locator('#notices')).toContainText('“chased”');
  await expect(headline(page)).toHaveText(/^it→dog/);
});

embedded('a lecturer hands on a causal map with every control locked, and it stands in the course page as it was sent', async ({ page, host }) => {
  await openPage(page);
  await choose(page, 'mask', 'causal');
  await page.locator('#share-open').click();
  await page.locator('label:has([name=share-form][value=iframe])').click();
  await page.locator('#share-wishes > summary').click();
  await page.locator('#share-lock-all').check();
  const snippet = page.locator('#share-text');
  await ofHost(snippet).toHaveValue(/lock=all/);
  host.pages.set('/course', { body: `<!doctype html><html lang="en"><title>Course</title><link rel="icon" href="data:,"><div style="width: 640px">${await snippet.inputValue()}</div></html>` });
  await page.goto(`${host.origin}/course`);
  const frame = page.frameLocator('iframe');
  await ofHost(frame.locator('#map')).toHaveAttribute('data-rows', '11');
  await ofHost(frame.locator('#mask-count')).toContainText('66 of 121');
  await ofHost(frame.locator('#heads')).toBeDisabled();
});

isolated('a researcher opens the fifth layer of a model, reads a number and takes it home', async ({ page }) => {
  await openPage(page);
  const [layers, heads, n] = [6, 2, 7];
  const row = (layer, head, query) => Array.from({ length: n }, (_, key) => (key === (query + head + layer) % n ? 0.4 : 0.1));
  const stack = Array.from({ length: layers }, (_, layer) => Array.from({ length: heads }, (_, head) => Array.from({ length: n }, (_, query) => row(layer, head, query))));
  await page.locator('#open-own').click();
  await page.locator('#import-file').setInputFiles({ name: 'attentions.json', mimeType: '', buffer: Buffer.from(JSON.stringify(stack)) });
  await page.locator('#import-dialog-entry').fill('5');
  await page.locator('#import-dialog-entry').press('Tab');
  await page.locator('#import-dialog-take').click();
  await idle(page);
  const { cells } = await table(page);
  expect(cells).toEqual(stack[4][0]);
  await page.locator('#save').click();
  const file = await saved(page, () => page.locator('#numbers-take').click());
  expect(csv(file.bytes).slice(1).map((line) => line.slice(1).map(Number))).toEqual(stack[4][0].map((own) => own.map(Math.fround)));
});

isolated.describe('in Chinese', () => {
  isolated.use({ locale: 'zh-CN' });
  isolated('a Chinese reader opens on a Chinese sentence and finds every word explained in Chinese', async ({ page }) => {
    await openPage(page, '');
    await expect(page.locator('#text')).toHaveValue('那只动物没有过马路，因为它太累了。');
    await expect(headline(page)).toHaveText(/^它→动物/);
    await choose(page, 'mask', 'causal');
    await expect(page.locator('#mask-rule')).toHaveText('每个词能看见自己和前面的词。');
    await page.locator('.foot-links [popovertarget="glossary"]').click();
    const meanings = await page.locator('#glossary dd').allTextContents();
    expect(meanings.length).toBeGreaterThan(11);
    for (const meaning of meanings) expect(meaning).toMatch(/[\u4e00-\u9fff]/);
  });
});

soakOnly(isolated)('by keyboard alone: to the map, along a row, into a cell, and back', async ({ page }) => {
  await openPage(page, '');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('#map')).toBeFocused();
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  const at = await readout(page);
  await page.keyboard.press('Enter');
  await idle(page);
  await expect(page.locator('#inspector')).toBeVisible();
  await expect(page.locator('#live-region')).toContainText('locked');
  expect(named(await address(page)).cell).toMatch(/^\d+,\d+$/);
  await page.keyboard.press('Escape');
  await idle(page);
  await expect(page.locator('#inspector')).toBeHidden();
  expect(at).toBeTruthy();
});

isolated.describe('on a phone', () => {
  isolated.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  isolated('a reader on a phone taps a word, moves a slider with the map in sight, and shares', async ({ page }) => {
    await openPage(page, link({ text: 'The cat sat because it was tired' }));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const word = page.locator('#text-shade span', { hasText: /^it$/ });
    const { x, y, width, height } = await word.boundingBox();
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await idle(page);
    await expect(headline(page)).toHaveText(/^it→cat/);
    await page.locator('#temperature').scrollIntoViewIfNeeded();
    await page.locator('#temperature').fill('0.3');
    await idle(page);
    const map = await page.locator('#map').boundingBox();
    expect(map.y + map.height, 'the map stays in sight').toBeGreaterThan(100);
    await page.locator('#share-open').tap();
    await expect(page.locator('#share-text')).toHaveValue(/temperature=/);
  });
});
