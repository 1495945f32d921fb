// A training step of the same model by this project and by jax-js, on wasm, in turns in one isolated page. Times are taken where losses after
// three steps agree: `node tests/browser/bench/peers/training.mjs [--rounds N] [--dist DIR] [--quick]`.

import { parseArgs } from 'node:util';
import { DIST } from '../../server.mjs';
import { BARE, launch, measureInTurns, openBare, ours, serveIsolated } from '../builds.mjs';
import { intoFile, machine } from '../report.mjs';
import { titled, trainingMarkdown } from './table.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    dist: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
  },
});

const [BUILD] = values.dist ?? [DIST];

const CONTESTANTS = [
  { ...ours(BUILD, 0, { backend: 'cpu' }), module: './peers/training-ours.mjs' },
  { name: 'jax-js', frame: BARE, module: './peers/training-jax.mjs', package: '@jax-js/jax', options: { backend: 'wasm' }, note: 'a thread for each core' },
];

async function main() {
  const server = await serveIsolated([BUILD]);
  const browser = await launch();
  try {
    const page = await openBare(browser, server.origin);
    const rounds = Number(values.rounds ?? (values.quick ? 20 : 200));
    const given = { n: 16, contestants: CONTESTANTS, rounds, warmUps: 5, allowed: { weights: 1e-4, output: 1e-4 } };
    const { times, firsts, differences } = await measureInTurns(page, given);
    const results = { machine: machine(browser.version(), values.quick), contestants: await titled(CONTESTANTS), times, firsts };
    console.log(`${rounds} rounds; losses differ by ${differences['jax-js'].weights.toExponential(1)}\n\n${trainingMarkdown(results)}\n`);
    // Another build is for whoever asked, not for the report.
    if (!values.dist) await intoFile('peers-training.json', results);
  } finally {
    await browser.close();
    await server.close();
  }
}

await main();
