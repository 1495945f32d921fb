// Shared by the benchmarks: numbers from times, the machine in words, and the tables in README.md.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** What was measured last, for `write.mjs`. */
export const RESULTS = join(ROOT, 'target/bench');

export const sorted = (times) => [...times].sort((a, b) => a - b);
export const median = (times) => sorted(times)[Math.floor((times.length - 1) / 2)];
export const p95 = (times) => sorted(times)[Math.ceil(0.95 * times.length) - 1];
/** The median of the ratios of each round: a disturbance that lasts longer than a round meets both. */
export const ratio = (times, base) => median(times.map((time, round) => time / base[round]));

export const ms = (time) => `${time.toFixed(time < 100 ? 1 : 0)} ms`;
export const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
export const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Markdown. */
export function table(head, rows) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

/** Processor, browser and date, for the head of a table; and whether it was a quick run, whose numbers are for trying the benchmark only. */
export function machine(browserVersion, isQuick) {
  const architecture = process.arch === 'x64' ? 'x86-64' : process.arch;
  const processor = cpus()[0].model.replace(/\s+/g, ' ');
  const date = new Date().toISOString().slice(0, 10);
  return `${cpus().length}-core ${architecture} (${processor}), Chromium ${browserVersion.split('.')[0]} headless, ${date}${isQuick ? ', a quick run: few repetitions' : ''}`;
}

export async function intoFile(name, results) {
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, name), JSON.stringify(results, null, 1));
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
