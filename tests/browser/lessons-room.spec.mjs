// Every step of every lesson: nothing of it sticks out, is cut off or lies over something else, and in `./dev soak` axe finds nothing.

import { violations } from './axe.mjs';
import { isSoak, subset } from './extent.mjs';
import { expect, idle, isolated as test, openPage } from './fixture.mjs';
import { link } from './helpers.mjs';
import { misplaced } from './helpers-place.mjs';
import { LESSONS } from './lessons.mjs';

const LOOKS = [
  { language: 'en', theme: 'light', size: { width: 1440, height: 900 } },
  { language: 'zh', theme: 'dark', size: { width: 390, height: 844 } },
];

for (const [place, { language, size, theme }] of LOOKS.entries()) {
  // `./dev soak` checks every lesson in both looks, `./dev test` another one in each.
  const lessons = subset(LESSONS, (_, at) => at === 4 + place);
  test(`every step of a lesson has its room: ${language}, ${size.width} px`, async ({ page }) => {
    test.setTimeout(240_000);
    await page.setViewportSize(size);
    for (const name of lessons) {
      await openPage(page, link({ lesson: name, lang: language, theme }));
      const next = page.locator('#lesson [data-lesson-do=next]');
      for (let isLast = false; !isLast;) {
        const step = await page.locator('#lesson .lesson-at').textContent();
        expect.soft(await misplaced(page, '#lesson'), `${name}, ${step}`).toEqual([]);
        isLast = await next.getAttribute('aria-disabled') === 'true';
        if (!isLast) await next.click();
        await idle(page);
      }
      // The tour asks axe of a lesson, of a question and of an answer.
      if (isSoak) expect.soft(await violations(page, '#lesson'), `${name}: axe`).toEqual([]);
    }
  });
}

for (const size of [{ width: 1440, height: 900 }, { width: 1200, height: 900 }]) {
  test(`the row that a lesson speaks of stands below its text, and the padlock behind the sentence: ${size.width} px`, async ({ page }) => {
    await page.setViewportSize(size);
    await openPage(page, link({ lesson: '06-masks' }));
    const box = (selector) => page.locator(selector).first().boundingBox();
    for (const act of ['[data-lesson-choice="1"]', '[data-lesson-do=next]', '[data-lesson-choice="0"]']) {
      const [text, row, map] = await Promise.all(['#lesson', '.reading', '#map'].map(box));
      expect(row.y - (text.y + text.height), act).toBeGreaterThanOrEqual(0);
      expect(row.y - (text.y + text.height), act).toBeLessThan(32);
      expect([row.x, row.width], act).toEqual([text.x, text.width]);
      expect(row.x, act).toBeGreaterThan(map.x + map.width);
      await page.locator(act).click();
      await idle(page);
    }
    const [label, paper] = await Promise.all(['.sentence > label', '.sentence > .paper'].map(box));
    expect(Math.abs(label.y + label.height / 2 - (paper.y + paper.height / 2))).toBeLessThan(2);
    expect(label.x).toBeGreaterThanOrEqual(paper.x + paper.width);
  });
}
