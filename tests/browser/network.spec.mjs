// A whole session under watch: every panel opened, everything saved that can be. Nothing but the files of the build is ever asked for,
// nothing once the page is there but the chunks of its engine, and no cookie is set.

import { expect, idle, openPage, isolated as test } from './fixture.mjs';
import { choose, drag, reveal } from './helpers.mjs';

const CLOSED = 'button[aria-expanded="false"]:visible, details:not([open]) > summary:visible';

/** Opens what is closed until nothing is. */
async function openAll(page) {
  const seen = [];
  for (let closed; (closed = page.locator(CLOSED).first()) && await closed.count();) {
    seen.push(await closed.textContent());
    await closed.click();
    expect(seen.length, seen.join(' | ')).toBeLessThan(60);
  }
  await idle(page);
  return seen;
}

const ABOVE = ':is([popover]:popover-open, dialog[open])';

const closeAbove = (page) => page.evaluate((above) => {
  for (const part of [...document.querySelectorAll(above)].reverse()) part.localName === 'dialog' ? part.close() : part.hidePopover();
}, ABOVE);

/** Presses every button of what one button opens above the page; what they save is thrown away. */
async function pressAll(page, id) {
  const open = async () => {
    await closeAbove(page);
    await (await reveal(page.locator(`#${id}`))).click();
    return page.locator(`${ABOVE} button:enabled:visible`).all();
  };
  const count = (await open()).length;
  for (let at = 0; at < count; at++) await (await open())[at]?.click();
  await closeAbove(page);
  return count;
}

test('only the own files, nothing after the first picture but chunks of the engine, no cookies', async ({ page, context, server }) => {
  test.setTimeout(120_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const asked = [];
  const previewed = new Set();
  context.on('request', (request) => {
    asked.push(request.url());
    if (request.frame() !== page.mainFrame()) previewed.add(request.url());
  });
  page.on('websocket', (socket) => asked.push(socket.url()));
  await openPage(page, 'v=1&weights=random');
  await idle(page);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => !url.startsWith(`${server.origin}/`) && !url.startsWith('data:'))).toEqual([]);

  asked.length = 0;
  expect((await openAll(page)).length).toBeGreaterThan(5);
  let saved = 0;
  page.on('download', () => { saved += 1; });
  // Without a graphics card its panel has nothing to press.
  await pressAll(page, 'backend');
  for (const id of ['save', 'share-open']) expect(await pressAll(page, id), id).toBeGreaterThan(0);
  await expect.poll(() => saved, 'pressed for good').toBeGreaterThan(0);
  await drag(page, 'heads', 0.9);
  await page.locator('#text').fill('nobody else hears of this');
  await choose(page, 'language', 'zh');
  await choose(page, 'theme', 'dark');
  await idle(page);
  // A preview shows the page itself in a frame, from the same files: those come from the browser's cache or are the host's own.
  const isOwn = (url) => /^(data|blob):/.test(url) || (previewed.has(url) && url.startsWith(`${server.origin}/`));
  const isChunk = (url) => /^\/engine-\w+-[0-9a-f]{16}\.wasm(#_\w+)?$/.test(url.slice(server.origin.length)) && url.startsWith(server.origin);
  // What the site offers to open is listed beside the page, and asked for by the panel that shows it.
  const isOffer = (url) => url === `${server.origin}/models.json`;
  expect(asked.filter((url) => !isOwn(url) && !isChunk(url) && !isOffer(url))).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test('what is typed stays out of every request, the address that a server sees included', async ({ page, context }) => {
  const seen = [];
  context.on('request', (request) => seen.push(`${request.url().split('#')[0]} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`));
  await openPage(page, 'v=1&text=confidential+words');
  await page.locator('#text').fill('another secret');
  await idle(page);
  await page.reload();
  await idle(page);
  expect(page.url()).toContain('secret');
  expect(seen.filter((request) => /confidential|secret/.test(request))).toEqual([]);
});
