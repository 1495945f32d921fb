// Benchmark of release builds in Chromium: `node tests/browser/bench/run.mjs [PART…] [--quick] [--rounds N] [--dist DIR]…`. Parts: see PARTS.
// Prints tables and writes target/bench/PART.json. Judges nothing: machines differ. Other libraries: peers/run.mjs.

import { parseArgs } from 'node:util';
import { DIST } from '../server.mjs';
import { launch, serveAsHost, serveIsolated } from './builds.mjs';
import * as call from './call.mjs';
import * as card from './card.mjs';
import * as cold from './cold.mjs';
import * as growth from './growth.mjs';
import * as kernels from './kernels.mjs';
import * as latency from './latency.mjs';
import * as mechanisms from './mechanism-times.mjs';
import { intoFile, machine } from './report.mjs';

/** Each with `measure(context)` and `markdown(results)`; with --dist given twice, mechanisms compare the builds, the others take the first. */
const PARTS = { kernels, mechanisms, growth, latency, cold, card, call };
/** What is part of the report on any machine. */
const USUAL = ['kernels', 'mechanisms', 'growth', 'latency', 'cold'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    dist: { type: 'string', multiple: true },
  },
});

async function browserVersion() {
  const browser = await launch();
  const version = browser.version();
  await browser.close();
  return version;
}

async function main() {
  const parts = positionals.length > 0 ? positionals : USUAL;
  const unknown = parts.filter((name) => !PARTS[name]);
  if (unknown.length > 0) throw new Error(`no part is called ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}`);
  const builds = values.dist ?? [DIST];
  const requests = [];
  const note = (path) => void requests.push({ path, time: Date.now() });
  const servers = [await serveAsHost(builds, note), await serveIsolated(builds)];
  const [{ origin }, { origin: isolated }] = servers;
  const context = { origin, isolated, requests, builds, isQuick: values.quick, rounds: values.rounds && Number(values.rounds) };
  const where = machine(await browserVersion(), values.quick);
  console.log(`${parts.join(', ')} of ${builds.join(' and ')}; ${where}`);
  try {
    for (const name of parts) {
      const results = { machine: where, ...await PARTS[name].measure(context) };
      // Other builds are for whoever asked, not for the report.
      if (!values.dist) await intoFile(`${name}.json`, results);
      console.log(`\n## ${name}\n\n${PARTS[name].markdown(results)}`);
    }
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

await main();
