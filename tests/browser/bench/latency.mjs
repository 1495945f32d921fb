// From a key press to the painted map, bursts of events, and memory after many changes; in a page of its own each.

import { ALL_PANELS, burst, changes, linkTo, mapTimes, presses } from './measure.mjs';
import { launch } from './builds.mjs';
import { mb, median, ms, p95, table } from './report.mjs';

const TOKENS = [11, 64, 256];
/** What is measured: so many tokens, with the panels that are open at first, or with every one of them. */
const SETTINGS = [...TOKENS.map((tokens) => ({ tokens })), ...TOKENS.slice(0, 2).map((tokens) => ({ tokens, open: ALL_PANELS }))];

/** Opens a page of its own, hands it to `measure` and closes everything. */
async function inPage({ origin, isQuick }, fragment, measure) {
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${origin}/ours/${fragment}`);
  await mapTimes(page);
  await page.waitForTimeout(isQuick ? 200 : 1000);
  const result = await measure(page);
  await browser.close();
  return result;
}

export async function measure(context) {
  const { isQuick } = context;
  const answers = [];
  for (const setting of isQuick ? SETTINGS.slice(0, 2) : SETTINGS) {
    const link = linkTo(setting.tokens, setting.open);
    answers.push({
      ...setting,
      ...await inPage(context, link, (page) => presses(page, isQuick ? 8 : 60)),
      burst: await inPage(context, link, burst),
    });
  }
  const count = isQuick ? 50 : 500;
  return { answers, changes: { count, ...await inPage(context, linkTo(TOKENS[0]), (page) => changes(page, count)) } };
}

const nameOf = ({ tokens, open }) => `${tokens} tokens${tokens === TOKENS[0] ? ' (the opening sentence)' : ''}${open ? ', every panel open' : ''}`;

const both = (times) => `${ms(median(times))}, ${ms(p95(times))}`;

export function markdown({ answers, changes }) {
  const rows = answers.map(({ drawn, shown, burst, ...setting }) => {
    const { seconds, frames, pictures, longestGap } = burst;
    return [nameOf(setting), both(drawn), both(shown), `${seconds.toFixed(2)} s, ${pictures} pictures, ${frames} frames, longest gap ${longestGap.toFixed(0)} ms`];
  });
  const { count, before, after } = changes;
  return [
    '"Drawn" means that the canvas holds the new picture: input, message to the worker, computation, message back, pixels.',
    '',
    table(['', 'key press on a slider → map drawn: median, 95 %', '→ in a frame handed to the screen (60 Hz)', '200 slider events sent over 2 s'], rows),
    '',
    `After ${count} changes of text, width and heads the JavaScript heap went from ${mb(before.javascript)} to ${mb(after.javascript)} (after collection), `
      + `the WebAssembly memories of page and worker from ${mb(before.wasm)} to ${mb(after.wasm)}.`,
  ].join('\n');
}
