// Times of the contestants as Markdown.

import { readFile } from 'node:fs/promises';
import { median } from '../report.mjs';

const row = (cells) => `| ${cells.join(' | ')} |`;

const version = async (name) => JSON.parse(await readFile(new URL(`./node_modules/${name}/package.json`, import.meta.url))).version;

const threads = (count) => (count ? `, ${count} thread${count === 1 ? '' : 's'}` : '');

async function title({ name, folder, package: library, options, note }) {
  if (folder !== undefined) return name === 'ours' ? `**this project, ${options.backend}**` : `this project (${name}), ${options.backend}`;
  return `${name.replace(/-\d$/, '')} ${await version(library)}${threads(options.threads)}${note ? `, ${note}` : ''}`;
}

const digits = (time) => (time < 10 ? 2 : time < 100 ? 1 : 0);

/** The median of the ratios of each round: a disturbance that lasts longer than a round meets both. */
export const ratio = (times, base) => median(times.map((time, round) => time / base[round]));

const cell = (times, base) => {
  const [middle, fastest] = [median(times), Math.min(...times)].map((time) => time.toFixed(digits(time)));
  return `${middle} (${fastest})${base === times ? '' : ` · ${ratio(times, base).toFixed(2)} ×`}`;
};

/** `sizes[n].times[name]` as a table; the first contestant is what the others are compared with. */
export async function table(contestants, sizes) {
  const first = contestants[0].name;
  const columns = Object.keys(sizes);
  const rows = await Promise.all(contestants.map(async (contestant) =>
    row([await title(contestant), ...columns.map((n) => cell(sizes[n].times[contestant.name], sizes[n].times[first]))])));
  return [row([`ms: median (fastest) · time ÷ time of ${first}`, ...columns.map((n) => `n = ${n}`)]), row(['---', ...columns.map(() => '---')]), ...rows].join('\n');
}
