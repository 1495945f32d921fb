// The badge and its panel, and a worker that says of WebGPU what a test wants: every reason can be had on every machine.

import { reveal } from './reveal.mjs';

/** What the worker says where WebGPU computed. */
export const CARD = { status: { state: 'ready', adapter: 'Example Graphics 7', is_software: false, reason: null }, ran: { backend: 'webgpu', adapter: 'Example Graphics 7', reason: null } };

/** A reason as messages carry it. */
export const because = (code, more = {}) => ({ code, detail: '', difference: null, allowed: null, ...more });

/** What the worker says where WebGPU is not there. */
export const absent = (code, more = {}) => {
  const reason = because(code, more);
  return { status: { state: 'absent', adapter: null, is_software: false, reason }, ran: { backend: 'cpu', adapter: null, reason } };
};

/** Two backends that agree, as the worker compares them. */
export const COMPARISON = { difference: 2.4e-7, allowed: 1e-4, head: 0, row: 7, column: 1, cpu: 0.6530121, webgpu: 0.6530123, cpu_ms: 1.52, webgpu_ms: 212 };

/**
 * Puts itself between page and worker: what runs say of their backend becomes `said.ran`, a comparison is answered with
 * `said.comparison`, and `said.status` is said at once and whenever `say` changes it. Before `openPage`.
 */
export async function standIn(page, said) {
  await page.addInitScript((first) => {
    globalThis.said = first;
    globalThis.asked = { page: 0, compare: 0 };
    globalThis.Worker = class extends Worker {
      set onmessage(hear) {
        this.hear = hear;
        globalThis.sayStatus = () => hear?.(new MessageEvent('message', { data: { status: globalThis.said.status } }));
        super.onmessage = hear && ((event) => {
          const { data } = event;
          const { said } = globalThis;
          if (data.status) return;
          if (data.result?.weights) Object.assign(data.result, said.ran);
          hear(event);
          if (data.ready) globalThis.sayStatus();
        });
      }

      postMessage(message, ...rest) {
        if (message.kind in globalThis.asked) globalThis.asked[message.kind]++;
        if (message.kind !== 'compare') return super.postMessage(message, ...rest);
        const { comparison: result, error } = globalThis.said;
        setTimeout(() => this.hear(new MessageEvent('message', { data: error ? { id: message.id, error } : { id: message.id, result } })), 20);
      }
    };
  }, { comparison: COMPARISON, ...said });
}

/** Changes what the worker says from now on. */
export const say = (page, said) => page.evaluate((said) => {
  Object.assign(globalThis.said, said);
  globalThis.sayStatus();
}, said);

export const openPanel = async (page) => {
  await (await reveal(page.locator('#backend'))).click();
  await page.locator('#backend-panel').waitFor({ state: 'visible' });
};

/** The badge: its words, and what it says of the run to those who do not read. */
export const badge = (page) => page.locator('#backend').evaluate((button) => ({
  name: button.querySelector('#backend-name').textContent,
  beside: button.querySelector('#backend-beside').textContent,
  backend: button.dataset.backend,
  reason: button.dataset.reason,
}));
