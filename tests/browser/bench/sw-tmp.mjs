import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumFlags, gpuFlags, headlessShell } from '../browsers.mjs';
const dist = process.argv[2];
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css', '.json': 'application/json' };
const server = createServer(async (q, r) => {
  try { const p = new URL(q.url, 'http://x').pathname; const b = await readFile(join(dist, p === '/' ? 'index.html' : p)); r.setHeader('content-type', types[extname(p === '/' ? '.html' : p)] ?? 'application/octet-stream'); r.end(b); } catch { r.statusCode = 404; r.end(); }
}).listen(0);
const browser = await chromium.launch({ executablePath: headlessShell(), args: [...chromiumFlags, ...gpuFlags] });
const page = await browser.newPage();
await page.goto(`http://localhost:${server.address().port}/`);
await page.evaluate(() => attentionPlayground.ready);
console.log(await page.evaluate(() => attentionPlayground.backends()));
const CASES = [[11, 64, 4, 'wo', 30], [128, 512, 8, 'wo', 9], [512, 512, 8, 'wo', 5], [1024, 512, 8, 'wo', 3], [128, 512, 8, 'o', 9], [512, 512, 8, 'o', 5], [256, 64, 4, 's', 9], [1024, 64, 4, 's', 5]];
for (const [n, width, heads, want, rounds] of CASES) {
  const found = await page.evaluate(async ([n, width, heads, want, rounds]) => {
    const names = { w: 'weights', o: 'output', s: 'stats' };
    const numbers = (...shape) => ({ shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i * 1.7) * 0.05) });
    const m = () => numbers(width, width);
    const out = {};
    const layers = {};
    for (const backend of ['cpu', 'webgpu']) layers[backend] = await attentionPlayground.layer({ backend, heads, weights: { w_q: m(), w_k: m(), w_v: m(), w_o: m() } });
    for (let r = 0; r < rounds; r++) for (const backend of ['cpu', 'webgpu']) {
      const queries = numbers(n, width);
      await new Promise((f) => setTimeout(f, 20));
      const t = performance.now();
      await layers[backend].compute({ queries, mask: { kind: 'causal' }, want: [...want].map((c) => names[c]) });
      (out[backend] ??= []).push(performance.now() - t);
    }
    return out;
  }, [n, width, heads, want, rounds]);
  const med = (l) => l.slice(1).sort((a, b) => a - b)[Math.floor((l.length - 1) / 2)];
  console.log(n, width, want, 'cpu', med(found.cpu).toFixed(2), 'webgpu', med(found.webgpu).toFixed(1));
}
await browser.close(); server.close();
