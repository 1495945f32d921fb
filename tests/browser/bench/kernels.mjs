// Matrix products of the package `kernels` in WebAssembly, in Chromium: GFLOP/s by shape. `cargo bench --bench attention` has the native ones.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { launch, openBare } from './builds.mjs';
import { median, ROOT, table } from './report.mjs';

const run = promisify(execFile);
const WASM = 'wasm32-unknown-unknown';
const FOLDER = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target', WASM, 'release/examples');

/** The module with the same optimisation as the page's: by cargo's release profile, then by wasm-opt. */
async function built() {
  await run('cargo', ['build', '--quiet', '--locked', '--release', '-p', 'kernels', '--example', 'products', '--target', WASM], { cwd: ROOT });
  const [plain, optimised] = ['products.wasm', 'products.opt.wasm'].map((name) => join(FOLDER, name));
  await run(join(ROOT, 'tests/browser/node_modules/.bin/wasm-opt'), ['-O3', plain, '-o', optimised]);
  return readFile(optimised);
}

/** In the page: milliseconds of one product in each of `rounds` series, by shape; a series is long enough for the clock. */
async function time({ bytes, rounds, patience }) {
  const { instance: { exports } } = await WebAssembly.instantiate(Uint8Array.from(bytes));
  const series = (shape, times) => {
    const from = performance.now();
    exports.product(shape, times);
    return performance.now() - from;
  };
  const lengthOfSeries = (shape) => {
    let times = 1;
    // Until then the module is compiled by the optimising compiler as well.
    while (series(shape, times) < patience) times *= 2;
    return times;
  };
  return Array.from({ length: exports.shapes() }, (_, shape) => {
    const times = lengthOfSeries(shape);
    return { axes: [0, 1, 2].map((axis) => exports.length(shape, axis)), times: Array.from({ length: rounds }, () => series(shape, times) / times) };
  });
}

export async function measure({ isolated, isQuick, rounds }) {
  const bytes = [...await built()];
  const browser = await launch();
  try {
    const page = await openBare(browser, isolated);
    return { products: await page.evaluate(time, { bytes, rounds: rounds ?? (isQuick ? 3 : 15), patience: isQuick ? 20 : 100 }) };
  } finally {
    await browser.close();
  }
}

const rate = ([rows, inner, columns], time) => ((2 * rows * inner * columns) / time / 1e6).toFixed(1);

export const markdown = ({ products }) => [
  'Products `[rows, inner]·[inner, columns]` in WebAssembly with SIMD, one thread, right-hand matrix packed beforehand; GFLOP/s.',
  '',
  table(['rows', 'inner', 'columns', 'median', 'fastest'], products.map(({ axes, times }) => [...axes, rate(axes, median(times)), rate(axes, Math.min(...times))])),
].join('\n');
