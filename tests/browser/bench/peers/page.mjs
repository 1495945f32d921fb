// Runs inside the page: opens every contestant on the same numbers, compares what they return, then times them in turns.

import { inputOf, weights } from './inputs.mjs';

const CONTESTANTS = {
  webgpu: async () => (await import('./ours.mjs')).on('webgpu'),
  cpu: async () => (await import('./ours.mjs')).on('cpu'),
  'jax-js': async () => (await import('./jax.mjs')).open,
  'onnxruntime-web': async () => (await import('./onnxruntime.mjs')).open,
  'TensorFlow.js': async () => (await import('./tensorflow.mjs')).open,
};

/** The largest difference; infinite where one is no number or missing. */
function difference(a, b) {
  if (a.length !== b.length) return Infinity;
  let worst = 0;
  for (let at = 0; at < a.length; at++) {
    const apart = Math.abs(a[at] - b[at]);
    if (!(apart <= worst)) worst = Number.isNaN(apart) ? Infinity : apart;
  }
  return worst;
}

const largest = (numbers) => numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

/** Each name with its largest difference from anybody else: weights absolute, output relative to the largest output. */
function differences(results) {
  const names = Object.keys(results);
  const against = (name, kind) => names.filter((other) => other !== name).map((other) => difference(results[name][kind], results[other][kind]));
  return Object.fromEntries(names.map((name) => [name, {
    weights: Math.max(0, ...against(name, 'weights')),
    output: Math.max(0, ...against(name, 'output')) / largest(results[name].output),
  }]));
}

async function timed(contestant) {
  const from = performance.now();
  await contestant.run();
  return performance.now() - from;
}

function checkAgreement(differences, allowed) {
  const strangers = Object.entries(differences).filter(([, { weights, output }]) => !(weights <= allowed.weights && output <= allowed.output));
  if (strangers.length > 0) throw new Error(`results do not agree: ${JSON.stringify(differences)}`);
}

/** Milliseconds by name, one a round. Who goes first changes, so that nobody always follows the same neighbour's leftovers. */
async function inTurns(contestants, rounds) {
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      times[name].push(await timed(contestants[name]));
    }
  }
  return times;
}

/** One size: `{ differences, times }`, both by name. Nobody is timed where two do not agree. */
export async function measure({ n, names, rounds, warmUps, modelUrl, allowed }) {
  const problem = { n, x: inputOf(n), matrices: weights(), modelUrl };
  const [contestants, results] = [{}, {}];
  for (const name of names) {
    contestants[name] = await (await CONTESTANTS[name]())(problem);
    results[name] = await contestants[name].run();
  }
  const found = differences(results);
  checkAgreement(found, allowed);
  await inTurns(contestants, warmUps);
  const times = await inTurns(contestants, rounds);
  for (const contestant of Object.values(contestants)) await contestant.close();
  return { differences: found, times };
}
