// The same attention by this project, onnxruntime-web, TensorFlow.js and jax-js, in one isolated page, in turns: on wasm, then on one
// software WebGPU adapter; with --backend card on the machine's graphics card. Times are taken of results that agree, of no others. Options: see USAGE. Two builds of this project are
// compared by giving --dist twice.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DIST } from '../../server.mjs';
import { launch, measureInTurns, openBare, serveIsolated } from '../builds.mjs';
import { shapeOf } from '../inputs.mjs';
import { intoFile, machine, RESULTS, ROOT } from '../report.mjs';
import { adapterOf, expectCard, noteAdapters } from './adapter.mjs';
import { BACKENDS, contestantsOn, namesOf } from './contestants.mjs';
import { model } from './onnx.mjs';
import { peersMarkdown, titled } from './table.mjs';

const USAGE = 'node tests/browser/bench/peers/run.mjs [--backend wasm|webgpu|card] [--only NAME,…] [--sizes N,…] [--rounds N] [--dist DIR]… [--quick]';

/** Largest accepted difference from the first: weights absolute, output relative to the largest value. */
const ALLOWED = { weights: 1e-4, output: 1e-3 };

function options() {
  const list = (text) => text?.split(',');
  const { values } = parseArgs({
    options: {
      backend: { type: 'string' },
      only: { type: 'string' },
      sizes: { type: 'string' },
      rounds: { type: 'string' },
      dist: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
    },
  });
  const builds = values.dist ?? [DIST];
  const [only, sizes] = [list(values.only), list(values.sizes)?.map(Number)];
  const unknown = [...(only ?? []).filter((name) => !namesOf(builds).has(name)), ...[values.backend].filter((name) => name && !BACKENDS[name])];
  if (unknown.length > 0) throw new Error(`unknown name: ${unknown.join(', ')}; there are ${[...namesOf(builds), ...Object.keys(BACKENDS)].join(', ')}\n${USAGE}`);
  return { ...values, only, sizes, builds, backends: values.backend ? [values.backend] : ['wasm', 'webgpu'] };
}

const OPTIONS = options();

const roundsFor = (backend, n) => Number(OPTIONS.rounds ?? (OPTIONS.quick ? 3 : BACKENDS[backend].rounds(n)));
const sizesOn = (backend) => OPTIONS.sizes ?? BACKENDS[backend].sizes.filter((n) => !OPTIONS.quick || n <= 512);

/** Where the page finds the ONNX graph for `n` rows. */
async function writeModel(n) {
  const path = `target/bench/attention-${n}.onnx`;
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(ROOT, path), model(shapeOf(n)));
  return `/${path}`;
}

async function measure(page, backend, contestants, n) {
  const rounds = roundsFor(backend, n);
  const given = { n, contestants, rounds, warmUps: Math.min(2, rounds), modelUrl: await writeModel(n), allowed: ALLOWED };
  const measured = await measureInTurns(page, given);
  const differences = Object.entries(measured.differences).slice(1).map(([name, { weights, output }]) => `${name} ${weights.toExponential(1)}, ${output.toExponential(1)}`);
  console.log(`${backend}, n ${n}, ${rounds} rounds. Difference from ${contestants[0].name} in weights, in output: ${differences.join('; ')}`);
  return measured;
}

async function measureOn(origin, backend, contestants) {
  const browser = await launch(BACKENDS[backend].flags);
  try {
    const page = await openBare(browser, origin, noteAdapters);
    const sizes = {};
    for (const n of sizesOn(backend)) sizes[n] = await measure(page, backend, contestants, n);
    const adapter = backend === 'wasm' ? null : await adapterOf(page);
    if (backend === 'card') expectCard(adapter);
    return { machine: machine(browser.version(), OPTIONS.quick), adapter, contestants: await titled(contestants), sizes };
  } finally {
    await browser.close();
  }
}

async function main() {
  const server = await serveIsolated(OPTIONS.builds);
  try {
    for (const backend of OPTIONS.backends) {
      const contestants = contestantsOn(backend, OPTIONS.builds, OPTIONS.only);
      if (contestants.length === 0) continue;
      const folders = contestants.filter(({ folder }) => folder).map(({ name, folder }) => `${name} is ${folder}`);
      console.log(`${backend}: ${contestants.map(({ name }) => name).join(', ')}; n = ${sizesOn(backend).join(', ')}; ${folders.join('; ')}`);
      const results = await measureOn(server.origin, backend, contestants);
      console.log(`\n${peersMarkdown(results)}\n`);
      // A part of the comparison, or of other builds, is for whoever asked, not for the report.
      if (!OPTIONS.only && !OPTIONS.sizes && !OPTIONS.dist) await intoFile(`peers-${backend}.json`, results);
    }
  } finally {
    await server.close();
  }
}

await main();
