// Makes benches/RESULTS.md, benches/peers.svg and the README's numbers of what was measured last: `node tests/browser/bench/write.mjs`.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chart } from './chart.mjs';
import * as card from './card.mjs';
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
  ['The layer beside other libraries, on WebGPU by a software adapter', 'peers-webgpu', peersMarkdown],
  ['The layer beside other libraries, on a graphics card', 'peers-card', peersMarkdown],
  ['The page on a graphics card', 'card', card.markdown],
  ['A training step beside another library', 'peers-training', trainingMarkdown],
  ['Products in WebAssembly', 'kernels', kernels.markdown],
  ['Mechanisms on the CPU', 'mechanisms', mechanisms.markdown],
  ['Growth with the sequence on the CPU', 'growth', growth.markdown],
  ['A first visit', 'cold', cold.markdown],
  ['From a key press to the map', 'latency', latency.markdown],
];

const REPORT = join(ROOT, 'benches/RESULTS.md');

/** What was measured last; null where nothing was. */
const read = (name) => readFile(join(RESULTS, name), 'utf8').catch(() => null);

/** The sections of a report by title. */
const sectionsOf = (report) => new Map(report.split(/^(?=## )/m).slice(1).map((section) => [/^## (.+)/.exec(section)[1], section.trim()]));

async function main() {
  const parts = await Promise.all(SECTIONS.map(async ([, part]) => [part, JSON.parse(await read(`${part}.json`))]));
  const measured = Object.fromEntries(parts);
  const native = await Promise.all(['native.md', 'native-gpu.md'].map(read));
  const before = sectionsOf(await readFile(REPORT, 'utf8'));
  // What was not measured anew stays as it is, with its own machine and date.
  const section = (title, machine, text) => (text === null ? before.get(title) : `## ${title}\n\nMeasured on: ${machine}.\n\n${text}`);
  const sections = SECTIONS.map(([title, part, markdown]) => section(title, measured[part]?.machine, measured[part] && markdown(measured[part])));
  const head = `# Results of the benchmarks\n\nWritten by \`${COMMAND}\`; [CONTRIBUTING.md](../CONTRIBUTING.md) says how each part is measured again.`;
  const onCard = await read('native-card.md');
  const nativelyOnCard = section('Natively on a graphics card', measured['peers-card']?.machine, onCard?.trim() ?? null);
  const natively = section('Natively', measured.kernels?.machine, measured.kernels && !native.includes(null) ? native.map((text) => text.trim()).join('\n\n') : null);
  await writeFile(REPORT, `${[head, ...sections, natively, nativelyOnCard].filter(Boolean).join('\n\n')}\n`);
  const [wasm, webgpu, visit, keys] = ['peers-wasm', 'peers-webgpu', 'cold', 'latency'].map((part) => measured[part]);
  if (wasm && webgpu) await writeFile(join(ROOT, 'benches/peers.svg'), chart([wasm, webgpu]));
  if (visit && keys) await intoReadme('benchmarks', COMMAND, summary(visit.machine, [...coldRows(visit), ...latencyRows(keys)]));
  await intoReadme('peers', COMMAND, `![Time of a layer by library, beside this project's](benches/peers.svg)`);
}

await main();
