// A whole session under watch: every panel opened, everything saved that can be. Nothing but the files of the build is ever asked for,
// nothing at all once the page is there, and no cookie is set.

import { expect, openPage, test } from './fixture.mjs';
import { choose, drag, settle } from './helpers.mjs';

const CLOSED = 'button[aria-expanded="false"]:visible, details:not([open]) > summary:visible';

/** Opens what is closed until nothing is. */
async function openAll(page) {
  const seen = [];
  for (let closed; (closed = page.locator(CLOSED).first()) && await closed.count();) {
    seen.push(await closed.textContent());
    await closed.click();
    expect(seen.length, seen.join(' | ')).toBeLessThan(60);
  }
  await settle(page);
  return seen;
}

/** Presses every button of what opens above the page; what they save is thrown away. */
async function pressAll(page, opener) {
  const buttons = async () => {
    if (!(await opener.isVisible())) return [];
    await opener.click();
    return page.locator(':is([popover]:popover-open, dialog[open]) button:enabled:visible').all();
  };
  const count = (await buttons()).length;
  for (let at = 0; at < count; at++) {
    await page.keyboard.press('Escape');
    await (await buttons())[at]?.click({ timeout: 2000 }).catch(() => {});
  }
  await page.keyboard.press('Escape');
}

test('only the own files, nothing after the first picture, no cookies', async ({ page, context, server }) => {
  test.setTimeout(120_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const asked = [];
  context.on('request', (request) => asked.push(request.url()));
  page.on('websocket', (socket) => asked.push(socket.url()));
  await openPage(page, 'v=1&weights=random');
  await settle(page);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => !url.startsWith(`${server.origin}/`) && !url.startsWith('data:'))).toEqual([]);

  asked.length = 0;
  expect((await openAll(page)).length).toBeGreaterThan(5);
  const openers = page.locator('[popovertarget]:visible, [aria-haspopup="dialog"]:visible');
  for (const opener of await openers.all()) await pressAll(page, opener);
  await drag(page, 'heads', 0.9);
  await page.locator('#text').fill('nobody else hears of this');
  await choose(page, 'language', 'zh');
  await choose(page, 'theme', 'dark');
  await settle(page);
  // A preview shows the page itself in a frame, from the same files.
  const strangers = asked.filter((url) => !/^(data|blob):/.test(url) && !(url.startsWith(`${server.origin}/`) && page.frames().length > 1));
  expect(strangers).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test('what is typed stays out of every request, the address that a server sees included', async ({ page, context }) => {
  const seen = [];
  context.on('request', (request) => seen.push(`${request.url().split('#')[0]} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`));
  await openPage(page, 'v=1&text=confidential+words');
  await page.locator('#text').fill('another secret');
  await settle(page);
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName('first-map').length > 0);
  expect(page.url()).toContain('secret');
  expect(seen.filter((request) => /confidential|secret/.test(request))).toEqual([]);
});
