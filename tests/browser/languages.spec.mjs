// The page in languages that nobody speaks: nothing sticks out, is cut off or lies over something else, however long texts are and
// wherever lines begin.

import { expect, idle, openPage, test } from './fixture.mjs';
import { link } from './helpers.mjs';
import { misplaced } from './helpers-place.mjs';
import { MADE_UP, spoken } from './languages.mjs';

const WIDTHS = [1440, 390];

const press = (selector) => async (page) => {
  await page.locator(selector).click();
  await idle(page);
};

const unfold = (page) => page.locator('.page details').evaluateAll((all) => all.forEach((own) => { own.open = true; }));

const chooseParts = async (page) => {
  await page.locator('#share-wishes > summary').click();
  await page.locator('[name="share-extent"][value="chosen"]').check();
  await idle(page);
};

const MASKED = { text: 'the cat sees it', mask: 'causal,padding,local,strided,first', valid: '3', hiding: 'after', cell: '3,1' };
const EVERYTHING = { ...MASKED, open: 'steps,streaming,training,draw,compare,analysis,cost,code,data', against: 'mask=causal,first&d_k=8&scaled=0' };

const STOPS = [
  { name: 'the first view', settings: {} },
  { name: 'every mask, a number, and what folds', settings: MASKED, visit: unfold },
  { name: 'two sentences and a notice', settings: { text: 'two cats', source: 'deux chats noirs', weights: 'random', heads: '16', x: '1' } },
  { name: 'every panel', settings: EVERYTHING, visit: unfold },
  { name: 'the backend', settings: {}, visit: press('#backend'), root: '#backend-panel' },
  { name: 'save', settings: {}, visit: press('#save'), root: '#save-panel' },
  { name: 'share', settings: {}, visit: press('#share-open'), root: '#share' },
  { name: 'share, chosen parts', isFurther: true, visit: chooseParts, root: '#share' },
  { name: 'the list of lessons', settings: { lesson: 'list' }, root: '#lesson' },
  { name: 'a step that is looked at', settings: { lesson: '06-masks' } },
  { name: 'its text', isFurther: true, root: '#lesson' },
  { name: 'a question', settings: {}, isFurther: true, visit: press('[data-lesson-do=next]'), root: '#lesson' },
  { name: 'its answer', settings: {}, isFurther: true, visit: press('[data-lesson-choice="0"]'), root: '#lesson' },
  { name: 'a lesson that is written', settings: {}, isFurther: true, visit: press('[data-lesson-do=write]'), root: '#lesson' },
];

for (const width of WIDTHS) {
  test(`texts of any length and direction have their room: ${width} px`, async ({ page }) => {
    test.setTimeout(240_000);
    for (const { name, settings, visit, root = '.page', isFurther } of STOPS) {
      await page.setViewportSize({ width, height: 900 });
      if (!isFurther) await openPage(page, link(settings));
      await visit?.(page);
      for (const language of [...(process.env.SEE ? ['own'] : []), ...MADE_UP]) {
        const a = Date.now();
        await spoken(page, language);
        const b = Date.now();
        const faults = await misplaced(page, root);
        if (process.env.SEE) console.log(`${width} ${name} ${language}: ${faults.length} faults, ${b - a} + ${Date.now() - b} ms\n  ${faults.slice(0, 60).join('\n  ')}`);
        expect.soft(faults, `${name}, ${language}`).toEqual([]);
      }
      await spoken(page, 'own');
    }
  });
}
