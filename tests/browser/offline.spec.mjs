// Without a network after the first visit, and from one version to the next.

import { copyFile, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { soakOnly, subset } from './extent.mjs';
import { expect as common, idle, SUB_FOLDER, isolated as base } from './fixture.mjs';
import { choose, drag, shown } from './helpers.mjs';
import { makeNewer, publish } from './helpers-host.mjs';

const test = base.extend({
  site: async ({ quiet, context }, use) => {
    const site = await publish();
    quiet.allow(new RegExp(`^request to another origin: ${site.origin}/`));
    await use(site);
    // A page asks for the script of its service worker when it finds the time, and would say that there is no server any more.
    await Promise.all(context.pages().map((page) => page.goto('about:blank').catch(() => {})));
    await site.remove();
  },
});
test.use({ serviceWorkers: 'allow' });
// A browser looks for a newer service worker when it finds the time, and every test here copies a whole build.
test.describe.configure({ timeout: 120_000 });
const expect = common.configure({ timeout: 30_000 });

async function open(page, url) {
  await page.goto(url);
  await idle(page);
}

/** Waits until the page is kept. */
const becomesKept = (page) => page.waitForFunction(() => {
  const { controller } = navigator.serviceWorker;
  return controller?.state === 'activated' && controller.scriptURL === new URL('sw.js', document.baseURI).href;
});

/** Opens the page and waits until it is kept. */
async function visit(page, url) {
  await open(page, url);
  await becomesKept(page);
}

async function reload(page) {
  await page.reload();
  await idle(page);
}

const mark = (page) => page.evaluate(() => document.querySelector('meta[name=mark]')?.content ?? 'first');
const caches = (page) => page.evaluate(() => caches.keys());
const line = (page) => page.locator('[data-update]');
const status = (page, name) => page.evaluate((name) => fetch(name).then(({ status }) => status, () => 'no answer'), name);
const makeNewerPage = async (site) => {
  const path = join(site.folder, 'index.html');
  await writeFile(path, (await readFile(path, 'utf8')).replace('<title', '<meta name="mark" content="second"><title'));
};
/** The file itself, not what is packed of it. */
const named = async (site, pattern) => (await readdir(site.folder)).find((name) => pattern.test(name) && !/\.(br|gz)$/.test(name));

for (const folder of subset(['/', SUB_FOLDER], (folder) => folder === SUB_FOLDER)) {
  test(`after one visit ${folder} opens and computes without a network`, async ({ page, site }) => {
    await visit(page, site.origin + folder);
    await site.stop();
    await page.goto('about:blank');
    await open(page, `${site.origin}${folder}#v=1&weights=random&heads=2`);
    const { heads } = await shown(page);
    await drag(page, 'heads', 0.9);
    expect((await shown(page)).heads).not.toBe(heads);
    for (const fold of await page.locator('details > summary').all()) {
      if (await fold.isVisible()) await fold.click();
    }
    await choose(page, 'language', 'zh');
    await expect(page).toHaveTitle('注意力游乐场');
    expect(await page.evaluate(async () => (await attentionPlayground.compute({ q: [[[1, 2]]], k: [[[1, 2]]], v: [[[3]]] })).output ?? 'done')).toBeTruthy();
  });
}

test('a page that is kept has its chunks before a call waits for them, which a service worker cannot answer', async ({ page, site }) => {
  await visit(page, `${site.origin}/`);
  await site.stop();
  await reload(page);
  const chunks = () => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name, responseEnd }) => responseEnd && /engine-(more|zh)-/.test(name)).length);
  await expect.poll(chunks).toBe(2);
});

test('a newer version waits, says so, and comes when it is asked for', async ({ page, site }) => {
  await visit(page, `${site.origin}/`);
  await expect(line(page)).toBeHidden();
  const [first] = await caches(page);
  await makeNewer(site.folder, 'second');
  await open(page, `${site.origin}/#v=1&heads=3`);
  await reload(page);
  await expect(line(page)).toContainText('A new version is ready.');
  expect(await mark(page)).toBe('first');
  await choose(page, 'language', 'zh');
  await expect(line(page)).toContainText('新版本已就绪。');
  await Promise.all([page.waitForEvent('load'), line(page).getByRole('button', { name: '重新载入' }).press('Enter')]);
  await idle(page);
  expect(await mark(page)).toBe('second');
  expect(page.url()).toContain('heads=3');
  await expect(line(page)).toBeHidden();
  await expect.poll(() => caches(page)).toHaveLength(1);
  expect(await caches(page)).not.toContain(first);
});

/** What the browser's service workers are, told by the browser itself: asking from a page would keep the older one in use. */
async function workers(page) {
  const found = new Map();
  const devtools = await page.context().newCDPSession(page);
  devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => versions.forEach(({ versionId, status }) => found.set(versionId, status)));
  await devtools.send('ServiceWorker.enable');
  return () => [...found.values()].sort();
}

soakOnly(test)('"later" is heeded, and the next visit without an open page has the newer version', async ({ page, context, site }) => {
  // When nothing needs the older worker any more, a browser may take its time (Chromium: up to a minute) until it lets go of it.
  test.setTimeout(150_000);
  await visit(page, `${site.origin}/`);
  await makeNewer(site.folder, 'second');
  await reload(page);
  await line(page).getByRole('button', { name: 'Later' }).click();
  await expect(line(page)).toHaveCount(0);
  const next = await context.newPage();
  const states = await workers(next);
  await expect.poll(states).toEqual(['activated', 'installed']);
  await page.close();
  await expect.poll(states, { timeout: 100_000 }).toEqual(['activated', 'redundant']);
  await open(next, `${site.origin}/`);
  expect(await mark(next)).toBe('second');
});

test('a page of the older version keeps its files until it is closed', async ({ page, context, site, quiet }) => {
  quiet.allow(/404/);
  await visit(page, `${site.origin}/`);
  const worker = await named(site, /^worker-/);
  await makeNewer(site.folder, 'second');
  const other = await context.newPage();
  await open(other, `${site.origin}/`);
  await line(other).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => mark(other).catch(() => 'between')).toBe('second');
  await idle(other);
  expect(await mark(page)).toBe('first');
  expect(await status(page, worker), 'no longer on the server').toBe(200);
  await drag(page, 'heads', 0.9);
  await page.close();
  // A browser may count a page that is closed for a moment longer; whoever comes next has what is old taken away.
  await expect(async () => {
    await reload(other);
    await expect.poll(() => caches(other), { timeout: 5000 }).toHaveLength(1);
  }).toPass({ timeout: 60_000 });
  expect(await status(other, worker)).toBe(404);
});

test('a version that cannot be fetched whole changes nothing', async ({ page, site, quiet }) => {
  quiet.allow(/404/);
  await visit(page, `${site.origin}/`);
  const kept = await caches(page);
  await makeNewer(site.folder, 'second');
  await unlink(join(site.folder, await named(site, /^style-/)));
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const failed = new Promise((resolve) => {
      registration.addEventListener('updatefound', () => {
        const { installing } = registration;
        installing.addEventListener('statechange', () => installing.state === 'redundant' && resolve());
      });
    });
    await registration.update();
    await failed;
  });
  expect(await caches(page)).toEqual(kept);
  await reload(page);
  expect(await mark(page)).toBe('first');
  await expect(line(page)).toBeHidden();
});

test('the page of an older build, which a cache on the way still has, is not kept with the files of a newer one', async ({ page, site }) => {
  const index = join(site.folder, 'index.html');
  const [stale, style] = [await readFile(index), await named(site, /^style-/)];
  await makeNewer(site.folder, 'second', /^style-/);
  const fresh = await readFile(index);
  await writeFile(index, stale);
  await copyFile(join(site.folder, await named(site, /^style-/)), join(site.folder, style));
  await page.addInitScript(() => {
    // Not in the page before, which has no origin.
    if (!globalThis.ServiceWorkerContainer) return;
    const { register } = ServiceWorkerContainer.prototype;
    ServiceWorkerContainer.prototype.register = async function (...given) {
      const registration = await register.apply(this, given);
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => { globalThis.cameTo = worker.state; });
      return registration;
    };
  });
  await open(page, `${site.origin}/`);
  await page.waitForFunction(() => ['activated', 'redundant'].includes(globalThis.cameTo));
  await writeFile(index, fresh);
  await unlink(join(site.folder, style));
  await reload(page);
  expect(await mark(page)).toBe('second');
  expect(await page.evaluate(() => document.querySelector('link[rel=stylesheet]').sheet?.cssRules.length)).toBeGreaterThan(0);
  // A page that is opened just as the worker becomes active is not taken over by it.
  await becomesKept(page);
  await site.stop();
  await reload(page);
  expect(await mark(page)).toBe('second');
});

test('what a browser has taken away is kept again after the next visit', async ({ page, site }) => {
  await visit(page, `${site.origin}/`);
  const kept = () => page.evaluate(async () => {
    const names = await caches.keys();
    return Promise.all(names.map(async (name) => [name, (await (await caches.open(name)).keys()).length]));
  });
  const before = await kept();
  expect(before[0][1]).toBeGreaterThan(5);
  await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));
  await reload(page);
  await expect.poll(kept).toEqual(before);
  await site.stop();
  await reload(page);
  expect(await mark(page)).toBe('first');
});

test('a stored page that cannot start is left by its reset', async ({ page, site, quiet }) => {
  quiet.allow(/integrity|Failed to load/i);
  await visit(page, `${site.origin}/#v=1&text=my+own+words`);
  await page.evaluate(async () => {
    const cache = await caches.open((await caches.keys())[0]);
    const start = document.querySelector('script[src*="start-"]').src;
    await cache.put(start, new Response('broken', { headers: { 'content-type': 'text/javascript' } }));
  });
  await page.reload();
  await expect(page.locator('[data-failure]')).toBeVisible();
  await page.locator('[data-failure-reset]').first().click();
  await idle(page);
  await expect(page.locator('[data-failure]')).toBeHidden();
  await expect(page.locator('#text')).toHaveValue('my own words');
});

test('copies in other folders, and what else lies there, are left alone', async ({ page, site, quiet }) => {
  await visit(page, site.origin + SUB_FOLDER);
  await visit(page, `${site.origin}/`);
  await page.evaluate(() => caches.open('of another site'));
  await makeNewer(site.folder, 'second');
  await reload(page);
  await line(page).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => mark(page).catch(() => 'between')).toBe('second');
  await idle(page);
  const scopes = async () => (await caches(page)).map((name) => name.split(' ').slice(0, 2).join(' ')).sort();
  await expect.poll(scopes).toEqual([`attention-playground ${site.origin}/`, `attention-playground ${site.origin}${SUB_FOLDER}`, 'of another']);
  await site.stop();
  quiet.allow(/ERR_/);
  expect(await status(page, 'no-such-file.txt'), 'only the files of the build are kept').toBe('no answer');
  await open(page, site.origin + SUB_FOLDER);
  expect(await mark(page)).toBe('first');
});

test('what the documentation puts in its place takes it away', async ({ page, site }) => {
  await visit(page, `${site.origin}/`);
  const docs = await readFile(new URL('../../docs/hosting.md', import.meta.url), 'utf8');
  await writeFile(join(site.folder, 'sw.js'), /```js\n([^]*?)```/.exec(docs)[1]);
  await makeNewerPage(site);
  await page.reload();
  await expect.poll(() => mark(page).catch(() => 'between')).toBe('second');
  await expect.poll(() => caches(page).catch(() => null)).toEqual([]);
});

test('only the whole page keeps anything: a frame does not', async ({ page, site }) => {
  await page.route(`${site.origin}/host`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><link rel="icon" href="data:,"><iframe src="/" width="600" height="600"></iframe>' }));
  await page.goto(`${site.origin}/host`);
  await idle(page.frames()[1]);
  await drag(page.frames()[1], 'heads', 0.9).catch(() => {});
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

// How a service worker that is refused, or may not be named, is passed over is one way in the page.
for (const [name, script] of subset(Object.entries({
  'is refused': () => { if (navigator.serviceWorker) navigator.serviceWorker.register = () => Promise.reject(new DOMException('refused', 'SecurityError')); },
  'may not even be named': () => Object.defineProperty(Navigator.prototype, 'serviceWorker', { get() { throw new DOMException('refused', 'SecurityError'); } }),
  'does not exist': () => { delete Navigator.prototype.serviceWorker; },
}), (_, at) => at === 1)) {
  test(`the page works where a service worker ${name}`, async ({ page, server }) => {
    await page.addInitScript(script);
    await open(page, `${server.origin}/`);
    const { heads } = await shown(page);
    await drag(page, 'heads', 0.9);
    expect((await shown(page)).heads).not.toBe(heads);
  });
}
