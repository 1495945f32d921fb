// The pictures in the README, made of the release build: `node tests/browser/screenshot.mjs` writes docs/screenshot-{light,dark}.png.

import { fileURLToPath } from 'node:url';
import { chromium as driver } from '@playwright/test';
import { chromium, chromiumFlags } from './browsers.mjs';
import { idle } from './idle.mjs';
import { serve } from './server.mjs';

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));

const server = await serve();
const browser = await driver.launch({ executablePath: chromium(), args: chromiumFlags });
try {
  for (const theme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1360, height: 880 }, colorScheme: theme, locale: 'en-GB' });
    await page.goto(`${server.origin}/`);
    await idle(page);
    await page.screenshot({ path: `${DOCS}/screenshot-${theme}.png`, animations: 'disabled' });
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
