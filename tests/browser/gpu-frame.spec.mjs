// In a frame of another site, which grants it nothing: WebGPU needs no permission.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, idle, isolated as test } from './fixture.mjs';
import { serve } from './server.mjs';

test('a frame without any permission computes on WebGPU', async ({ page, quiet, server }) => {
  const folder = await mkdtemp(join(tmpdir(), 'host-'));
  await writeFile(join(folder, 'index.html'), `<!doctype html><title>host</title><link rel="icon" href="data:,"><iframe allow="" src="${server.origin}/#embed&amp;v=1"></iframe>`);
  const host = await serve({ folder });
  quiet.allow(new RegExp(`^request to another origin: ${host.origin}/`));
  await page.goto(host.origin);
  const frame = await (await page.locator('iframe').elementHandle()).contentFrame();
  await idle(frame);
  const backend = await frame.evaluate(async () => (await attentionPlayground.compute({ q: [[[1, 2]]], k: [[[1, 2]]], v: [[[3]]], backend: 'webgpu' })).backend);
  expect(backend).toBe('webgpu');
  await host.close();
  await rm(folder, { recursive: true });
});
