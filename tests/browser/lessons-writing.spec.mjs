// Lessons that somebody writes: what they may show.

import { expect, isolated as test, openPage } from './fixture.mjs';
import { link } from './helpers.mjs';
import { lesson } from './lessons.mjs';

/** A lesson with this text in its only step. */
const written = (text, title = 'Mine') => `---\ntitle: ${title}\nminutes: 1\nopens: text=a+b\n---\n## look: One\n\n${text}\n`;

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
