// One way through the whole page in every theme, language and width: axe, names, nothing that is cut off or sticks out, and silence.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COLOURS, PAGES, violations } from './axe.mjs';
import { isSoak } from './extent.mjs';
import { expect, isolated as test } from './fixture.mjs';
import { misplaced } from './helpers-place.mjs';
import { LANGUAGES, THEMES, tour, WIDTHS } from './tour.mjs';

const file = (language) => fileURLToPath(new URL(`tour/${language}.txt`, import.meta.url));

/** Snapshots of all stops in one file, each below a line with its name. */
const HEADING = /^# (.+)\n/m;
function read(language) {
  const [, ...parts] = readFileSync(file(language), 'utf8').split(HEADING);
  return new Map(Array.from({ length: parts.length / 2 }, (_, at) => [parts[2 * at], parts[2 * at + 1].trimEnd()]));
}

/** Longer texts, such as a whole program, are looked at by tests of their own. */
const LONGEST = 300;

/** What is read aloud, without what depends on the machine; a row's name has what its cells say; and without what folds a lesson or the names of the panels, which only narrow windows have. */
const kept = (snapshot) => snapshot.split('\n').filter((line) => !/^ *- ('?cell\b.*[^:]|button "(Hide the text|收起文字)" \[expanded\]|button "(More|更多)")$/.test(line)).map((line) => line
  .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '…')
  .replaceAll(/(height=\\?")\d+/g, '$1…')
  .replaceAll(/<?\d[\d.,]*[\s\u202f]?(?:ns|µs|ms|s|纳秒|微秒|毫秒|秒)(?![\p{L}\d])/gu, '… s')
  .replaceAll(/\d[\d.,]*[\s\u202f]?[kMGT]?FLOP(?=, so that|，)/g, '… FLOP')
  // Narrow windows leave out the adapter, and put below each other what wide ones put beside each other.
  .replaceAll(/ ·Example Graphics 7(?=")/g, '')
  .replaceAll(/(\d)(?=\p{L})/gu, '$1 ')
  .slice(0, LONGEST)).join('\n');

/** Half of the looks, in which each pair of theme, language and width is there once: a rule depends on no more than two of them. */
const ALL = LANGUAGES.flatMap((language, a) => WIDTHS.map((width, b) => ({ language, width, theme: THEMES[(a + b) % THEMES.length] })));
/** In `./dev test` two that have nothing in common. */
const LOOKS = isSoak ? ALL : [ALL[0], { ...ALL.at(-1), theme: THEMES[1] }];

/** Stops with colours that no stop before has, which is all that axe is asked of the second look. */
const COLOURFUL = ['first visit', 'backend', 'masks', 'reading', 'why not', 'locked', 'its answer', 'training', 'compare', 'analysis', 'cost', 'code', 'import refused', 'own numbers', 'save', 'share, chosen parts'];
/** The rules that axe holds a stop to. */
function rulesAt(stop, language) {
  if (stop.isLight) return null;
  if (isSoak || language === LANGUAGES[0]) return PAGES;
  return COLOURFUL.includes(stop.name) ? { type: 'rule', values: [COLOURS] } : null;
}

for (const { language, theme, width } of LOOKS) {
  test(`a tour: ${language}, ${theme}, ${width} px`, async ({ page }, testInfo) => {
    test.setTimeout(240_000);
    const isNew = ['all', 'changed'].includes(testInfo.config.updateSnapshots) && width === WIDTHS[0];
    const wanted = isNew ? new Map() : read(language);
    const met = [];
    page.setDefaultTimeout(10_000);
    await tour(page, { theme, language, width }, async (stop) => {
      met.push(stop.name);
      const names = kept(await page.locator(stop.root).ariaSnapshot());
      if (isNew) wanted.set(stop.name, names);
      else expect.soft(names, `${stop.name}: what is read aloud`).toBe(wanted.get(stop.name));
      expect.soft(await misplaced(page, stop.root), `${stop.name}: what sticks out or is cut off`).toEqual([]);
      const rules = rulesAt(stop, language);
      if (!isNew && rules) expect.soft(await violations(page, stop.root, rules), `${stop.name}: axe`).toEqual([]);
    });
    if (isNew) writeFileSync(file(language), [...wanted].map(([name, names]) => `# ${name}\n${names}\n`).join(''));
    expect([...wanted.keys()], 'a snapshot for each stop').toEqual(met);
  });
}
