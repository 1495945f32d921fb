// Pages of somebody else that embed the playground: served from another origin, as they are.

import { expect, isolated as base } from './fixture.mjs';
import { serveStranger } from './stranger.mjs';

export { expect };

/** What a host page keeps of what it hears, and how it speaks; `heard` grows. */
function listen() {
  const frame = document.getElementById('frame');
  globalThis.heard = [];
  globalThis.say = (message) => frame.contentWindow.postMessage({ source: 'attention-playground', v: 1, ...message }, '*');
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow) return;
    globalThis.heard.push({ origin, ...data });
    if (globalThis.isFollowing && data.height) frame.style.height = `${data.height}px`;
  });
}

/**
 * Playwright's `test` with one fixture more, `host`: `{ origin, pages, open }` of a server whose origin is not the playground's.
 * `open(page, fragment, { sandbox, style, folder, follows })` opens a page with the playground in a frame and returns that frame's
 * locator once its first numbers are on screen (`ready: false` does not wait; `near` stays on the
 * playground's site, where a browser lets frames remember; `site` is another server of the playground).
 */
export const test = base.extend({
  host: async ({ server, quiet }, use) => {
    const { origin, pages, close } = await serveStranger();
    quiet.allow(new RegExp(`^request to another origin: http://(localhost|127.0.0.1):${new URL(origin).port}/`));
    const open = async (page, fragment, { sandbox, style = '', folder = '/', follows = true, ready = true, near = false, site = server.origin } = {}) => {
      const src = `${site}${folder}#${fragment}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
      const allowed = sandbox === undefined ? '' : ` sandbox="${sandbox}"`;
      const body = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>host</title><link rel="icon" href="data:,">
        <style>body { margin: 0; } iframe { display: block; width: 100%; height: 150px; border: 0; } ${style}</style>
        <h1>A lecture</h1><p><a href="#before" id="before">before</a></p>
        <iframe id="frame" title="Attention" src="${src}"${allowed}></iframe>
        <p><a href="#after" id="after">after</a></p><div id="more" style="height: 3000px"></div>
        <script>globalThis.isFollowing = ${follows}; (${listen})()</script></html>`;
      pages.set('/host', { body });
      await page.goto(`${near ? origin.replace('localhost', '127.0.0.1') : origin}/host`);
      if (ready) await heard(page, 'ready');
      return page.frameLocator('#frame');
    };
    await use({ origin, pages, open });
    await close();
  },
});

/** Says something to the frame. */
export const say = (page, message) => page.evaluate((message) => globalThis.say(message), message);

/** The newest message of a type, as soon as there is one that fits. */
export async function heard(page, type, fits = {}) {
  const find = () => page.evaluate(([type]) => globalThis.heard.filter((message) => message.type === type), [type]);
  let found;
  await expect(async () => {
    found = (await find()).at(-1);
    expect(found, `a message of type ${type}`).toMatchObject(fits);
  }).toPass({ intervals: [10, 20, 50, 100] });
  return found;
}

/**
 * Has the mouse over something in the frame, as the frame itself sees it: where one has just moved or grown, a browser may still give
 * a click that is meant for it to the page around, and nobody hears of that.
 */
export async function point(locator) {
  await expect(async () => {
    await locator.hover();
    expect(await locator.evaluate((one) => one.matches(':hover')), 'the mouse is over it').toBe(true);
  }).toPass({ intervals: [10, 20, 50, 100] });
}

let asked = 0;

/** Says something and returns the answer to it. */
export async function ask(page, message) {
  const id = `ask ${(asked += 1)}`;
  await say(page, { id, ...message });
  let answer;
  await expect(async () => {
    answer = (await page.evaluate((id) => globalThis.heard.filter((message) => message.id === id), id)).at(-1);
    expect(answer, 'an answer').toBeTruthy();
  }).toPass({ intervals: [10, 20, 50, 100] });
  return answer;
}

/** The state, once the numbers of these settings are on screen. */
export async function settled(page, settings = {}) {
  let state;
  await expect(async () => {
    ({ state } = await ask(page, { type: 'get' }));
    expect(state).toMatchObject({ computed: true, settings });
  }).toPass({ intervals: [10, 20, 50, 100] });
  return state;
}

/** How many messages of a type were heard. */
export const count = (page, type) => page.evaluate((type) => globalThis.heard.filter((message) => message.type === type).length, type);
