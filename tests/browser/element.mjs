// Pages of somebody else with our element in them: on another origin, or on our own.

import { expect, idle, isolated as base } from './fixture.mjs';
import { serveStranger } from './stranger.mjs';

export { expect };

/** In the page: keeps what elements tell. */
function listen() {
  globalThis.told = [];
  for (const type of ['ready', 'change', 'select', 'refused', 'failed']) {
    document.addEventListener(type, ({ target, detail, isTrusted }) => {
      if (!isTrusted && detail) globalThis.told.push({ type, id: target.id, ...(detail.error ? { message: detail.error.message } : detail) });
    });
  }
}

/**
 * Playwright's `test` with one fixture more, `host`: `{ origin, open }`. `open(page, body, { head, headers, ready, script })` opens a
 * page of another origin than the element's and waits until every element in it is ready; `%SITE%` in texts is the element's origin.
 */
export const test = base.extend({
  host: async ({ server, quiet }, use) => {
    const { origin, pages, close } = await serveStranger();
    quiet.allow(new RegExp(`^request to another origin: ${origin}/`));
    const fill = (text) => text.replaceAll('%SITE%', server.origin);
    const open = async (page, body, { head = '', headers = {}, ready = true, lang = 'en', script = true } = {}) => {
      const own = Object.entries(headers).map(([name, value]) => [name, fill(value)]);
      pages.set('/host', {
        headers: Object.fromEntries(own),
        body: fill(`<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A lecture</title><link rel="icon" href="data:,">
          ${head}${script ? '<script type="module" src="%SITE%/attention-playground.js"></script>' : ''}</head>
          <body><main><h1>A lecture</h1><p><a href="#before" id="before">before</a></p>${body}<p><a href="#after" id="after">after</a></p></main></body></html>`),
      });
      await page.addInitScript(listen);
      await page.goto(`${origin}/host`);
      if (ready && script) await allReady(page);
    };
    await use({ origin, pages, open });
    await close();
  },
});

/** Waits until every element of the page is ready. */
export const allReady = (page) => page.evaluate(async () => {
  const all = [...document.querySelectorAll('attention-playground')];
  await customElements.whenDefined('attention-playground');
  await Promise.all(all.map((one) => one.ready));
});

/** What was told, of one kind. */
export const told = (page, type) => page.evaluate((type) => globalThis.told.filter((one) => one.type === type), type);

/** Waits for something to be told that fits. */
export async function expectTold(page, type, fits) {
  await expect.poll(async () => (await told(page, type)).at(-1), { intervals: [10, 20, 50, 100] }).toMatchObject(fits);
}

/** Does something with the first element. */
export const withElement = (page, act, argument) => page.locator('attention-playground').first().evaluate(act, argument);

/** Where a page is mounted in an element. */
export const mountOf = (element) => element.locator('.mount');

/** Waits until an element is idle, which it is with what `part` of a link says. */
export async function expectPicture(element, part) {
  await idle(mountOf(element));
  expect(await element.evaluate((one) => one.state)).toContain(part);
}
