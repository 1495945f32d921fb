// Faults of the GPU, brought about in the worker: WebGPU's own functions are wrapped before anything of ours runs there, so that the
// page under test is the one that is shipped.

import { beforeWorker } from './fixture.mjs';

/** Runs in the worker. `globalThis.faults` is what the tests pull. */
function prelude(start) {
  const faults = {
    /** `requestAdapter` finds none. */
    isWithoutAdapter: false,
    /** `requestDevice` is refused. */
    isWithoutDevice: false,
    /** Every number that comes back is off by this. */
    offset: 0,
    /** What is to happen at the submission after `submissions` more: `destroy`, `invalid`, `memory`, `internal` or `map`. */
    next: null,
    /** How many faults have happened. */
    count: 0,
    devices: [],
    destroy() {
      faults.count += 1;
      for (const device of faults.devices.splice(0)) device.destroy();
    },
    ...start,
  };
  globalThis.faults = faults;
  if (!globalThis.GPU) return;
  const wrap = (type, name, act) => {
    const own = type.prototype[name];
    type.prototype[name] = function wrapped(...given) {
      return act(this, () => own.apply(this, given), given);
    };
  };
  wrap(GPU, 'requestAdapter', async (_, go) => {
    if (!faults.isWithoutAdapter) return go();
    faults.count += 1;
    return null;
  });
  wrap(GPUAdapter, 'requestDevice', async (_, go) => {
    if (faults.isWithoutDevice) {
      faults.count += 1;
      throw new DOMException('on purpose', 'OperationError');
    }
    const device = await go();
    faults.devices.push(device);
    device.lost.then(() => { faults.devices = faults.devices.filter((other) => other !== device); });
    return device;
  });
  // An error object in place of what the scope of that kind would have said.
  let pending = null;
  const scopes = new Map();
  wrap(GPUDevice, 'pushErrorScope', (device, go, [filter]) => {
    scopes.set(device, [...(scopes.get(device) ?? []), filter]);
    return go();
  });
  wrap(GPUDevice, 'popErrorScope', async (device, go) => {
    const filter = scopes.get(device)?.pop();
    const error = pending && pending.filter === filter ? pending.error : null;
    if (error) pending = null;
    const own = await go();
    return error ?? own;
  });
  const ACTS = {
    destroy: () => faults.destroy(),
    // A buffer for nothing is a real validation error, raised in the scope that is open.
    invalid: (device) => void device.createBuffer({ size: 16, usage: 0 }),
    memory: () => { pending = { filter: 'out-of-memory', error: new GPUOutOfMemoryError('on purpose') }; },
    internal: () => { pending = { filter: 'internal', error: new GPUInternalError('on purpose') }; },
    map: () => { faults.isMapRefused = true; },
  };
  wrap(GPUQueue, 'submit', (queue, go) => {
    const { next } = faults;
    if (next && next.submissions-- <= 0) {
      faults.next = null;
      if (next.act !== 'destroy') faults.count += 1;
      ACTS[next.act](faults.devices.find((device) => device.queue === queue));
    }
    return go();
  });
  wrap(GPUBuffer, 'mapAsync', async (_, go) => {
    if (!faults.isMapRefused) return go();
    faults.isMapRefused = false;
    throw new DOMException('on purpose', 'OperationError');
  });
  wrap(GPUBuffer, 'getMappedRange', (_, go) => {
    const range = go();
    // Counts lie beside the numbers: as floats they are next to nothing.
    if (faults.offset) new Float32Array(range).forEach((value, at, all) => { all[at] = Math.abs(value) > 1e-30 ? value + faults.offset : value; });
    return range;
  });
}

/** Lets the workers of `page` have faults; `start` is what they begin with. To be called before the page is opened. */
export async function addFaults(page, start = {}) {
  await beforeWorker(page, `(${prelude})(${JSON.stringify(start)})`);
}

/** Does something with `faults` in the page's worker. */
export const inWorker = (page, act, given) => page.workers()[0].evaluate(act, given);
