// Firefox without WebGPU, and with WebGPU but without an adapter: the processor computes, and the page says why.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NO_DRIVER, start, WEBGPU } from './firefox.mjs';

const sessions = [];
after(() => Promise.all(sessions.map((session) => session.close())));

for (const [name, options, code] of [
  ['WebGPU is switched off', { preferences: { 'dom.webgpu.enabled': false } }, 'no_webgpu'],
  ['there is no driver', { preferences: WEBGPU, variables: NO_DRIVER }, 'no_adapter'],
]) {
  test(`${name}: the processor computes, and the page says why`, async () => {
    const session = await start(options);
    sessions.push(session);
    const page = await session.open('v=1&weights=random&backend=webgpu');
    await page.waitForFunction((code) => document.querySelector('#backend').dataset.reason === code, {}, code);
    const found = await page.evaluate(async () => {
      const request = { q: [[[1, 2]]], k: [[[1, 2]]], v: [[[3]]] };
      const refused = await attentionPlayground.compute({ ...request, backend: 'webgpu' }).catch(({ name, code, field }) => ({ name, code, field }));
      return {
        drawn: document.querySelector('#map').dataset.backend,
        there: (await attentionPlayground.backends()).webgpu,
        refused,
        auto: (await attentionPlayground.compute(request)).backend,
      };
    });
    assert.deepEqual([found.drawn, found.auto], ['cpu', 'cpu']);
    assert.deepEqual([found.there.available, found.there.reason.code], [false, code]);
    assert.deepEqual(found.refused, { name: 'AttentionError', code: 'backend_unavailable', field: 'backend' });
    page.assertQuiet();
  });
}
