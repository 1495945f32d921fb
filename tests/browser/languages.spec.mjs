// The page in languages that nobody speaks: nothing sticks out, is cut off or lies over something else, however long texts are and
// wherever lines begin. And markup in what others have written stays text.

import { subset } from './extent.mjs';
import { expect, idle, openPage, test } from './fixture.mjs';
import { link } from './helpers.mjs';
import { misplaced } from './helpers-place.mjs';
import { MADE_UP, spoken } from './languages.mjs';

/** Widths with made-up languages: in `./dev test` the longest texts where there is least room, and the other direction where there is most. */
const SPOKEN = [390, 1440].flatMap((width) => subset(MADE_UP, (language) => language === (width === 390 ? 'long' : 'mirrored')).map((language) => [width, language]));

const press = (selector) => async (page) => {
  await page.locator(selector).click();
  await idle(page);
};

const chooseParts = async (page) => {
  await page.locator('#share-wishes > summary').click();
  await page.locator('[name="share-extent"][value="chosen"]').check();
  await idle(page);
};

const NUMBERS = JSON.stringify({ q: [[[1, 0], [0, 1]]], k: [[[1, 0], [0, 1]]], v: [[[1, 2], [3, 4]]] });

const bring = async (page) => {
  await page.locator('#import-file').setInputFiles({ name: 'layer.json', mimeType: '', buffer: Buffer.from(NUMBERS) });
  await page.locator('#import-dialog[open]').waitFor();
  await unfold(page);
};

const unfold = (page) => page.locator('.page details').evaluateAll((all) => all.forEach((own) => { own.open = true; }));

const MASKED = { text: 'the cat sees it', mask: 'causal,padding,local,strided,first', valid: '3', hiding: 'after', cell: '3,1' };
const EVERYTHING = { ...MASKED, open: 'steps,streaming,training,draw,compare,analysis,cost,code,data', against: 'mask=causal,first&d_k=8&scaled=0' };

/** A stop without settings goes on from the one before. What lies over the page, or scrolls by itself, is looked at alone. */
const STOPS = [
  { name: 'the first view', settings: {} },
  { name: 'the backend', visit: press('#backend'), root: '#backend-panel' },
  { name: 'how it works', visit: press('.foot-links [popovertarget=how]'), root: '#how' },
  { name: 'the glossary', visit: press('#how [popovertarget=glossary]'), root: '#glossary' },
  { name: 'every mask, a number, and what folds', settings: MASKED, visit: unfold },
  { name: 'save', visit: press('#save'), root: '#save-panel' },
  { name: 'two sentences and a notice', settings: { text: 'two cats', source: 'deux chats noirs', weights: 'random', heads: '16', x: '1' } },
  { name: 'numbers that are brought', visit: bring, root: '#import-dialog' },
  { name: 'share', settings: {}, visit: press('#share-open'), root: '#share' },
  { name: 'share, chosen parts', visit: chooseParts, root: '#share' },
  { name: 'every panel', settings: EVERYTHING, visit: unfold },
  { name: 'the list of lessons', settings: { lesson: 'list' }, root: '#lesson' },
  { name: 'beside a lesson', settings: { lesson: '06-masks' } },
  { name: 'a step to look at', root: '#lesson' },
  { name: 'a question', visit: press('[data-lesson-do=next]'), root: '#lesson' },
  { name: 'its answer', visit: press('[data-lesson-choice="0"]'), root: '#lesson' },
  { name: 'a lesson that is written', visit: press('[data-lesson-do=write]'), root: '#lesson' },
  { name: 'a number that is asked for', settings: { lesson: '04-softmax-by-hand', lesson_step: '5' }, root: '#lesson' },
  { name: 'the end of a lesson', settings: { lesson: '02-query-key-value', lesson_step: '7', head: '1' }, visit: unfold, root: '#lesson' },
];

/** Those that hold most, which `./dev test` looks at. */
const FULL = ['every mask, a number, and what folds', 'numbers that are brought', 'share', 'share, chosen parts', 'every panel', 'beside a lesson', 'a step to look at', 'a question'];

test('texts of any length and direction have their room', async ({ page }) => {
  test.setTimeout(240_000);
  for (const { name, settings, visit, root = '.page' } of subset(STOPS, ({ name }) => FULL.includes(name))) {
    await page.setViewportSize({ width: SPOKEN[0][0], height: 900 });
    if (settings) await openPage(page, link(settings));
    await visit?.(page);
    for (const [width, language] of SPOKEN) {
      await page.setViewportSize({ width, height: 900 });
      await spoken(page, language);
      expect.soft(await misplaced(page, root), `${name}, ${language}, ${width} px`).toEqual([]);
    }
    await spoken(page, 'own');
  }
});

test('the watch can see: a row that does not wrap is found', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await openPage(page, link({}));
  const style = (css) => page.locator('.choice:has([name="origin"])').evaluate((own, css) => { own.style.cssText = css; }, css);
  await style('flex-wrap: nowrap; white-space: nowrap');
  await spoken(page, 'long');
  expect((await misplaced(page)).join('\n')).toContain('outside the window: label');
  await style('');
  await spoken(page, 'own');
});

const HOSTILE = '<img src=x onerror="globalThis.ran = 1"><script>globalThis.ran = 1</script>';
const QUESTION = `### ${HOSTILE}\n\n${HOSTILE}\n`;
const LESSON = `---
title: ${HOSTILE}
minutes: 1
opens: ${new URLSearchParams({ text: HOSTILE })}
---

## predict: ${HOSTILE}

${HOSTILE}

- ${HOSTILE} {weight(1, 1) >= 0}
- no {weight(1, 1) < 0}

***

${HOSTILE}

## questions

${QUESTION.repeat(3)}
## experiment

${HOSTILE}
`;

test('markup in a text or a lesson of somebody else is shown and never runs', async ({ page }) => {
  await openPage(page, link({ lesson: 'own', lesson_text: LESSON }));
  const region = page.locator('#lesson');
  const times = async () => (await region.textContent()).split(HOSTILE).length - 1;
  expect(await times(), 'title, step, its text, a choice').toBe(5);
  await press('[data-lesson-choice="1"]')(page);
  expect(await times(), 'the answer, what follows, three questions with answers, an experiment').toBe(5 + 2 + 6 + 1);
  await expect(page.locator('#text')).toHaveValue(HOSTILE);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(page.locator('#print-lesson')).toContainText(HOSTILE);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await idle(page);
  await expect(page.locator('[onerror], .page script')).toHaveCount(0);
  expect(await page.evaluate(() => globalThis.ran)).toBeUndefined();
});
