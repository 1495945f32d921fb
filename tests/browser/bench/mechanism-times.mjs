// One call of each mechanism on the CPU, by every build in turns: whether a change of the kernels makes one of them slower.

import { launch, measureInTurns, openBare, ours } from './builds.mjs';
import { NAMES } from './mechanisms.mjs';
import { median, ratio, table } from './report.mjs';

const N = 512;
/** Largest accepted difference between two builds: both may be off by what the API promises. */
const ALLOWED = { weights: 2e-5, output: 2e-4 };

export async function measure({ isolated, builds, isQuick, rounds }) {
  const browser = await launch();
  try {
    const page = await openBare(browser, isolated);
    const mechanisms = {};
    for (const mechanism of NAMES) {
      const contestants = builds.map((folder, at) => ours(folder, at, { backend: 'cpu', workers: 1, mechanism }));
      const given = { n: N, contestants, rounds: rounds ?? (isQuick ? 2 : 15), warmUps: 1, allowed: ALLOWED };
      mechanisms[mechanism] = (await measureInTurns(page, given)).times;
    }
    return { mechanisms };
  } finally {
    await browser.close();
  }
}

export function markdown({ mechanisms }) {
  const names = Object.keys(Object.values(mechanisms)[0]);
  const cells = (times) => names.map((name, at) =>
    `${median(times[name]).toFixed(1)} (${Math.min(...times[name]).toFixed(1)})${at === 0 ? '' : ` · ${ratio(times[name], times[names[0]]).toFixed(2)} ×`}`);
  return [
    `One call at n = ${N}, width 512, 8 heads, X → weights and output, on one worker; ms: median (fastest)${names.length > 1 ? ` · time ÷ time of ${names[0]}` : ''}.`,
    '',
    table(['', ...names], Object.entries(mechanisms).map(([mechanism, times]) => [mechanism, ...cells(times)])),
  ].join('\n');
}
