// Shared by the benchmarks: numbers from times, the machine in words, and the tables in README.md.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export const sorted = (times) => [...times].sort((a, b) => a - b);
export const median = (times) => sorted(times)[Math.floor((times.length - 1) / 2)];

/** Processor, browser and date, for the head of a table. */
export function machine(browserVersion) {
  const architecture = process.arch === 'x64' ? 'x86-64' : process.arch;
  const processor = cpus()[0].model.replace(/\s+/g, ' ');
  const date = new Date().toISOString().slice(0, 10);
  return `${cpus().length}-core ${architecture} (${processor}), Chromium ${browserVersion.split('.')[0]} headless, ${date}`;
}

export async function intoFile(name, results) {
  const path = join(ROOT, 'target/bench', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(results, null, 1));
}

/** Replaces what stands between the comments of `section` in README.md; `command` is the one that its first comment names. */
export async function intoReadme(section, command, text) {
  const path = join(ROOT, 'README.md');
  const readme = await readFile(path, 'utf8');
  const [begin, end] = [`<!-- ${section}: written by ${command} -->`, `<!-- /${section} -->`];
  if (!readme.includes(begin) || !readme.includes(end)) throw new Error(`README.md has no place between ${begin} and ${end}`);
  const [head, rest] = readme.split(begin);
  await writeFile(path, `${head}${begin}\n${text}\n${end}${rest.split(end)[1]}`);
}
