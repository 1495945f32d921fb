// Makes benches/RESULTS.md, benches/peers.svg and the README's numbers of what was measured last: `node tests/browser/bench/write.mjs`.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chart } from './chart.mjs';
import * as cold from './cold.mjs';
import * as growth from './growth.mjs';
import * as kernels from './kernels.mjs';
import * as latency from './latency.mjs';
import * as mechanisms from './mechanism-times.mjs';
import { peersMarkdown, trainingMarkdown } from './peers/table.mjs';
import { intoReadme, RESULTS, ROOT } from './report.mjs';
import { coldRows, latencyRows, summary } from './summary.mjs';

const COMMAND = './dev bench --write';

/** Titles of the report's sections, the part of the benchmark that they come from, and how its results are written. */
const SECTIONS = [
  ['The layer beside other libraries, on the CPU', 'peers-wasm', peersMarkdown],
  ['The layer beside other libraries, on WebGPU', 'peers-webgpu', peersMarkdown],
  ['A training step beside another library', 'peers-training', trainingMarkdown],
  ['Products in WebAssembly', 'kernels', kernels.markdown],
  ['Mechanisms on the CPU', 'mechanisms', mechanisms.markdown],
  ['Growth with the sequence on the CPU', 'growth', growth.markdown],
  ['A first visit', 'cold', cold.markdown],
  ['From a key press to the map', 'latency', latency.markdown],
];

async function read(name) {
  return readFile(join(RESULTS, name), 'utf8').catch(() => {
    throw new Error(`target/bench/${name} is missing: ./dev bench measures everything`);
  });
}

async function main() {
  const measured = Object.fromEntries(await Promise.all(SECTIONS.map(async ([, part]) => [part, JSON.parse(await read(`${part}.json`))])));
  const native = await Promise.all(['native.md', 'native-gpu.md'].map(read));
  const sections = SECTIONS.map(([title, part, markdown]) => `## ${title}\n\nMeasured on: ${measured[part].machine}.\n\n${markdown(measured[part])}`);
  const head = `# Results of the benchmarks\n\nWritten by \`${COMMAND}\`; [CONTRIBUTING.md](../CONTRIBUTING.md) says how each part is measured again.`;
  const natively = `## Natively\n\nMeasured on: ${measured.kernels.machine}.\n\n${native.map((text) => text.trim()).join('\n\n')}`;
  await writeFile(join(ROOT, 'benches/RESULTS.md'), `${[head, ...sections, natively].join('\n\n')}\n`);
  await writeFile(join(ROOT, 'benches/peers.svg'), chart([measured['peers-wasm'], measured['peers-webgpu']]));
  await intoReadme('benchmarks', COMMAND, summary(measured.cold.machine, [...coldRows(measured.cold), ...latencyRows(measured.latency)]));
  await intoReadme('peers', COMMAND, `![Time of a layer by library, beside this project's](benches/peers.svg)`);
}

await main();
