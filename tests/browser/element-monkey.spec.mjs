// The monkey on a page of somebody else with several elements that share one engine, come and go, and get any attribute.

import { allReady, test } from './element.mjs';
import { extent } from './extent.mjs';
import { PlaywrightHands } from './monkey/hands.mjs';
import { inside } from './monkey/inside.mjs';
import { monkey } from './monkey/run.mjs';

const SEED = Number(process.env.MONKEY_SEED ?? 20261521);
const ACTIONS = extent('MONKEY_EMBEDS', { short: 30, long: 2000 });

const ATTRIBUTES = [['heads', '3'], ['heads', 'many'], ['mask', 'causal local'], ['mask', 'lies'], ['tokens', 'one two'], ['tokens', ''], ['d_k', '-1'], ['controls', 'heads mask'], ['controls', 'all'], ['controls', 'nonsense'], ['theme', 'dark'], ['theme', 'host'], ['lang', 'zh'], ['lock', 'all'], ['panel', 'cost'], ['source', 'another text'], ['temperature', '1e9'], ['text', '<b>bold</b>']];

/** Attributes come, change and go; elements move, leave, and come back. */
const DEEDS = [
  [40, async (hands, r) => {
    const [[name, value], at, isGone] = [r.pick(ATTRIBUTES), r.next(), r.below(3) === 0];
    await hands.evaluate(([name, value, at, isGone]) => {
      const all = [...document.querySelectorAll('attention-playground')];
      const one = all[Math.floor(at * all.length)];
      if (isGone) one?.removeAttribute(name);
      else one?.setAttribute(name, value);
    }, [name, value, at, isGone]);
    return isGone ? `no ${name}` : `${name}="${value}"`;
  }],
  [8, async (hands, r) => hands.evaluate(([at, isMoved]) => {
    const all = [...document.querySelectorAll('attention-playground')];
    const one = all[Math.floor(at * all.length)];
    if (isMoved) one.parentElement.append(one);
    else if (all.length > 2) one.remove();
    else document.querySelector('main').append(document.createElement('attention-playground'));
    return isMoved ? 'moves one' : `there were ${all.length}`;
  }, [r.next(), r.below(2) === 0])],
];

/** Every element shows what it says that it shows. */
async function inspect(hands, { context, patience = 30_000 }) {
  const end = Date.now() + patience;
  for (;;) {
    const all = await hands.evaluate(() => [...document.querySelectorAll('attention-playground')].map((one) => {
      const failure = one.shadowRoot.querySelector('[data-failure]');
      return { idle: one.shadowRoot.querySelector('.mount')?.dataset.idle, state: one.state, stopped: failure && !failure.hidden };
    }));
    const wrong = all.filter(({ idle, stopped }) => stopped || idle !== '');
    if (!wrong.length) return;
    if (Date.now() > end) throw new Error(`${JSON.stringify(wrong)}\n${context()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a monkey among elements finds nothing', async ({ page, host, quiet }) => {
  test.setTimeout(60_000 + 1500 * ACTIONS);
  console.log(`monkey among elements: MONKEY_SEED=${SEED}`);
  await page.addInitScript(inside);
  await host.open(page, '<attention-playground id="a" heads="2" controls="all"></attention-playground><attention-playground id="b" tokens="the cat sat" mask="causal"></attention-playground>');
  await monkey(new PlaywrightHands(page), { seed: SEED, count: ACTIONS, problems: quiet.problems, journeys: [], also: DEEDS, inspect });
  await allReady(page);
});
