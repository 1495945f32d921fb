// node shot.mjs OUTDIR FRAGMENT WIDTH HEIGHT THEME [scroll|full] [lang]  (run in tests/browser of a worktree)
import { chromium as driver } from '@playwright/test';
import { chromium, chromiumFlags } from './browsers.mjs';
import { serve } from './server.mjs';
const [out, fragment, w, h, theme, scroll='0', locale='en-GB'] = process.argv.slice(2);
const server = await serve();
const browser = await driver.launch({ executablePath: chromium(), args: chromiumFlags });
const page = await browser.newPage({ viewport: { width: +w, height: +h }, colorScheme: theme, locale });
page.on('console', m => { if (m.type() === 'error') console.log('console:', m.text()); });
page.on('pageerror', e => console.log('pageerror:', e.message));
await page.goto(`${server.origin}/${fragment}`);
await page.waitForFunction(() => performance.getEntriesByName('first-map').length > 0);
await page.waitForTimeout(600);
if (scroll !== 'full') await page.evaluate((y) => scrollTo(0, +y), scroll);
await page.waitForTimeout(200);
await page.screenshot({ path: out, fullPage: scroll === 'full', animations: 'disabled' });
await browser.close(); await server.close();
