import { chromium as driver } from '@playwright/test';
import { headlessShell, chromiumFlags } from './browsers.mjs';
import { serve } from './server.mjs';
import { idle } from './idle.mjs';
const server = await serve({ folder: process.argv[2] });
const browser = await driver.launch({ executablePath: headlessShell(), args: chromiumFlags });
const page = await (await browser.newContext({ baseURL: server.origin, serviceWorkers: 'block' })).newPage();
await page.goto('/#v=1&lesson=00-show-me'); await idle(page);
const r = page.locator('#lesson');
const skip = process.argv[3] === 'skip';
if (!skip) { await r.locator('[data-lesson-choice="0"]').click(); await idle(page); }
for (let i = 0; i < 3; i++) { await r.locator('[data-lesson-do=next]').click(); await idle(page); }
await r.locator('[data-lesson-choice="1"]').click(); await idle(page);
console.log('outcomes', await r.locator('.lesson-outcome').count());
await browser.close(); await server.close();
