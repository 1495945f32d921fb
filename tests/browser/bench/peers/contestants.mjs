// Who takes part, by backend. Each has a frame of its own, since onnxruntime-web fixes its number of threads once for a realm.

import { cardFlags, gpuFlags } from '../../browsers.mjs';
import { BARE, ours } from '../builds.mjs';

const onnxruntime = { module: './peers/onnxruntime.mjs', package: 'onnxruntime-web' };
const jax = { module: './peers/jax.mjs', package: '@jax-js/jax' };
const tensorflow = (backend) => ({ module: './peers/tensorflow.mjs', package: `@tensorflow/tfjs-backend-${backend}` });

const onWebGpu = {
  ours: { '': { backend: 'webgpu' }, '-cpu': { backend: 'cpu' } },
  peers: { 'onnxruntime-web': onnxruntime, 'TensorFlow.js': tensorflow('webgpu'), 'jax-js': jax },
};

/**
 * What a browser is started with, sizes, rounds for a size, and the peers by name. jax-js starts as many threads as there are cores and has no option for it; TensorFlow.js
 * has one, but takes one thread on two cores whatever it is set to.
 */
export const BACKENDS = {
  wasm: {
    flags: [],
    sizes: [16, 128, 512, 1024, 2048],
    rounds: (n) => Math.max(9, Math.min(200, Math.round(16384 / n))),
    ours: { '': { backend: 'cpu' }, '-one-worker': { backend: 'cpu', workers: 1 } },
    peers: {
      'onnxruntime-web-1': { ...onnxruntime, threads: 1 },
      'onnxruntime-web-2': { ...onnxruntime, threads: 2 },
      'TensorFlow.js': { ...tensorflow('wasm'), note: 'threads as it chooses' },
      'jax-js': { ...jax, note: 'a thread for each core' },
    },
  },
  webgpu: { flags: gpuFlags, sizes: [128, 512], rounds: () => 9, ...onWebGpu },
  card: { flags: cardFlags, sizes: [128, 512, 1024, 2048], rounds: () => 9, ...onWebGpu },
};

/** `{ name, frame, module, options, … }` of everybody on a backend, builds of ours first; of `only` alone where it is given. */
export function contestantsOn(backend, builds, only) {
  const { ours: kinds, peers } = BACKENDS[backend];
  const own = builds.flatMap((folder, at) => Object.entries(kinds).map(([suffix, options]) => {
    const contestant = ours(folder, at, options);
    return { ...contestant, name: contestant.name + suffix };
  }));
  const others = Object.entries(peers).map(([name, { threads, ...peer }]) => ({ name, frame: BARE, options: { backend: backend === 'wasm' ? backend : 'webgpu', threads }, ...peer }));
  return [...own, ...others].filter(({ name }) => !only || only.includes(name));
}

/** Every name that `--only` may have. */
export const namesOf = (builds) => new Set(Object.keys(BACKENDS).flatMap((backend) => contestantsOn(backend, builds, null).map(({ name }) => name)));
