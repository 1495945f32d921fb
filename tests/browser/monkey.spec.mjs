// Random things that a person could do. After each: nothing has stopped, the console is clean, rows sum to 1 and the picture belongs to
// the state. After a long run memory is as it was. MONKEY_SEED and MONKEY_ACTIONS choose another run; `./dev soak` has a long one.

import { extent } from './extent.mjs';
import { expect, idle, openPage, isolated as test } from './fixture.mjs';
import { link } from './helpers.mjs';
import { memory } from './memory.mjs';
import { PlaywrightHands } from './monkey/hands.mjs';
import { inside } from './monkey/inside.mjs';
import { monkey, TAKEN_AWAY } from './monkey/run.mjs';

const SEED = Number(process.env.MONKEY_SEED ?? 20261121);
const ACTIONS = extent('MONKEY_ACTIONS', { short: 20, long: 10_000 });
/** Runs side by side, each with a share of the actions, to use both cores. */
const RUNS = extent('MONKEY_RUNS', { short: 1, long: 2 });
/** A few actions leave nothing that could be told from what a browser keeps for a while: `memory.spec.mjs` has many of one kind. */
const IS_LONG = ACTIONS >= 500;

/** The page as on a first visit, after runs larger than any of the monkey's with every panel open: WebAssembly memory grows to what the
 * largest needs, a panel keeps the nodes that it once made, and a worker the layers and rows of the last four settings. A dialog that the
 * monkey has left open goes first: that of the links holds a whole page in a frame. */
async function rest(page) {
  await page.evaluate(() => document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close()));
  await page.setViewportSize({ width: 1280, height: 900 });
  const open = 'steps,streaming,training,draw,compare,analysis,cost,code,data';
  const large = (seed) => link({ text: 'large '.repeat(500).trim(), weights: 'random', heads: '16', d_model: '256', seed, against: 'mask=causal', open });
  for (const fragment of [...['1', '2', '3', '4', '5'].map(large), link({ heads: '8', against: 'mask=causal', open }), 'v=1']) {
    await page.evaluate((fragment) => void (location.hash = fragment), fragment);
    await idle(page);
  }
}

for (let run = 0; run < RUNS; run++) {
  test(`a monkey finds nothing, run ${run + 1}`, async ({ page, quiet }) => {
    const count = Math.floor(ACTIONS / RUNS);
    quiet.allow(TAKEN_AWAY);
    test.setTimeout(60_000 + 1000 * count);
    const seed = SEED + run;
    console.log(`monkey run ${run + 1}: MONKEY_SEED=${seed}`);
    await page.addInitScript(inside);
    await openPage(page);
    let early;
    const after = async (at) => {
      if (!IS_LONG || at !== Math.floor(count / 5)) return;
      await rest(page);
      early = await memory(page);
    };
    await monkey(new PlaywrightHands(page), { seed, count, problems: quiet.problems, after });
    if (!IS_LONG) return;
    // A browser keeps a document that was left for as long as it likes: only what stays has grown.
    await expect(async () => {
      await rest(page);
      const late = await memory(page);
      console.log(`monkey run ${run + 1}: ${JSON.stringify(early)} → ${JSON.stringify(late)}`);
      expect(late.javascript, 'bytes of JavaScript after collection').toBeLessThan(1.15 * early.javascript + 200_000);
      expect(late.nodes, 'nodes after collection').toBeLessThan(1.15 * early.nodes + 300);
      // It never shrinks: files of a large setting, which the monkey may save late, have their place in it for good.
      expect(late.wasm, 'bytes of WebAssembly memory').toBeLessThan(1.25 * early.wasm + 2 ** 24);
    }).toPass({ timeout: 60_000 });
  });
}
