// The monkey where WebGPU is, and loses its device, runs out of memory or gets wrong answers whenever it likes.

import { extent } from './extent.mjs';
import { addFaults, inWorker } from './faults.mjs';
import { expect, openPage, isolated as test } from './fixture.mjs';
import { PlaywrightHands } from './monkey/hands.mjs';
import { inside } from './monkey/inside.mjs';
import { monkey, TAKEN_AWAY } from './monkey/run.mjs';

const SEED = Number(process.env.MONKEY_SEED ?? 20261221);
const ACTIONS = extent('MONKEY_ACTIONS', { short: 12, long: 10_000 });
const RUNS = extent('MONKEY_RUNS', { short: 1, long: 2 });

const FAULTS = ['destroy', 'invalid', 'memory', 'map'];

/** The device fails now, or at one of its next submissions; where there is none, it is asked for. `lost` is called when one fails. */
const lose = (page, lost) => async (hands, r) => {
  const [act, submissions] = [r.pick(FAULTS), r.below(6)];
  const isThere = await inWorker(page, ([act, submissions]) => {
    if (!faults.devices.length) return false;
    if (act === 'destroy' && submissions < 3) faults.destroy();
    else faults.next = { submissions, act };
    return true;
  }, [act, submissions]).catch(() => null);
  if (isThere) {
    lost();
    return `${act} after ${submissions} submissions`;
  }
  await hands.evaluate(() => document.querySelector('input[name="backend"][value="webgpu"]')?.click());
  return 'compute on webgpu';
};

for (let run = 0; run < RUNS; run++) {
  test(`a monkey that loses the graphics card finds nothing, run ${run + 1}`, async ({ page, quiet }) => {
    const count = Math.floor(ACTIONS / RUNS);
    quiet.allow(TAKEN_AWAY);
    test.setTimeout(120_000 + 2000 * count);
    const seed = SEED + run;
    console.log(`monkey with WebGPU, run ${run + 1}: MONKEY_SEED=${seed}`);
    await page.addInitScript(inside);
    await addFaults(page);
    await openPage(page, 'v=1&backend=webgpu');
    let lost = 0;
    const also = [[16, lose(page, () => { lost += 1; })]];
    await monkey(new PlaywrightHands(page), { seed, count, problems: quiet.problems, also, patience: 60_000 });
    console.log(`monkey with WebGPU, run ${run + 1}: ${lost} faults`);
    expect(lost, 'faults').toBeGreaterThan(count / 100);
  });
}
