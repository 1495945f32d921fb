// What every browser test shares: a server of its own, a watch on everything that should stay silent, and ways to open and read the page.

import { expect, test as base } from '@playwright/test';
import { idle, inside } from './idle.mjs';
import { tellViolations } from './policy.mjs';
import { serve, SUB_FOLDER } from './server.mjs';

export { expect, SUB_FOLDER };

const VIEWPORT = { width: 1280, height: 900 };

const ALWAYS_ALLOWED = ['data:', 'blob:', 'about:'];

/** Playwright says so of each page whose service worker it holds back. */
const BLOCKED = /Service Worker registration blocked by Playwright/;
// What Chromium says where a frame is taken away while the digest of its module, or of a chunk of it, is checked, as a preview may be. Without a
// reason behind it: a module that is not loaded for any other reason has one, and stops the page.
const TAKEN_AWAY = /^Fetch API cannot load \S+\/engine(-\w+)+\.wasm\. $/;

/** Contexts whose pages tell of what the policy forbids. */
const told = new WeakSet();

/**
 * Collects what a healthy page never does: console errors and warnings, uncaught errors, failed loads, requests to another origin.
 * `stop` ends it.
 */
async function watch(context, origin) {
  const problems = [];
  if (!told.has(context)) await context.addInitScript(tellViolations);
  told.add(context);
  const note = (kind, text) => {
    if (!BLOCKED.test(text) && !TAKEN_AWAY.test(text)) problems.push(`${kind}: ${text}`);
  };
  const listeners = {
    console: (message) => {
      if (['error', 'warning'].includes(message.type())) note(`console ${message.type()}`, message.text());
    },
    weberror: (error) => note('uncaught', error.error()?.stack ?? String(error.error())),
    request: (request) => {
      const url = request.url();
      const allowed = url.startsWith(`${origin}/`) || ALWAYS_ALLOWED.some((scheme) => url.startsWith(scheme));
      if (!allowed) note('request to another origin', url);
    },
    response: (response) => {
      if (response.status() >= 400) note(`status ${response.status()}`, response.url());
    },
  };
  for (const [event, listener] of Object.entries(listeners)) context.on(event, listener);
  const stop = () => Object.entries(listeners).forEach(([event, listener]) => context.off(event, listener));
  return { problems, stop };
}

/** Lets `script` run in the page's workers before anything of ours does. */
export async function beforeWorker(page, script) {
  await page.route(/\/worker-\w+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${script};\n${await response.text()}` });
  });
}

/** Runs in the worker: what a browser says of an adapter that is a graphics card. */
function disguise() {
  const info = { vendor: 'test', architecture: 'card', description: '', isFallbackAdapter: false, subgroupMinSize: 4, subgroupMaxSize: 4 };
  Object.defineProperty(GPUAdapter.prototype, 'info', { get: () => info });
}

/**
 * Playwright's `test`, each with a context and a page of its own, with three fixtures more:
 * - `backend`: what the project's tests ask for, `cpu` or `webgpu`; with `isCard` the adapter says that it is a graphics card, so that
 *   the kernels for those are used;
 * - `server`: `{ origin }` of the server that this worker process runs; relative addresses in `page.goto` lead there;
 * - `quiet`: watches the page by itself and fails the test at its end. A test that provokes a problem on purpose names it with
 *   `quiet.allow(/pattern/)`; `quiet.problems()` gives what has been seen so far and is not allowed.
 */
export const isolated = base.extend({
  backend: ['cpu', { option: true }],
  isCard: [false, { option: true, scope: 'worker' }],
  page: async ({ page, isCard }, use) => {
    if (isCard) await beforeWorker(page, `(${disguise})()`);
    await use(page);
  },
  server: [
    async ({}, use) => {
      const server = await serve();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  // Here, so that tests of both kinds run in the same worker process. It is made when a test asks for it.
  sharedContext: [
    async ({ browser, server, isCard }, use) => {
      const context = await browser.newContext({ baseURL: server.origin, locale: 'en-GB', viewport: VIEWPORT, serviceWorkers: 'block' });
      const page = await context.newPage();
      if (isCard) await beforeWorker(page, `(${disguise})()`);
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  quiet: [
    async ({ context, server }, use) => {
      const { problems: seen, stop } = await watch(context, server.origin);
      const allowed = [];
      const problems = () => seen.filter((problem) => !allowed.some((pattern) => pattern.test(problem)));
      await use({ allow: (pattern) => allowed.push(pattern), problems });
      // What pages have said by now has then come.
      await Promise.all(context.pages().map((page) => page.evaluate(() => {}).catch(() => {})));
      stop();
      expect(problems(), 'the page must stay silent').toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * The same with one page for all tests of a worker process, for whatever only looks at the page and works its controls: to open a page
 * takes longer than most tests. `openPage` gives it another state through its address. What is not in the address is put back before
 * each test; a test that leaves more behind, or prepares the page before it is opened, is `isolated`.
 */
export const test = isolated.extend({
  context: async ({ sharedContext }, use) => use(sharedContext),
  page: async ({ sharedContext }, use) => {
    const page = sharedContext.pages()[0];
    shared.add(page);
    for (const name of ['addInitScript', 'route']) page[name] = () => { throw new Error(`${name} would stay with the tests to come: this one is isolated`); };
    await use(page);
    await putBack(page);
  },
});

export { idle, inside };

/** Pages that many tests use. */
const shared = new WeakSet();

const EVENTS = ['console', 'dialog', 'download', 'framenavigated', 'request', 'requestfinished', 'response', 'worker'];

/** Puts back what a test has done to a shared page and its context, as far as the browser is concerned. */
async function putBack(page) {
  const context = page.context();
  EVENTS.forEach((event) => page.removeAllListeners(event));
  const { width, height } = page.viewportSize();
  await Promise.all([
    ...context.pages().filter((other) => other !== page).map((other) => other.close()),
    context.clearPermissions(),
    page.mouse.up(),
    page.mouse.move(0, 0),
    page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: null, forcedColors: null }),
    (width !== VIEWPORT.width || height !== VIEWPORT.height) && page.setViewportSize(VIEWPORT),
  ]);
}

/** Every panel is open once: what a panel makes only then is no difference between a new document and a used one. */
const UNFOLDED = 'v=1&open=steps,streaming,training,draw,compare,analysis,cost,code,data';
/** A state between two tests. */
const BETWEEN = 'v=1&open=none&text=';

/**
 * In the page: gives it another state by its address, after closing what is open over it and going back to where everything begins;
 * says whether it could. Controls that say something else than in a new document with the same state are put back, as a hand would do it;
 * a page that has stopped, or says something else all the same, cannot be used again. `isNew` says that this document is new.
 */
async function change({ fragment, between, isNew }) {
  const isThere = document.querySelector('#map')?.dataset.step && location.pathname === '/' && document.querySelector('[data-failure]')?.hidden;
  if (!isThere || sessionStorage.length || !(isNew || globalThis.asNew)) return false;
  const close = () => {
    document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close());
    document.querySelectorAll(':popover-open').forEach((popover) => popover.hidePopover());
  };
  close();
  for (const play of document.querySelectorAll('#player-play, #streaming-play, #training-play, #draw-find')) if (play.textContent === 'Pause') play.click();
  document.querySelectorAll('#paint[aria-pressed="true"], #all-settings[aria-expanded="true"]').forEach((button) => button.click());
  for (const details of document.querySelectorAll('details[open]')) details.open = false;
  document.activeElement?.blur();
  getSelection().removeAllRanges();
  document.querySelector('#map').dispatchEvent(new PointerEvent('pointerleave'));
  for (const part of document.querySelectorAll('.page *')) if (part.scrollTop || part.scrollLeft) part.scrollTo(0, 0);
  scrollTo({ top: 0, behavior: 'instant' });
  const go = (next) => location.hash.slice(1) === next || new Promise((done) => {
    addEventListener('hashchange', done, { once: true });
    location.hash = next;
  });
  const controls = () => [...document.querySelectorAll('input, select, textarea')].map((own, at, all) => {
    const name = own.id || `${own.name}=${own.value}`;
    // Some have no name and the same values as others.
    const before = all.slice(0, at).filter((other) => !own.id && !other.id && other.name === own.name && other.value === own.value).length;
    return [own, `${name} ${before}`, /radio|checkbox/.test(own.type) ? 'checked' : 'value'];
  });
  const look = () => ({
    said: [...document.querySelectorAll('[role="status"], #notices')].map((own) => own.textContent),
    controls: Object.fromEntries(controls().map(([own, name, property]) => [name, own[property]])),
    orders: [...document.querySelectorAll('[aria-sort]')].map((own) => own.getAttribute('aria-sort')),
    // Where the curves of the cost are read; a chart that was never shown says nothing yet.
    reading: document.querySelector('#cost-chart').ariaValueNow ?? '1024',
  });
  const isAsNew = () => JSON.stringify(look()) === JSON.stringify(globalThis.asNew);
  const rest = async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (await frame(), await frame(); !('idle' in document.documentElement.dataset); await frame());
  };
  /** What panels have said goes when they are opened again, at a map of one word; what was copied from it, with a key. */
  const reopen = async () => {
    await go(`${between}a`);
    for (const panel of ['#save', '#share-open']) {
      document.querySelector(panel).click();
      await rest();
      close();
    }
    document.querySelector('#map').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await rest();
    await go(between);
  };
  await go(between);
  if (isNew) {
    await reopen();
    globalThis.asNew = look();
  } else if (!isAsNew()) {
    for (const [own, name, property] of controls()) {
      const wanted = globalThis.asNew.controls[name];
      if (wanted === undefined || own[property] === wanted) continue;
      own[property] = wanted;
      if (own.type === 'radio' && !wanted) continue;
      for (const event of ['input', 'change']) own.dispatchEvent(new Event(event, { bubbles: true }));
    }
    await rest();
    await reopen();
    if (!isAsNew()) return false;
  }
  localStorage.clear();
  // Where Tab goes on from.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.blur();
  document.body.removeAttribute('tabindex');
  await go(fragment);
  return true;
}

/** The opening sentence of the reader's language with hand-built heads. An empty address opens on what a model has learned. */
const STANDARD = 'weights=teaching';

/**
 * Opens the page with a state in its address (the fragment, without `#`) and waits until it is idle.
 * `folder` may be `SUB_FOLDER`; `map: false` returns as soon as the document is loaded; `isFresh` loads a shared page again.
 */
export async function openPage(page, fragment = STANDARD, { folder = '/', map = true, isFresh = false } = {}) {
  if (shared.has(page)) {
    const isSimple = folder === '/' && map && !isFresh;
    if (isSimple && await page.evaluate(change, { fragment, between: BETWEEN })) return idle(page);
    if (page.url() !== 'about:blank') {
      await page.evaluate(() => { localStorage.clear(); sessionStorage.clear(); }).catch(() => {});
      await page.goto('about:blank');
    }
    if (isSimple) {
      await page.goto(`/#${UNFOLDED}`);
      await idle(page);
      await page.evaluate(change, { fragment, between: BETWEEN, isNew: true });
      return idle(page);
    }
  }
  await page.goto(fragment ? `${folder}#${fragment}` : folder);
  if (map) await idle(page);
}

/** Opens a page with nothing in it, in our origin: nothing but the test itself can be what is seen there. */
export async function openBlank(page) {
  const body = '<!doctype html><html lang="en"><title>blank</title><link rel="icon" href="data:,"></html>';
  await page.route('/blank', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('/blank');
}

/**
 * The pixels of a canvas as `{ width, height, data }`, RGBA row by row. Read from a copy: Chromium warns of repeated reading of a
 * canvas that was not made for it, and a test must not change what it looks at.
 */
export async function readCanvas(locator) {
  const { width, height, text } = await locator.evaluate((canvas) => {
    const copy = document.createElement('canvas');
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
    // As runs of one colour: a picture has few of them, and what a test reads goes through two processes as text.
    const runs = [];
    for (let at = 0, start = 0; at < pixels.length; start = at) {
      while (at < pixels.length && pixels[at] === pixels[start]) at++;
      runs.push(`${(at - start).toString(36)},${pixels[start].toString(36)}`);
    }
    return { width: copy.width, height: copy.height, text: runs.join(' ') };
  });
  const pixels = new Uint32Array(width * height);
  let at = 0;
  for (const run of text ? text.split(' ') : []) {
    const [count, colour] = run.split(',').map((digits) => Number.parseInt(digits, 36));
    pixels.fill(colour, at, at += count);
  }
  return { width, height, data: new Uint8Array(pixels.buffer) };
}
