// The monkey in a second browser engine. MONKEY_SEED and MONKEY_FIREFOX choose another run.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { extent } from '../extent.mjs';
import { PuppeteerHands } from '../monkey/hands.mjs';
import { inside } from '../monkey/inside.mjs';
import { monkey } from '../monkey/run.mjs';
import { start } from './firefox.mjs';

const SEED = Number(process.env.MONKEY_SEED ?? 20261321);
const ACTIONS = extent('MONKEY_FIREFOX', { short: 60, long: 2000 });

let session;
before(async () => { session = await start(); });
after(() => session?.close());

test('a monkey finds nothing', async () => {
  console.log(`monkey in Firefox: MONKEY_SEED=${SEED}`);
  const page = await session.open('v=1', { before: (page) => page.evaluateOnNewDocument(inside) });
  await monkey(new PuppeteerHands(page), { seed: SEED, count: ACTIONS, problems: page.problems });
  assert.deepEqual(page.problems(), []);
});
