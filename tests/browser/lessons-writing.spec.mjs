// Lessons that somebody writes: what is kept of them, what is refused, and what they may show and lead to.

import { test as inElement, told, withElement } from './element.mjs';
import { expect, idle, isolated as test, openPage } from './fixture.mjs';
import { choose, link } from './helpers.mjs';
import { at, lesson, press, tool } from './lessons.mjs';

const source = (page) => lesson(page).locator('#lesson-source');

/** A lesson with this text in its only step. */
const written = (text, title = 'Mine') => `---\ntitle: ${title}\nminutes: 1\nopens: text=a+b\n---\n## look: One\n\n${text}\n`;

/** The page goes to a link, as if it was pressed. */
const follow = async (page, fragment) => {
  await page.evaluate((own) => { location.hash = own; }, fragment);
  await idle(page);
};

test('what is written is kept until it is taken or discarded, wherever the page goes', async ({ page }) => {
  await openPage(page, link({ lesson: '06-masks' }));
  await press(page, 'write');
  const before = await source(page).inputValue();
  await expect(tool(page, 'discard')).toHaveCount(0);
  let text = before;
  const type = async () => {
    text += 'x';
    await source(page).press('ControlOrMeta+End');
    await source(page).press('x');
  };
  const goOn = async () => {
    await expect(tool(page, 'write')).toHaveText('Go on writing');
    await press(page, 'write');
    await expect(source(page)).toHaveValue(text);
  };
  await type();
  await expect(tool(page, 'discard')).toBeVisible();
  await expect(source(page)).toBeFocused();

  for (const leave of [
    () => press(page, 'stop'),
    () => follow(page, link({ lesson: '01-what-attention-is' })),
    async () => {
      await page.goBack();
      await idle(page);
    },
    async () => {
      await page.reload();
      await idle(page);
    },
    async () => {
      await press(page, 'close');
      await page.locator('#open-lessons').click();
      await idle(page);
    },
    async () => {
      await page.locator('#undo').click();
      await idle(page);
      await expect(lesson(page)).toBeHidden();
      await page.locator('#redo').click();
      await idle(page);
    },
  ]) {
    await leave();
    await goOn();
    await type();
  }
  await choose(page, 'language', 'zh');
  await idle(page);
  await expect(source(page)).toHaveValue(text);
  await choose(page, 'language', 'en');
  await idle(page);

  // Discarded: the text of the lesson that the page has, also after a reload.
  await press(page, 'discard');
  await expect(source(page)).toHaveValue(before);
  await expect(source(page)).toBeFocused();
  await page.reload();
  await idle(page);
  await expect(tool(page, 'write')).toHaveText('Write a lesson');
  await press(page, 'write');
  await expect(source(page)).toHaveValue(before);

  // Taken: the page has it.
  await source(page).fill(written('Look.'));
  await press(page, 'take');
  await expect(at(page)).toContainText('Step 1 of 1');
  await expect(tool(page, 'write')).toHaveText('Change this lesson');
  expect(await page.evaluate(() => localStorage.getItem('attention-playground-draft'))).toBe(null);
});

test('what another tab writes is not taken away', async ({ page }) => {
  await openPage(page, link({ lesson: 'list' }));
  const other = await page.context().newPage();
  await openPage(other, link({ lesson: 'list' }));
  for (const [own, text] of [[page, 'one'], [other, 'two']]) {
    await press(own, 'write');
    await source(own).fill(text);
  }
  await press(page, 'discard');
  await other.reload();
  await idle(other);
  await press(other, 'write');
  await expect(source(other)).toHaveValue('two');
});

test('a file that is too large for a lesson is not read', async ({ page }) => {
  await openPage(page, link({ lesson: 'list' }));
  await press(page, 'write');
  const before = await source(page).inputValue();
  const choose = (size) => lesson(page).locator('#lesson-file').setInputFiles({ name: 'mine.md', mimeType: 'text/markdown', buffer: Buffer.alloc(size, 'x') });
  await choose(81_000);
  await expect(lesson(page).locator('.lesson-problem')).toHaveText('A lesson has at most 20000 characters.');
  await expect(source(page)).toHaveValue(before);
  await choose(20);
  await expect(source(page)).toHaveValue('x'.repeat(20));
  await expect(lesson(page).locator('.lesson-problem')).toHaveText('');
});

test('formulas and tables have their colours and columns without a style in the markup', async ({ page }) => {
  const text = [
    '$\\textcolor{#ff0000}{r} \\colorbox{yellow}{g} a\\!b \\operatorname{a<b} c~d$',
    '$$\\begin{array}{l|r} 1 & 1000 \\\\ 1000 & 1 \\end{array}$$',
    '| a | b |\n|:--|--:|\n| 1 | 2 |',
  ].join('\n\n');
  await openPage(page, link({ lesson: 'own', lesson_text: written(text, '# Mine') }));
  const look = (selector, ...properties) => lesson(page).locator(selector).first().evaluate((own, names) => names.map((name) => getComputedStyle(own)[name]), properties);
  expect(await look('mi:text-is("r")', 'color')).toEqual(['rgb(255, 0, 0)']);
  expect(await look('[mathbackground]', 'backgroundColor')).toEqual(['rgb(255, 255, 0)']);
  expect(parseFloat(await look('mspace[data-share]', 'marginLeft'))).toBeLessThan(-2);
  await expect(lesson(page).locator('mi', { hasText: 'a<b' })).toHaveCount(1);
  await expect(lesson(page).locator('mtext', { hasText: /^\u00a0$/ })).toHaveCount(1);
  expect(await look('td.cell-right', 'textAlign')).toEqual(['right']);
  expect(await look('mtd.cell-left', 'borderRightStyle')).toEqual(['solid']);
  const ends = (side) => lesson(page).locator(`mtd.cell-${side} mn`).evaluateAll((all, side) => all.map((own) => Math.round(own.getBoundingClientRect()[side])), side);
  for (const side of ['left', 'right']) {
    const [first, second] = await ends(side);
    expect(first, side).toBe(second);
  }
  await expect(lesson(page).locator('h2')).toHaveText('# Mine');
  await expect(lesson(page).locator('h1')).toHaveCount(0);
});

inElement('links of a lesson in an element set the element, or open a tab, and leave the page around it', async ({ page, host }) => {
  const text = written('[Masks](#v=1&lesson=06-masks) and [elsewhere](%SITE%/elsewhere).');
  await host.open(page, '<attention-playground id="one"></attention-playground>');
  const site = await page.evaluate(() => new URL(document.querySelector('script[src]').src).origin);
  await page.context().route(`${site}/elsewhere`, (route) => route.fulfill({ body: 'elsewhere', contentType: 'text/plain' }));
  await withElement(page, (one, text) => { one.settings = { lesson: 'own', lesson_text: text }; }, text.replace('%SITE%', site));
  await expect(lesson(page).locator('h2')).toHaveText('Mine');
  const address = page.url();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), lesson(page).locator('a', { hasText: 'elsewhere' }).click()]);
  expect(await tab.evaluate(() => window.opener)).toBe(null);
  await tab.close();
  await lesson(page).locator('a', { hasText: 'Masks' }).click();
  await expect(lesson(page).locator('h2')).toHaveText('Masks');
  expect(await withElement(page, (one) => [one.lesson, one.lesson_step, one.settings.embed])).toEqual(['06-masks', 1, true]);
  expect((await told(page, 'change')).at(-1).by).toBe('person');
  expect(page.url()).toBe(address);
});
