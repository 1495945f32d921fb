// The same attention by this project, onnxruntime-web, TensorFlow.js and jax-js, in one browser on one software WebGPU adapter:
// `node tests/browser/bench/peers/run.mjs [--quick] [--readme] [--only NAME,…]`. Times are taken of results that agree, of no others.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium as driver } from '@playwright/test';
import { chromium, chromiumFlags, gpuFlags } from '../../browsers.mjs';
import { serve } from '../../server.mjs';
import { intoFile, intoReadme, machine, median, ROOT } from '../report.mjs';
import { D_MODEL, HEADS, SIZES } from './inputs.mjs';
import { model } from './onnx.mjs';

const QUICK = process.argv.includes('--quick');
const OURS = ['webgpu', 'cpu'];
const PEERS = { 'jax-js': '@jax-js/jax', 'onnxruntime-web': 'onnxruntime-web', 'TensorFlow.js': '@tensorflow/tfjs-backend-webgpu' };
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1].split(',') : null;
const NAMES = [...OURS, ...Object.keys(PEERS)].filter((name) => !only || only.includes(name));

/** Largest accepted difference between any two: weights absolute, output relative to the largest value. */
const ALLOWED = { weights: 1e-4, output: 1e-3 };

async function version(folder) {
  return JSON.parse(await readFile(new URL(`./node_modules/${folder}/package.json`, import.meta.url))).version;
}

/** Where the page finds the ONNX graph for `n` rows. */
async function writeModel(n) {
  const path = `target/bench/attention-${n}.onnx`;
  await mkdir(join(ROOT, 'target/bench'), { recursive: true });
  await writeFile(join(ROOT, path), model(n));
  return `/${path}`;
}

/** Notes every adapter that a script of the page is given. */
function noteAdapters() {
  globalThis.adapters = [];
  const { requestAdapter } = GPU.prototype;
  GPU.prototype.requestAdapter = async function note(...options) {
    const adapter = await requestAdapter.apply(this, options);
    globalThis.adapters.push(adapter ? `${adapter.info.vendor} ${adapter.info.architecture}` : 'none');
    return adapter;
  };
}

async function measure(page, n) {
  const [rounds, warmUps] = QUICK ? [3, 1] : [9, 2];
  const options = { n, names: NAMES, rounds, warmUps, modelUrl: await writeModel(n), allowed: ALLOWED };
  const measured = await page.evaluate(async (options) => {
    const { measure } = await import('/tests/browser/bench/peers/page.mjs');
    return measure(options);
  }, options);
  for (const [name, { weights, output }] of Object.entries(measured.differences)) {
    console.log(`n ${n}, ${name} differs from the others by at most ${weights.toExponential(1)} in weights, ${output.toExponential(1)} of the largest in output`);
  }
  return measured;
}

async function measureAll(origin) {
  const browser = await driver.launch({ executablePath: chromium(), args: [...chromiumFlags, ...gpuFlags] });
  try {
    const page = await browser.newPage();
    await page.addInitScript(noteAdapters);
    await page.goto(`${origin}/dist/`);
    await page.evaluate(() => globalThis.attentionPlayground?.ready);
    const sizes = {};
    for (const n of SIZES) sizes[n] = await measure(page, n);
    const adapters = [...new Set(await page.evaluate(() => globalThis.adapters))];
    if (adapters.length !== 1) throw new Error(`not one adapter for all: ${adapters.join(', ') || 'none'}`);
    return { machine: machine(browser.version()), adapter: adapters[0], sizes };
  } finally {
    await browser.close();
  }
}

const ms = (time) => `${time.toFixed(0)} ms`;
const cell = (times) => `${ms(median(times))} (${ms(Math.min(...times))})`;

async function title(name) {
  if (name === 'webgpu') return '**this project, WebGPU**';
  if (name === 'cpu') return 'this project, CPU (WebAssembly, one thread)';
  return `${name} ${await version(PEERS[name])}`;
}

/** How many times longer the fastest peer takes than this project on WebGPU. */
function ratio(times) {
  const fastest = Math.min(...Object.keys(PEERS).filter((name) => times[name]).map((name) => median(times[name])));
  return times.webgpu ? `${(fastest / median(times.webgpu)).toFixed(2)} ×` : '';
}

async function table({ machine, adapter, sizes }) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  const rows = await Promise.all(NAMES.map(async (name) => row([await title(name), ...SIZES.map((n) => cell(sizes[n].times[name]))])));
  return [
    `Measured on: ${machine}, WebGPU adapter: ${adapter}. \`./dev bench peers --readme\``,
    '',
    row([`d_model ${D_MODEL}, ${HEADS} heads, causal: median (fastest)`, ...SIZES.map((n) => `n = ${n}`)]),
    row(['---', ...SIZES.map(() => '---')]),
    ...rows,
    row(['fastest peer ÷ this project, WebGPU', ...SIZES.map((n) => ratio(sizes[n].times))]),
  ].join('\n');
}

const server = await serve({ folder: ROOT.replace(/\/$/, '') });
try {
  const results = await measureAll(server.origin);
  await intoFile('peers.json', results);
  console.log(await table(results));
  if (process.argv.includes('--readme')) await intoReadme('peers', './dev bench peers --readme', await table(results));
} finally {
  await server.close();
}
