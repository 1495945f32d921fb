// Times of the contestants as Markdown.

import { readFile } from 'node:fs/promises';
import { median, ratio, table } from '../report.mjs';

const version = async (name) => JSON.parse(await readFile(new URL(`./node_modules/${name}/package.json`, import.meta.url))).version;

const counted = (count, what) => (count ? `, ${count} ${what}${count === 1 ? '' : 's'}` : '');

const BACKEND = { cpu: 'CPU', webgpu: 'WebGPU' };

async function title({ name, folder, package: library, options, note }) {
  if (folder !== undefined) return `this project${/-\d/.test(name) ? ` (${name})` : ''}, ${BACKEND[options.backend]}${counted(options.workers, 'worker')}`;
  return `${name.replace(/-\d$/, '')} ${await version(library)}${counted(options.threads, 'thread')}${note ? `, ${note}` : ''}`;
}

/** The contestants, each with a title for tables, which names the version that was measured. */
export const titled = (contestants) => Promise.all(contestants.map(async (contestant) => ({ ...contestant, title: await title(contestant) })));

const digits = (time) => (time < 10 ? 2 : time < 100 ? 1 : 0);

const cell = (times, base) => {
  const [middle, fastest] = [median(times), Math.min(...times)].map((time) => time.toFixed(digits(time)));
  return `${middle} (${fastest})${base === times ? '' : ` · ${ratio(times, base).toFixed(2)} ×`}`;
};

/** What `run.mjs` measured on one backend; the first contestant is what the others are compared with. */
export function peersMarkdown({ adapter, contestants, sizes }) {
  const where = adapter ? `WebGPU adapter: ${adapter}` : 'WebAssembly in a cross-origin isolated page';
  const columns = Object.keys(sizes);
  const first = contestants[0];
  const rows = contestants.map(({ name, title }) => [title, ...columns.map((n) => cell(sizes[n].times[name], sizes[n].times[first.name]))]);
  return [
    `${where}. X \`[n, 512]\` → weights \`[8, n, n]\` and output, causal (n = 16: width 64, 4 heads), results in JavaScript's hands.`,
    '',
    table([`ms: median (fastest) · time ÷ time of ${first.title}`, ...columns.map((n) => `n = ${n}`)], rows),
  ].join('\n');
}

/** What `training.mjs` measured. */
export function trainingMarkdown({ contestants, times, firsts }) {
  const base = times[contestants[0].name];
  const rows = contestants.map(({ name, title: titleOf }) => [titleOf, cell(times[name], base), firsts[name].toFixed(0)]);
  return [
    'Two layers of 4 heads, d_model 32, 32 examples of 12 words of 40: loss, gradients and Adam, the loss in JavaScript’s hands.',
    '',
    table([`ms a step: median (fastest) · time ÷ time of ${contestants[0].title}`, 'each step', 'the first'], rows),
  ].join('\n');
}
