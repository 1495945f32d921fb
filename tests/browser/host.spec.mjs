// The release build as a lecturer hosts it: at the root of a site or deep inside one.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, openPage, SUB_FOLDER, test } from './fixture.mjs';
import { DIST } from './server.mjs';

for (const folder of ['/', SUB_FOLDER]) {
  test(`opens from ${folder} and asks for nothing outside it`, async ({ page, server }) => {
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await openPage(page, '', { folder });
    const strangers = asked.filter((url) => url.startsWith('http') && !url.startsWith(server.origin + folder));
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
