// What axe finds in a page, asked directly: Playwright's builder puts axe into the page anew each time and collects what passes, which
// takes half as long again.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that hold for a part of a page as well: what is best for a whole one is no concern of what others put into theirs. */
export const PARTS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
export const PAGES = [...PARTS, 'best-practice'];

/** What axe is not asked to hold: rules, and the markup that they may find fault with. */
const ALLOWED = [
  // Lower than the 24 px of WCAG 2.2, as they always were: what each token looks at, and fields of numbers below each other.
  ['target-size', /^<(button[^>]* data-row=|input class="number")/],
  // What scrolls in it is a whole page, which takes the focus itself; axe does not look into frames here.
  ['scrollable-region-focusable', /^<div[^>]* id="share-frame"/],
];

/** The rule that looks at colours. */
export const COLOURS = 'color-contrast';

/**
 * `{ faults, passed }` of a page or a frame below `root`: each fault as rule and markup, and how many rules found none. `runOnly` are the
 * rules, as axe names them.
 */
export async function examine(page, root = ':root', runOnly = PAGES) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(`${AXE};0`);
  // Style sheets are loaded once more for no rule that is asked for.
  const options = { runOnly, resultTypes: ['violations'], iframes: false, preload: false };
  const found = await page.evaluate(async ([root, options]) => {
    // Axe takes what lies below the edge with the panels' names for the moment as too small.
    const edge = document.querySelector('.panel-names');
    edge?.style.setProperty('position', 'static');
    const { violations, passes } = await axe.run(root, options).finally(() => edge?.style.removeProperty('position'));
    return { faults: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html])), passed: passes.length };
  }, [root, options]);
  const isAllowed = ([id, html]) => ALLOWED.some(([rule, markup]) => rule === id && markup.test(html));
  return { faults: found.faults.filter((fault) => !isAllowed(fault)).map(([id, html]) => `${id}: ${html}`), passed: found.passed };
}

/** The faults alone. What is in frames is looked at by itself. */
export const violations = async (...asked) => (await examine(...asked)).faults;
