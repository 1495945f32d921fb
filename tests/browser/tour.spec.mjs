// One way through the whole page in every theme, language and width: axe, names, nothing that is cut off or sticks out, and silence.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, isolated as test } from './fixture.mjs';
import { misplaced } from './helpers-place.mjs';
import { LANGUAGES, THEMES, tour, WIDTHS } from './tour.mjs';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

const file = (language) => fileURLToPath(new URL(`tour/${language}.txt`, import.meta.url));

/** Snapshots of all stops in one file, each below a line with its name. */
const HEADING = /^# (.+)\n/m;
function read(language) {
  const [, ...parts] = readFileSync(file(language), 'utf8').split(HEADING);
  return new Map(Array.from({ length: parts.length / 2 }, (_, at) => [parts[2 * at], parts[2 * at + 1].trimEnd()]));
}

/** Longer texts, such as a whole program, are looked at by tests of their own. */
const LONGEST = 300;

/** What is read aloud, without what depends on the machine; a row's name has what its cells say. */
const kept = (snapshot) => snapshot.split('\n').filter((line) => !/^ *- '?cell\b.*[^:]$/.test(line)).map((line) => line
  .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '…')
  .replaceAll(/(height=\\?")\d+/g, '$1…')
  .replaceAll(/<?\d[\d.,]*[\s\u202f]?(?:ns|µs|ms|s|纳秒|微秒|毫秒|秒)(?![\p{L}\d])/gu, '… s')
  .replaceAll(/\d[\d.,]*[\s\u202f]?[kMGT]?FLOP(?=, so that|，)/g, '… FLOP')
  // Narrow windows leave out the adapter, and put below each other what wide ones put beside each other.
  .replaceAll(/ ·Example Graphics 7(?=")/g, '')
  .replaceAll(/(\d)(?=\p{L})/gu, '$1 ')
  .slice(0, LONGEST)).join('\n');

/** What axe is not asked to hold: rules, and the markup that they may find fault with. */
const ALLOWED = [
  // Lower than the 24 px of WCAG 2.2, as they always were: what each token looks at, and fields of numbers below each other.
  ['target-size', /^<(button[^>]* data-row=|input class="number")/],
  // What scrolls in it is a whole page, which takes the focus itself; axe does not look into frames here.
  ['scrollable-region-focusable', /^<div[^>]* id="share-frame"/],
];

/**
 * Half of the looks, in which each pair of theme, language and width is there once: a rule depends on no more than two of them, and
 * axe takes longer than all the rest.
 */
const isHeld = (...look) => (THEMES.indexOf(look[0]) + LANGUAGES.indexOf(look[1]) + WIDTHS.indexOf(look[2])) % 2 === 0;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Asked directly: Playwright's builder puts axe into the page anew each time and collects what passes, which takes half as long again. */
async function violations(page, stop) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(`${AXE};0`);
  const options = { runOnly: TAGS, resultTypes: ['violations'], iframes: false };
  const found = await page.evaluate(async ([root, options]) => {
    const { violations } = await axe.run(root, options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html]));
  }, [stop.root, options]);
  const isAllowed = ([id, html]) => ALLOWED.some(([rule, markup]) => rule === id && markup.test(html));
  return found.filter((fault) => !isAllowed(fault)).map(([id, html]) => `${id}: ${html}`);
}

for (const language of LANGUAGES) {
  for (const theme of THEMES) {
    for (const width of WIDTHS) {
      test(`a tour: ${language}, ${theme}, ${width} px`, async ({ page }, testInfo) => {
        test.setTimeout(240_000);
        const isNew = ['all', 'changed'].includes(testInfo.config.updateSnapshots) && theme === 'light' && width === 1440;
        const wanted = isNew ? new Map() : read(language);
        const met = [];
        await tour(page, { theme, language, width }, async (stop) => {
          met.push(stop.name);
          const names = kept(await page.locator(stop.root).ariaSnapshot());
          if (isNew) wanted.set(stop.name, names);
          else expect.soft(names, `${stop.name}: what is read aloud`).toBe(wanted.get(stop.name));
          expect.soft(await misplaced(page, stop.root), `${stop.name}: what sticks out or is cut off`).toEqual([]);
          if (!isNew && !stop.isLight && isHeld(theme, language, width)) expect.soft(await violations(page, stop), `${stop.name}: axe`).toEqual([]);
        });
        if (isNew) writeFileSync(file(language), [...wanted].map(([name, names]) => `# ${name}\n${names}\n`).join(''));
        expect([...wanted.keys()], 'a snapshot for each stop').toEqual(met);
      });
    }
  }
}
