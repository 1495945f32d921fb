// How time and memory grow with the sequence on the CPU; a fresh page for every size, since a WebAssembly memory never shrinks.

import { memory } from '../memory.mjs';
import { launch } from './builds.mjs';
import { mb, median, ms, table } from './report.mjs';

const SIZES = [128, 256, 512, 1024, 2048, 4096, 8192];
/** Longer ones have more weights than a call may return: 1 GiB. */
const LONGEST_WITH_WEIGHTS = 4096;
const WANTED = { 'output only': ['output'], 'weights and output': ['weights', 'output'] };

async function call(page, n, want, rounds) {
  const times = await page.evaluate(async ({ n, want, rounds }) => {
    await globalThis.attentionPlayground.ready;
    while (!('idle' in document.documentElement.dataset)) await new Promise((resolve) => setTimeout(resolve, 20));
    await import('/tests/browser/bench/frame.mjs');
    const opened = await globalThis.openContestant({ module: './ours.mjs', options: { backend: 'cpu', want } }, n);
    await opened.run();
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const from = performance.now();
      // Kept while memory is measured.
      globalThis.result = await opened.run();
      times.push(performance.now() - from);
    }
    return times;
  }, { n, want, rounds });
  return { n, times, memory: await memory(page) };
}

async function inFreshPage(origin, n, want, rounds) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ serviceWorkers: 'block' });
    await page.goto(`${origin}/ours/`);
    return await call(page, n, want, rounds);
  } finally {
    await browser.close();
  }
}

export async function measure({ origin, isQuick, rounds }) {
  const growth = {};
  for (const [name, want] of Object.entries(WANTED)) {
    const sizes = SIZES.filter((n) => (n <= LONGEST_WITH_WEIGHTS || name === 'output only') && (!isQuick || n <= 512));
    growth[name] = [];
    for (const n of sizes) growth[name].push(await inFreshPage(origin, n, want, rounds ?? (n > 2048 ? 3 : 9)));
  }
  return { growth };
}

/** The exponent p of the best fit of `c·n^p` to points `[n, time]`: the slope of a straight line through their logarithms. */
export function exponent(points) {
  const logs = points.map((point) => point.map(Math.log));
  const mean = (axis) => logs.reduce((sum, point) => sum + point[axis], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const [up, across] = logs.reduce(([up, across], [a, b]) => [up + (a - x) * (b - y), across + (a - x) ** 2], [0, 0]);
  return up / across;
}

function section(name, sizes) {
  const points = sizes.map(({ n, times }) => [n, median(times)]);
  const tail = points.slice(-3);
  const rows = sizes.map(({ n, times, memory }) => [n, ms(median(times)), ms(Math.min(...times)), mb(memory.wasm), mb(memory.javascript + memory.buffers)]);
  return [
    `Time of a causal call, ${name}, grows like n^${exponent(points).toFixed(2)}; over the last three sizes like n^${exponent(tail).toFixed(2)}.`,
    '',
    table(['n', 'median', 'fastest', 'WebAssembly memories', 'JavaScript heap with buffers'], rows),
  ].join('\n');
}

export const markdown = ({ growth }) => [
  'Width 512, 8 heads. WebAssembly memories are those of page and worker after the calls: they never shrink, so this is their peak. The heap is '
    + 'the page\'s after collection with one result held. Time is linear in n for the projections and quadratic for the rest.',
  ...Object.entries(growth).map(([name, sizes]) => section(name, sizes)),
].join('\n\n');
