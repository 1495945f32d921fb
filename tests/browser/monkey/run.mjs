// One monkey: so many deeds, and after each a look.

import { DEEDS, JOURNEYS, act } from './deeds.mjs';
import { look } from './look.mjs';
import { random } from './random.mjs';

/** Chromium says so of a frame that is taken away while it asks for its module, as the preview is when its dialog is closed. */
export const TAKEN_AWAY = /Fetch API cannot load \S+\/engine-\w+\.wasm\. $/;

/** A long run says how far it is. */
const SAID_EVERY = 500;

const openTable = (hands) => hands.evaluate(() => { const table = document.querySelector('#as-table'); if (table) table.open = true; });

/**
 * Does `count` things on the page and looks after each. `problems()` says what the console has against it; `journeys` lead elsewhere,
 * `also` are further deeds; `after(at)` is called after each; `inspect` looks in another way.
 */
export async function monkey(hands, { seed, count, problems, journeys = JOURNEYS, also = [], after = () => {}, patience, inspect = look }) {
  const [r, log, refused] = [random(seed), [], new Set()];
  const deeds = [...DEEDS, ...journeys, ...also];
  await openTable(hands);
  for (let at = 1; at <= count; at++) {
    const done = await act(hands, r, deeds);
    log.push(done);
    if (done.startsWith('reload')) await openTable(hands);
    const context = () => `after ${at} with MONKEY_SEED=${seed}; the last ones: ${log.slice(-8).join(' | ')}`;
    await inspect(hands, { refused, context, patience, isArrival: /^(link|back|forward|reload)/.test(done) });
    const said = problems();
    if (said.length) throw new Error(`${said.join('\n')}\n${context()}`);
    await after(at);
    if (at % SAID_EVERY === 0) console.log(`MONKEY_SEED=${seed}: ${at} steps`);
  }
}
