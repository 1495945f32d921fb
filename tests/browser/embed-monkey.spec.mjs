// The monkey inside a frame of somebody else's page, whose host says whatever it likes at the same time.

import { extent } from './extent.mjs';
import { FrameHands } from './monkey/hands.mjs';
import { inside } from './monkey/inside.mjs';
import { monkey } from './monkey/run.mjs';
import { ask, expect, say, test } from './hosts.mjs';

const SEED = Number(process.env.MONKEY_SEED ?? 20261421);
const ACTIONS = extent('MONKEY_EMBEDS', { short: 20, long: 2000 });

const SETTINGS = [{ heads: '8' }, { heads: 2, mask: 'causal' }, { text: 'said by the host' }, { heads: -1 }, { nothing: 1 }, { d_k: NaN }, { mask: ['local', 'strided'] }, { text: '<img src=x onerror=alert(1)>' }, { seed: 1e300 }, 'heads=3&d_k=8', '%%%', null, [[[]]]];
const MESSAGES = [
  () => ({ type: 'get' }),
  () => ({ type: 'hello' }),
  (r) => ({ type: 'set', settings: r.pick(SETTINGS) }),
  (r) => ({ type: 'set', fragment: r.pick(['heads=5', 'v=1&mask=causal', 'x'.repeat(100_000), 'lock=all', 'embed']) }),
  (r) => ({ type: 'select', query: r.below(12), key: r.pick([0, 3, 99, -1, null, 'a']) }),
  (r) => ({ type: 'theme', theme: r.pick(['light', 'dark', 'neon', {}]) }),
  (r) => ({ type: r.pick(['', 'change', 'constructor', '__proto__', 'nothing']), id: r.pick([1, 'a', {}, null]) }),
  (r) => ({ v: r.pick([0, 2, '1', NaN]), type: 'set', settings: { heads: 4 } }),
];

/** The host says something, most of it well formed. */
const speak = (page) => async (_, r) => {
  const message = r.pick(MESSAGES)(r);
  await say(page, message);
  return `host says ${JSON.stringify(message).slice(0, 60)}`;
};

test('a monkey in a frame finds nothing, and the host is answered to the end', async ({ page, host, quiet }) => {
  test.setTimeout(60_000 + 1500 * ACTIONS);
  console.log(`monkey in a frame: MONKEY_SEED=${SEED}`);
  await page.addInitScript(inside);
  await host.open(page, `embed&v=1&show=all&origins=${host.origin}`);
  const frame = page.frames().at(-1);
  await monkey(new FrameHands(page, frame), { seed: SEED, count: ACTIONS, problems: quiet.problems, journeys: [], also: [[40, speak(page)]] });
  expect((await ask(page, { type: 'get' })).state).toBeTruthy();
});
