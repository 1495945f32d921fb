// The page as one HTML file: saved from the page, opened where there is no server, and in the frames of those who show uploaded files.

import { createServer } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, idle, isolated as test, openPage } from './fixture.mjs';
import { saved } from './helpers-files.mjs';
import { link, readout } from './helpers.mjs';
import { violations } from './axe.mjs';

const SITE = new URL('../../dist/one-file.html', import.meta.url);
const MOST_BYTES = 2.5e6;

let folder;
test.beforeAll(async () => { folder = await mkdtemp(join(tmpdir(), 'one-file-')); });
test.afterAll(() => rm(folder, { recursive: true, force: true }));

// `file:` URLs are not of the test server's origin.
test.beforeEach(({ quiet }) => quiet.allow(/request to another origin: file:/));

const element = (page) => page.locator('attention-playground');
const settings = (page) => element(page).evaluate((own) => own.settings);
const tensor = (page, name) => element(page).evaluate(async (own, name) => {
  const { shape, data } = await own.tensor(name);
  return { shape, data: [...data] };
}, name);

/** Waits for the numbers, and for what comes after them: a worker that could not start would stop the page. */
async function expectAlive(page) {
  // Modules of the file run after its load event, and until then the element has none of its properties.
  await element(page).evaluate((own) => customElements.whenDefined(own.localName).then(() => own.ready));
  await expect(element(page)).toBeVisible();
  expect((await tensor(page, 'weights')).shape).toHaveLength(3);
  await expect(page.locator('[data-failure]')).toBeHidden();
}

/** Opens a file from the disk, in `context`. */
async function opened(context, name, bytes, fragment = '') {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href + fragment);
  await expectAlive(page);
  return page;
}

/** What the Share dialog saves, of what is chosen in it. */
async function shared(page, choose = async () => {}) {
  await page.locator('#share-open').click();
  await page.locator('label:has([name=share-form][value=file])').click();
  await choose();
  const file = await saved(page, () => page.locator('#share-save').click());
  await expect(page.locator('#share-said')).not.toBeEmpty();
  expect(file.name).toBe('attention-playground.html');
  return file.bytes;
}

test('what is shared as a file opens from a disk as it was, locked where it was chosen', async ({ page, context, server }) => {
  await openPage(page, link({ text: 'she sees </script> "it"', weights: 'random', seed: '7', mask: 'causal', heads: '3', head: '2', cell: '2,1' }));
  const own = await readout(page);
  const bytes = await shared(page, async () => {
    await page.locator('#share-wishes > summary').click();
    await page.locator('#share-lock-all').check();
  });
  expect(bytes.length).toBeLessThan(MOST_BYTES);
  const asked = [];
  context.on('request', (request) => asked.push(request.url()));
  const file = await opened(context, 'shared.html', bytes);
  expect(await readout(file)).toEqual(own);
  expect(await settings(file)).toMatchObject({ text: 'she sees </script> "it"', seed: 7, heads: 3, head: 2, cell: '2,1', lock: 'all', embed: false });
  await expect(file.locator('#heads')).toBeDisabled();
  expect(await file.title()).toBe('Attention Playground: she sees </script> "it"');
  expect(asked.filter((url) => !/^(file|blob|data):/.test(url))).toEqual([]);
  // The full page is known, and nothing of it is asked for before somebody goes there.
  await element(file).evaluate((own) => { own.embed = true; });
  await expect(file.locator('#whole')).toHaveAttribute('href', new RegExp(`^${server.origin}/#v=1&`));
});

test('own numbers are in the file, however many', async ({ page, context }) => {
  await openPage(page);
  const numbers = Array.from({ length: 2 * 41 * 41 }, (_, at) => (at % 7) + 1);
  const rows = Array.from({ length: 2 }, (_, head) => Array.from({ length: 41 }, (_, row) => {
    const own = numbers.slice((head * 41 + row) * 41, (head * 41 + row + 1) * 41);
    const sum = own.reduce((sum, next) => sum + next);
    return own.map((next) => next / sum);
  }));
  await page.locator('#import-file').setInputFiles([{ name: 'weights.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ weights: rows })) }]);
  await page.locator('#import-dialog-take').click();
  await idle(page);
  const file = await opened(context, 'numbers.html', await shared(page));
  const { shape, data } = await tensor(file, 'weights');
  expect(shape).toEqual([2, 41, 41]);
  expect(data).toEqual(rows.flat(2).map(Math.fround));
  expect((await settings(file)).data).not.toBeNull();
});

test('it is the whole page, in both languages and at both widths, by a link as well', async ({ context }) => {
  const bytes = await readFile(SITE);
  for (const [width, height, fragment, lang] of [[1440, 900, '', 'en'], [390, 844, '#v=1&lang=zh&heads=2', 'zh-Hans']]) {
    const file = await opened(context, 'site.html', bytes, fragment);
    await file.setViewportSize({ width, height });
    await expect(file.locator('html')).toHaveAttribute('lang', new RegExp(`^${lang.slice(0, 2)}`));
    expect(await violations(file)).toEqual([]);
    // Code that comes when it is asked for.
    await element(file).evaluate((own) => { own.lesson = '06-masks'; });
    await expect(file.locator('#lesson')).toBeVisible();
    await element(file).evaluate((own) => Object.assign(own, { lesson: null, weights: 'learned', trained: 3 }));
    await expectAlive(file);
    // What is left out is said, and breaks nothing.
    await element(file).evaluate((own) => Object.assign(own, { weights: null, show: null, lock: null, open: 'model' }));
    await expect(file.locator('#panel-model')).toContainText(lang === 'en' ? 'leaves out what opens models' : '没有打开模型的部分');
    await file.locator('#model-files').setInputFiles({ name: 'model.gguf', mimeType: '', buffer: Buffer.from('GGUF') });
    await expectAlive(file);
    await file.close();
  }
});

test('opens in the frames of those who show uploaded files, and says so where scripts are forbidden', async ({ page, quiet }) => {
  const text = await readFile(SITE, 'utf8');
  const quoted = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const frames = {
    '/sandbox': '<iframe title="file" src="/file" sandbox="allow-scripts" width="900" height="700"></iframe>',
    '/srcdoc': `<iframe title="file" srcdoc="${quoted}" width="900" height="700"></iframe>`,
    '/srcdoc-sandbox': `<iframe title="file" srcdoc="${quoted}" sandbox="allow-scripts" width="900" height="700"></iframe>`,
    '/served-sandboxed': '<iframe title="file" src="/sandboxed-file" width="900" height="700"></iframe>',
    '/no-scripts': '<iframe title="file" src="/file" sandbox width="900" height="700"></iframe>',
  };
  const host = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (url === '/sandboxed-file') response.setHeader('content-security-policy', 'sandbox allow-scripts');
    response.end(frames[url] ? `<!doctype html><html lang="en"><title>host</title><link rel="icon" href="data:,">${frames[url]}` : text);
  });
  await new Promise((listening) => host.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${host.address().port}`;
  quiet.allow(/request to another origin: http:\/\/127\.0\.0\.1/);
  for (const name of Object.keys(frames)) {
    await page.goto(origin + name);
    const frame = page.frames().at(-1);
    if (name === '/no-scripts') {
      quiet.allow(/Blocked script execution/);
      // Elements only where scripts do not run.
      expect(await frame.locator('noscript p').first().boundingBox()).not.toBeNull();
    } else {
      await expectAlive(frame);
    }
  }
  await page.goto('about:blank');
  host.closeAllConnections();
  host.close();
});

test('where the site cannot give the file, the dialog says so', async ({ page, quiet }) => {
  await page.route('**/one-file.html', (route) => route.abort());
  quiet.allow(/one-file|ERR_FAILED/);
  await openPage(page, link({ lang: 'zh' }));
  await page.locator('#share-open').click();
  await page.locator('label:has([name=share-form][value=file])').click();
  await page.locator('#share-save').click();
  await expect(page.locator('#share-said')).toContainText('无法');
});
