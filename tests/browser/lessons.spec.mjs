// Lessons on the page: how they are opened, taken, kept and left.

import { violations } from './axe.mjs';
import { watched } from './chunk-watch.mjs';
import { expect, idle, isolated as test, openPage } from './fixture.mjs';
import { address, link, named, shown } from './helpers.mjs';
import { misplaced } from './helpers-place.mjs';
import { at, lesson, LESSONS, press, tool } from './lessons.mjs';
import { withElement, test as inElement, allReady } from './element.mjs';

const PHONE = { width: 390, height: 844 };

const pick = async (page, place) => {
  await lesson(page).locator(`[data-lesson-choice="${place}"]`).click();
  await idle(page);
};
const outcome = (page) => lesson(page).locator('.lesson-outcome');
const goal = (page) => lesson(page).locator('.lesson-goal');

test('all lessons are a press away, are opened beside the map, and are left again', async ({ page }) => {
  const { asked, awaited } = await watched(page);
  await openPage(page);
  await page.mouse.move(200, 200);
  await expect.poll(() => asked).toContain('more');
  expect(asked).not.toContain('lessons');
  await page.locator('#open-lessons').click();
  await idle(page);
  await expect(lesson(page).locator('[data-lesson-open]')).toHaveCount(LESSONS.length);
  await expect(lesson(page)).toBeFocused();
  expect(asked.filter((chunk) => /lessons/.test(chunk)).sort()).toEqual(['lessons', 'lessons_en']);

  await lesson(page).locator('[data-lesson-open="06-masks"]').click();
  await idle(page);
  await expect(at(page)).toContainText('Step 1 of 7');
  expect(await shown(page)).toMatchObject({ text: 'the cat sat on the mat PAD PAD', heads: '6', head: '6', lesson: '06-masks', lesson_step: '1', lock: 'sentence' });
  await expect(page.locator('#heads')).toBeHidden();
  await expect(page.locator('#share-open')).toBeVisible();
  const [map, text] = await Promise.all([page.locator('#map').boundingBox(), lesson(page).boundingBox()]);
  expect(text.x).toBeGreaterThan(map.x + map.width);

  await press(page, 'close');
  await expect(lesson(page)).toBeHidden();
  await expect(page.locator('#open-lessons')).toBeFocused();
  await expect(page.locator('#heads')).toBeVisible();
  expect(named(await address(page))).not.toHaveProperty('lesson');
  await page.locator('#undo').click();
  await idle(page);
  await expect(at(page)).toContainText('Step 1 of 7');
  expect(await awaited()).toEqual([]);
});

test('on a phone the lesson is below the map, both are in sight, and its text can be folded away', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openPage(page);
  await page.locator('#open-lessons').click();
  await idle(page);
  await lesson(page).locator('[data-lesson-open="06-masks"]').click();
  await idle(page);
  const boxes = () => Promise.all([page.locator('#map').boundingBox(), lesson(page).boundingBox()]);
  let [map, text] = await boxes();
  expect(map.y).toBeGreaterThanOrEqual(0);
  expect(map.y + 0.8 * map.height).toBeLessThan(text.y);
  expect(text.y + text.height).toBeLessThanOrEqual(PHONE.height + 1);
  await press(page, 'fold');
  await expect(tool(page, 'fold')).toHaveAttribute('aria-expanded', 'false');
  [map, text] = await boxes();
  expect(text.height).toBeLessThan(0.15 * PHONE.height);
  await press(page, 'fold');
  await press(page, 'next');
  await pick(page, 1);
  await expect(outcome(page)).toHaveText('Right: that is what the page computes.');
});

test('a lesson by keyboard alone', async ({ page }) => {
  await openPage(page);
  await page.locator('#open-lessons').focus();
  await page.keyboard.press('Enter');
  await idle(page);
  const tab = async (times) => {
    for (let time = 0; time < times; time += 1) await page.keyboard.press('Tab');
  };
  const pressed = async (key) => {
    await page.keyboard.press(key);
    await idle(page);
  };
  // Close, then the lessons.
  await tab(1 + 7);
  await expect(page.locator(':focus')).toHaveAttribute('data-lesson-open', '06-masks');
  await pressed('Enter');
  const follow = async (name, most = 20) => {
    for (let step = 0; step < most; step += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement.dataset.lessonDo ?? document.activeElement.dataset.lessonChoice) === name) return;
    }
    throw new Error(`no way to ${name}`);
  };
  await follow('next');
  await pressed('Enter');
  await expect(tool(page, 'next')).toBeFocused();
  await page.locator('#lesson').focus();
  await follow('1');
  await pressed(' ');
  await expect(outcome(page)).toHaveText('Right: that is what the page computes.');
  await follow('next');
  await pressed('Enter');
  await expect(goal(page)).toContainText('Your turn');
  const box = page.locator('#pad-rows');
  for (let step = 0; step < 40 && !(await box.evaluate((own) => own === document.activeElement)); step += 1) await page.keyboard.press('Tab');
  await pressed(' ');
  await expect(goal(page)).toHaveText('Reached.');
});

test('lessons that do not come are asked for again', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  let isAway = true;
  await page.route(/\/engine-lessons_en-\w+\.wasm$/, (route) => (isAway ? route.abort() : route.continue()));
  await openPage(page, link({ lesson: '06-masks' }));
  await expect(lesson(page)).toContainText('could not be loaded');
  await expect(page.locator('#map')).toBeVisible();
  isAway = false;
  await lesson(page).locator('[data-again]').click();
  await expect(at(page)).toContainText('Step 1 of 7');
});

test('a lesson is changed on the page, refused with its line, and goes along in the link', async ({ page, browser, server }) => {
  const { asked, awaited } = await watched(page);
  await openPage(page, link({ lesson: '06-masks' }));
  await idle(page);
  expect(asked).not.toContain('lesson_writing');
  await press(page, 'write');
  const source = lesson(page).locator('#lesson-source');
  await expect(source).toHaveValue(/^---\ntitle: Masks\n/);
  const text = (await source.inputValue()).replace('title: Masks', 'title: My own $a^2$');
  await source.fill(text.replace('minutes: 8', 'minutes: few'));
  await press(page, 'take');
  await expect(lesson(page).locator('.lesson-problem')).toHaveText('Line 3: few is not a number.');
  await source.fill(text);
  await press(page, 'take');
  await expect(lesson(page).locator('h2 math')).toBeVisible();
  await expect(at(page)).toContainText('Step 1 of 7');
  await press(page, 'next');
  await pick(page, 1);
  await expect(outcome(page)).toHaveText('Right: that is what the page computes.');
  expect(named(await address(page))).toMatchObject({ lesson: 'own', lesson_step: '2', lesson_text: text });
  expect(await awaited()).toEqual([]);

  const context = await browser.newContext({ baseURL: server.origin, locale: 'en-GB', serviceWorkers: 'block' });
  const other = await context.newPage();
  await openPage(other, await address(page));
  await expect(at(other)).toContainText('Step 2 of 7');
  await expect(lesson(other).locator('h2')).toContainText('My own');
  await press(other, 'write');
  await expect(lesson(other).locator('#lesson-source')).toHaveValue(text);
  await press(other, 'stop');
  await expect(at(other)).toContainText('Step 2 of 7');
  await context.close();
});

test('a lesson is saved as a file and read from one; what is no lesson in a link is shown to be mended', async ({ page }) => {
  await openPage(page, link({ lesson: 'list' }));
  await press(page, 'write');
  const [download] = await Promise.all([page.waitForEvent('download'), tool(page, 'save').click()]);
  expect(download.suggestedFilename()).toBe('lesson.md');
  const source = lesson(page).locator('#lesson-source');
  await lesson(page).locator('#lesson-file').setInputFiles({ name: 'mine.md', mimeType: 'text/markdown', buffer: Buffer.from('---\ntitle: Mine\nminutes: 1\nopens: text=a+b\n---\n## look: One\n\n<b>Look</b>.\n') });
  await expect(source).toHaveValue(/title: Mine/);
  await press(page, 'take');
  await expect(lesson(page).locator('h2')).toHaveText('Mine');
  await expect(lesson(page)).toContainText('<b>Look</b>.');
  expect((await shown(page)).text).toBe('a b');

  await page.goto('about:blank');
  await openPage(page, link({ lesson: 'own', lesson_text: '---\ntitle: Mine' }));
  await expect(lesson(page).locator('.lesson-problem')).toHaveText('Line 1: --- is missing.');
  await expect(source).toHaveValue('---\ntitle: Mine');
  expect(await violations(page, '#lesson')).toEqual([]);
  await press(page, 'stop');
  await expect(lesson(page).locator('[data-lesson-open]')).toHaveCount(LESSONS.length);
});

test('paper has the step and the questions beside the map, and room for answers', async ({ page }) => {
  await openPage(page, link({ lesson: '06-masks' }));
  await press(page, 'next');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  const paper = page.locator('#print-lesson');
  await expect(paper).toContainText('Hide the padding');
  await expect(paper.locator('li')).toHaveCount(3);
  await expect(paper.locator('li').first()).toContainText('padding at the end');
  for (const gone of ['#lesson', '.reading', '.map-tools']) await expect(page.locator(gone)).toBeHidden();
  await expect(page.locator('#print-caption .address')).toContainText('lesson=06-masks');
});

test('before an audience it is large, goes on with a presenter’s keys, and a row that is pointed at stands out', async ({ page }) => {
  await openPage(page, link({ lesson: '06-masks' }));
  const size = () => lesson(page).locator('h3').evaluate((own) => parseFloat(getComputedStyle(own).fontSize));
  const before = await size();
  await page.keyboard.press('PageDown');
  await expect(at(page)).toContainText('Step 1 of 7');
  await press(page, 'lecture');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await idle(page);
  expect(await size()).toBeGreaterThan(1.3 * before);
  await expect(lesson(page).locator('.lesson-code path')).toHaveAttribute('d', /^M/);
  for (const [key, step] of [['PageDown', 2], ['ArrowRight', 3], ['PageUp', 2]]) {
    await page.keyboard.press(key);
    await idle(page);
    await expect(at(page)).toContainText(`Step ${step} of 7`);
  }
  const edges = () => page.locator('#map').evaluate((own) => ['--row-top', '--row-bottom'].map((name) => parseFloat(own.style.getPropertyValue(name))));
  expect(await edges()).toEqual([NaN, NaN]);
  const { width, height } = await page.locator('#map').boundingBox();
  await page.locator('#map').hover({ position: { x: width / 2, y: height / 2 } });
  await idle(page);
  const [top, bottom] = await edges();
  expect(top).toBeLessThanOrEqual(height / 2);
  expect(bottom).toBeGreaterThanOrEqual(height / 2);
  expect(await misplaced(page)).toEqual([]);
  await page.evaluate(() => document.exitFullscreen());
  await expect.poll(size).toBe(before);
  await expect(lesson(page).locator('.lesson-code')).toHaveCount(0);
  await page.keyboard.press('PageDown');
  await expect(at(page)).toContainText('Step 2 of 7');
});

for (const [width, height] of [[1440, 900], [1920, 1080]]) {
  test(`a lecture at ${width} × ${height} is the sentence, a large map, the row’s bars and the text`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openPage(page, link({ lesson: '05-what-it-means' }));
    await press(page, 'next');
    await idle(page);
    const box = (selector) => page.locator(selector).boundingBox();
    const before = await box('#map .picture');
    await press(page, 'lecture');
    await idle(page);
    const map = await box('#map');
    expect(map.height).toBeGreaterThanOrEqual(0.6 * height);
    expect(map.y + map.height).toBeLessThanOrEqual(height);
    expect((await box('#map .picture')).width).toBeGreaterThan(1.1 * before.width);
    const bars = await page.locator('#bars > li').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    expect(bars.length).toBeGreaterThan(2);
    expect(Math.max(...bars)).toBeLessThan(height);
    expect(await lesson(page).locator('p').last().evaluate((own) => getComputedStyle(own).fontSize)).toMatch(/^24(\.0\d*)?px$/);
    expect(await page.locator('.story .line').evaluate((line) => [line.getClientRects().length, line.scrollWidth - line.clientWidth])).toEqual([1, 0]);
    const seen = await page.locator('main :is(button, input, select, textarea)').evaluateAll((all) => all.filter((one) => one.checkVisibility() && !one.closest('#lesson, .sentence')).map((one) => one.id));
    expect(seen).toEqual([]);
  });
}

test('an embedded lesson is alone, and as high as what is in it', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 900 });
  await openPage(page, `embed&${link({ lesson: '06-masks' })}`);
  await expect(at(page)).toContainText('Step 1 of 7');
  for (const name of ['list', 'close']) await expect(tool(page, name)).toHaveCount(0);
  await expect(page.locator('#share-open')).toBeHidden();
  await press(page, 'next');
  await pick(page, 1);
  await expect(outcome(page)).toHaveText('Right: that is what the page computes.');
  expect(named(await address(page))).toHaveProperty('embed');
  expect(await misplaced(page)).toEqual([]);
});

inElement('an element takes a lesson as an attribute', async ({ page, host }) => {
  await host.open(page, '<attention-playground lesson="06-masks"></attention-playground>');
  await allReady(page);
  await expect(lesson(page).locator('h2')).toHaveText('Masks');
  await expect(page.locator('attention-playground')).toHaveAttribute('lesson_step', '1');
  await tool(page, 'next').click();
  await expect.poll(() => withElement(page, (one) => one.lesson_step)).toBe(2);
});
