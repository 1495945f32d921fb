// The pictures in the README, and the one that links are shown with, made of the release build: `node tests/browser/screenshot.mjs` writes
// docs/screenshot-{light,dark}.png and docs/card.png.

import { fileURLToPath } from 'node:url';
import { chromium as driver } from '@playwright/test';
import { chromium, chromiumFlags } from './browsers.mjs';
import { idle } from './idle.mjs';
import { serve } from './server.mjs';

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));

/** A card has room for the sentence, the map, its heads and the chosen row. */
const CARD = {
  settings: new URLSearchParams({ v: 1, text: 'The animal was too tired because it ran', mask: 'causal', cell: 7 }),
  style: `.sentence-tools, .coach, .head .switches, .setup, .panel-names, .panels-below, .learning, .walk, .meanings, .whom, .histogram, .legend,
    .readout, .map-notes, #as-table, .save, .map-head fieldset, .map-tools, .rail-head button, .foot, .reading :is(h3, details) { display: none !important }
    .plate { --before: ; --rail: [rail] 210px !important; --after: [reading] 330px !important }
    .page { padding: 0 48px !important }`,
};

const server = await serve();
const browser = await driver.launch({ executablePath: chromium(), args: chromiumFlags });
try {
  for (const theme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: theme, locale: 'en-GB' });
    await page.goto(`${server.origin}/`);
    await idle(page);
    await page.screenshot({ path: `${DOCS}/screenshot-${theme}.png`, animations: 'disabled' });
    await page.close();
  }
  // The page's own policy allows no style of ours. A map is laid out again when the window changes.
  const page = await browser.newPage({ viewport: { width: 1281, height: 672 }, deviceScaleFactor: 1200 / 1280, colorScheme: 'light', locale: 'en-GB', bypassCSP: true });
  await page.goto(`${server.origin}/#${CARD.settings}`);
  await idle(page);
  await page.addStyleTag({ content: CARD.style });
  await page.setViewportSize({ width: 1280, height: 672 });
  await idle(page);
  await page.screenshot({ path: `${DOCS}/card.png`, animations: 'disabled' });
} finally {
  await browser.close();
  await server.close();
}
