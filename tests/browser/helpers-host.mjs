// Hosting the build as somebody else would: a copy of it in a folder of its own, which can be served, taken down and replaced.

import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST, serve } from './server.mjs';

const TEXT = /\.(html|js|css|svg|webmanifest)$/;
const HASH = /-([0-9a-f]{16})\./;

const digest = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

const other = (name) => name.replace(HASH, (all, hash) => `-${[...hash].reverse().join('')}.`);

/** Replaces in each of the texts what the pairs say. */
async function replaceAll(folder, names, pairs) {
  for (const name of names.filter((name) => TEXT.test(name))) {
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), pairs.reduce((text, [from, to]) => text.replaceAll(from, to), text));
  }
}

/** Makes another version of what lies in `folder`: each file whose name fits has a new one, and the page says `mark`. */
export async function makeNewer(folder, mark, fits = /./) {
  const turned = (name) => (fits.test(name) ? other(name) : name);
  const old = (await readdir(folder)).filter((name) => !/\.(br|gz)$/.test(name));
  const before = new Map(await Promise.all(old.map(async (name) => [name, digest(await readFile(join(folder, name)))])));
  for (const name of old) await rename(join(folder, name), join(folder, turned(name)));
  const names = old.map(turned);
  const version = /"version": "(\w+)"/.exec(await readFile(join(folder, 'sw.js'), 'utf8'))[1];
  const title = '<title data-t="title">';
  await replaceAll(folder, names, [...old.map((name) => [name, turned(name)]), [version, [...version].reverse().join('')], [title, `<meta name="mark" content="${mark}">${title}`]]);
  // A file's digest stands in others, whose own then changes: engine, start, page.
  let known = before;
  for (let round = 0; round < 3; round++) {
    const now = new Map(await Promise.all(old.map(async (name) => [name, digest(await readFile(join(folder, turned(name))))])));
    await replaceAll(folder, names, old.map((name) => [known.get(name), now.get(name)]));
    known = now;
  }
}

/** A copy of the build, served: `{ folder, origin, stop, start, remove }`. What is stopped starts again at the same address. */
export async function publish() {
  const folder = await mkdtemp(join(tmpdir(), 'playground-'));
  await cp(DIST, folder, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  let server = await serve({ folder });
  const port = Number(new URL(server.origin).port);
  return {
    folder,
    origin: server.origin,
    stop: () => server.close(),
    start: async () => { server = await serve({ folder, port }); },
    remove: async () => {
      await server.close().catch(() => {});
      await rm(folder, { recursive: true });
    },
  };
}
