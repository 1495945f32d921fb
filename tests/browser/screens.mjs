// Pictures of every stop of the tour, for looking at two builds side by side: `node tests/browser/screens.mjs DIST OUT [LOOK]`.
// LOOK is a part of a folder's name, such as `zh-dark` or `390`, and leaves out all others.

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium as driver } from '@playwright/test';
import { chromium, chromiumFlags } from './browsers.mjs';
import { serve } from './server.mjs';
import { LANGUAGES, THEMES, tour, WIDTHS } from './tour.mjs';

const [dist, out, only = ''] = process.argv.slice(2);
if (!dist || !out) throw new Error('node tests/browser/screens.mjs DIST OUT [LOOK]');

const LOOKS = LANGUAGES.flatMap((language) => THEMES.flatMap((theme) => WIDTHS.map((width) => ({ language, theme, width }))));

const server = await serve({ folder: resolve(dist) });
const browser = await driver.launch({ executablePath: chromium(), args: chromiumFlags });
try {
  for (const look of LOOKS) {
    const name = `${look.language}-${look.theme}-${look.width}`;
    if (!name.includes(only)) continue;
    const folder = join(out, name);
    mkdirSync(folder, { recursive: true });
    const context = await browser.newContext({ baseURL: server.origin, locale: 'en-GB', serviceWorkers: 'block' });
    const page = await context.newPage();
    await tour(page, look, async (stop) => {
      const path = join(folder, `${stop.name.replaceAll(/\W+/g, '-')}.png`);
      const own = page.locator(stop.root);
      // In a narrow window the parts of the map stand between those of the page, and have no box around them.
      const hasBox = await own.evaluate((root) => getComputedStyle(root).display !== 'contents');
      await (hasBox ? own : page.locator('.plate')).screenshot({ path, animations: 'disabled' });
    });
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
