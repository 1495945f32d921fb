// The release build as a lecturer hosts it: at the root of a site or deep inside one.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, idle, openPage, SUB_FOLDER, isolated as test } from './fixture.mjs';
import { DIST, ODD_FOLDER } from './server.mjs';

for (const folder of ['/', ODD_FOLDER]) {
  test(`opens from ${folder} and asks for nothing outside it`, async ({ page, server }) => {
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await openPage(page, '', { folder });
    const strangers = asked.filter((url) => url.startsWith('http') && !decodeURIComponent(url).startsWith(server.origin + folder));
    expect(strangers).toEqual([]);
    expect(asked.some((url) => url.endsWith('.wasm'))).toBe(true);
  });
}

test('no file of the build names an absolute path', async () => {
  const names = (await readdir(DIST)).filter((name) => /\.(html|css)$/.test(name));
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) {
    const text = await readFile(join(DIST, name), 'utf8');
    const references = [...text.matchAll(/(?:src|href)\s*=\s*["']([^"']*)|url\(\s*["']?([^"')]*)|from\s+["']([^"']*)/g)];
    const absolute = references.map((match) => match[1] ?? match[2] ?? match[3]).filter((path) => path.startsWith('/'));
    expect(absolute, name).toEqual([]);
  }
});

test('a folder without its last stroke leads to the page, with its setting', async ({ page }) => {
  await page.goto(`${ODD_FOLDER.slice(0, -1)}#v=1&weights=random&heads=3`);
  await idle(page);
  expect(new URL(page.url()).pathname.endsWith('/')).toBe(true);
  await expect(page.locator('#heads-number')).toHaveValue('3');
});

for (const [type, contentType] of [['no', undefined], ['the wrong', 'text/plain; charset=utf-8']]) {
  test(`a host that gives the module ${type} type: the page starts all the same`, async ({ page, quiet }) => {
    quiet.allow(/instantiateStreaming/);
    await page.route('**/*.wasm', async (route) => {
      const { 'content-type': _, ...headers } = (await route.fetch()).headers();
      await route.fulfill({ response: await route.fetch(), headers: contentType ? { ...headers, 'content-type': contentType } : headers });
    });
    await openPage(page);
  });
}

test('over plain http: no service worker, no WebGPU, and nothing goes wrong', async ({ page, server, quiet }) => {
  quiet.allow(/^request to another origin: http:\/\/playground\.test\//);
  await page.route('http://playground.test/**', async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('http://playground.test', server.origin) });
    await route.fulfill({ response });
  });
  await page.goto(`http://playground.test${SUB_FOLDER}`);
  await idle(page);
  expect(await page.evaluate(() => [isSecureContext, 'serviceWorker' in navigator])).toEqual([false, false]);
  await expect.poll(() => page.locator('#backend').getAttribute('data-reason')).toBe('insecure');
  expect(await page.evaluate(async () => (await attentionPlayground.compute({ q: [[[1, 2]]], k: [[[1, 2]]], v: [[[3]]] })).backend)).toBe('cpu');
});

test('the files of the first visit are few', async ({ page, server }) => {
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url())));
  await openPage(page, '');
  // The worker asks for the engine as well, which then comes from the browser's cache.
  const names = asked.filter(({ origin }) => origin === server.origin).map(({ pathname }) => pathname.replace(/-[0-9a-f]{16}/, ''));
  expect(names.sort()).toEqual(['/', '/boot.js', '/engine.js', '/engine.js', '/engine.wasm', '/offline.js', '/opening-en.f32', '/opening-en.js', '/start.js', '/style.css', '/worker.js']);
});
