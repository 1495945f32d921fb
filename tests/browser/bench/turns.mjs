// Runs inside the page: opens every contestant in its frame on the same numbers, compares what they return, then times them in turns.

const frames = new Map();

const event = (target, name) => new Promise((resolve, reject) => {
  target.addEventListener(name, resolve, { once: true });
  target.addEventListener('error', reject, { once: true });
});

/** Until a page of ours has nothing left to load or to draw, for then it takes no time from others; a bare frame at once. */
async function settled(frame) {
  const { contentWindow, contentDocument } = frame;
  if (!contentWindow.attentionPlayground) return;
  await contentWindow.attentionPlayground.ready;
  while (!('idle' in contentDocument.documentElement.dataset)) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function frameOf(contestant) {
  const frame = Object.assign(document.createElement('iframe'), { src: contestant.frame, width: 600, height: 400 });
  document.body.append(frame);
  await event(frame, 'load');
  const script = frame.contentDocument.createElement('script');
  Object.assign(script, { type: 'module', src: new URL('./frame.mjs', import.meta.url).href });
  const loaded = event(script, 'load');
  frame.contentDocument.head.append(script);
  await loaded;
  await settled(frame);
  return frame.contentWindow;
}

async function open(contestant, n, modelUrl) {
  const { name } = contestant;
  if (!frames.has(name)) frames.set(name, await frameOf(contestant));
  return frames.get(name).openContestant(contestant, n, modelUrl);
}

/** The largest difference; infinite where one is no number or missing. */
function difference(a, b) {
  if (a.length !== b.length) return Infinity;
  let worst = 0;
  for (let at = 0; at < a.length; at++) {
    const apart = Math.abs(a[at] - b[at]);
    if (!(apart <= worst)) worst = Number.isNaN(apart) ? Infinity : apart;
  }
  return worst;
}

const largest = (numbers) => numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

/** How far `result` is from that of the first contestant: weights absolute, output relative to the largest output. */
const apart = (result, first) => ({
  weights: difference(result.weights, first.weights),
  output: difference(result.output, first.output) / largest(first.output),
});

/** Milliseconds before each turn: threads that wait for more work in a loop, and memory that is being given back, are not in the next one's way. */
const REST = 100;

async function timed(contestant) {
  await new Promise((resolve) => setTimeout(resolve, REST));
  const from = performance.now();
  await contestant.run();
  return performance.now() - from;
}

/** Milliseconds by name, one a round. Who goes first changes, so that nobody always follows the same neighbour's leftovers. */
async function inTurns(contestants, rounds) {
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      times[name].push(await timed(contestants[name]));
    }
  }
  return times;
}

/** One size: `{ differences, times, firsts }`, all by name; `firsts` is what opening took of a first run, where it says so. Nobody is timed where two do not agree. */
export async function measure({ n, contestants, rounds, warmUps, modelUrl, allowed }) {
  if (!globalThis.crossOriginIsolated) throw new Error('the page is not isolated, so nobody can start threads');
  const [opened, differences] = [{}, {}];
  let first;
  for (const contestant of contestants) {
    const { name } = contestant;
    opened[name] = await open(contestant, n, modelUrl);
    const result = await opened[name].run();
    // Results of the others are let go at once: a size of 2048 has 134 MB of weights.
    first ??= result;
    differences[name] = apart(result, first);
    const { weights, output } = differences[name];
    if (!(weights <= allowed.weights && output <= allowed.output)) throw new Error(`results do not agree: ${JSON.stringify(differences)}`);
  }
  first = null;
  await inTurns(opened, warmUps);
  const times = await inTurns(opened, rounds);
  const firsts = Object.fromEntries(Object.entries(opened).map(([name, { first }]) => [name, first]));
  for (const one of Object.values(opened)) await one.close();
  return { differences, times, firsts };
}
