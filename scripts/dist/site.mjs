// The files of the site in memory, between being read from a folder and being written back.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

const TEXT = /\.(html|css|js|mjs|json|svg|webmanifest|txt)$/;

export const isText = (name) => TEXT.test(name);

/** Every file below `folder`, with its path there. */
async function read(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const named = paths.map((path) => [relative(folder, path).split(sep).join('/'), path]).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(await Promise.all(named.map(async ([name, path]) => [name, await readFile(path)])));
}

export class Site {
  constructor(folder, files, options) {
    Object.assign(this, { isServed: false, isDrawn: false, isSplit: false, isCompressed: false }, options, { folder, files });
  }

  /** A file as text. A step that does not find what it works on must not pass in silence. */
  text(name) {
    if (!this.files.has(name)) throw new Error(`${name} is not among ${[...this.files.keys()].join(', ')}`);
    return this.files.get(name).toString('utf8');
  }

  write(name, content) {
    this.files.set(name, Buffer.from(content));
  }

  move(from, to) {
    const bytes = this.files.get(from) ?? Buffer.from(this.text(from));
    this.files.delete(from);
    this.files.set(to, bytes);
  }

  /** Replaces what `pattern` finds in a file, which has to be there exactly `times` times. */
  replace(name, pattern, by, times = 1) {
    const text = this.text(name);
    const found = typeof pattern === 'string' ? text.split(pattern).length - 1 : [...text.matchAll(pattern)].length;
    if (found !== times) throw new Error(`${name}: ${pattern} stands there ${found} times, not ${times}`);
    this.write(name, typeof pattern === 'string' ? text.replaceAll(pattern, () => by) : text.replace(pattern, by));
  }

  async close() {
    await rm(this.folder, { recursive: true });
    for (const [name, bytes] of this.files) {
      const path = join(this.folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
    }
  }
}

export const open = async (folder, options) => new Site(folder, await read(folder), options);
