// Random things that a person could do with the page. Every choice comes from one seeded source, so a run can be had again.

import { bring } from './bring.mjs';

const SENTENCES = [
  'the big cat sat on the small mat', '我爱机器学习。', "J'adore l'apprentissage", 'one', '', ' ', '猫は魚が好き', 'a a a a a a a', '👩‍👩‍👧 🇫🇷 é ﷽',
  '<script>alert(1)</script>', 'word '.repeat(70), 'عربي و English', '\u202Eright to left', '%41&text=1#2', '"quotes" \'and\' \\ slashes', 'ﬁne\u00ADprint\u200B',
];
const TYPED = ['0', '1', '2', '3', '5', '8', '13', '16', '64', '100', '513', '-4', '1e3', '2.5', '99999999999', '', 'abc', '4294967296', 'https://a.example', '[[0.5, 0.5], [1, 0]]'];
const KEYS = ['Tab', 'Shift+Tab', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 'Enter', 'Escape', 'Space', 'Backspace', 'Delete', 'Control+A', 'Control+Z', 'Control+C', 'Control+Home', 'a', '7', '+'];
const WINDOWS = [[390, 844], [1280, 900], [1600, 1000], [700, 500], [360, 600]];
const PANELS = ['steps', 'streaming', 'compare', 'analysis', 'cost', 'code', 'data'];
const SCRAPS = ['heads=99', 'd_k=-1', 'mask=lies', 'mask=causal,first', 'paint=%21', 'paint=AAIB', 'temperature=0', 'linformer=1&projected=300', 'step=nowhere', 'step=scores', 'open=cost,moon', 'against=d_k%3D9', 'hiding=after', 'text=%E4%BD', 'cell=9999,1', 'kv_heads=7', '%%%', 'v=2', 'seed=x', '__proto__=1', 'head=16', 'theme=neon', 'text=', 'source=', 'embed', 'show=map', 'show=heads,mask', 'lock=all', 'lock=heads', 'origins=*', 'data=AAAA'];

const link = (settings) => `v=1&${new URLSearchParams(settings)}`;

/** Does to one thing that can be reached what is done to such things. */
async function handle(hands, r, selector) {
  const part = await hands.reach(r.next(), selector);
  if (!part) return null;
  const { left, top, width, height } = part;
  const at = (x, y = r.next()) => [left + Math.min(Math.max(x * width, 1), width - 1), top + Math.min(Math.max(y * height, 1), height - 1)];
  if (part.kind === 'select') return `${part.name} becomes ${await hands.evaluate((share) => monkey.choose(share), r.next())}`;
  if (part.kind === 'range') {
    const to = r.next();
    await hands.stroke(at(part.share, 0.5), at(to, 0.5));
    return `drag ${part.name} to ${to.toFixed(3)}`;
  }
  await hands.click(...(part.kind === 'press' && r.below(4) ? at(0.5, 0.5) : at(r.next())));
  if (part.kind === 'press') return `press ${part.name}`;
  await hands.press('Control+A');
  const typed = r.pick(r.below(3) ? TYPED : SENTENCES);
  if (typed) await (typed.length > 6 ? hands.insert(typed) : hands.type(typed));
  else await hands.press('Delete');
  if (r.below(2)) await hands.press('Enter');
  return `type "${typed.slice(0, 20)}" into ${part.name}`;
}

const onMap = (hands, r) => hands.reach(r.next(), '#map');
const somewhere = (r, { left, top, width, height }) => [left + r.next() * width, top + r.next() * height];

/** What can be done: a weight, and a function that does it and resolves to words for the log, or to nothing where it was not possible. */
export const DEEDS = [
  [50, (hands, r) => handle(hands, r)],
  [18, (hands, r) => handle(hands, r, 'input[type="range"]')],
  [8, (hands, r) => handle(hands, r, '#text, #second')],
  [4, (hands, r) => handle(hands, r, `.panel > * #open-${r.pick(PANELS)}, #open-${r.pick(PANELS)}`)],
  [14, async (hands, r) => {
    const keys = Array.from({ length: 1 + r.below(4) }, () => r.pick(KEYS));
    for (const key of keys) await hands.press(key);
    return `keys ${keys.join(' ')}`;
  }],
  [6, async (hands) => {
    await hands.press('Escape');
    return 'Escape';
  }],
  [12, async (hands, r) => {
    const map = await onMap(hands, r);
    if (!map) return null;
    const place = somewhere(r, map);
    if (r.below(2)) await hands.click(...place);
    else await hands.point(...place);
    if (r.below(3) === 0) await hands.wheel(Math.round(400 * (r.next() - 0.5)));
    return `point at the map ${place.map(Math.round)}`;
  }],
  [6, async (hands, r) => {
    const map = await onMap(hands, r);
    if (!map) return null;
    const [from, to] = [somewhere(r, map), somewhere(r, map)];
    await hands.stroke(from, to);
    return `stroke over the map from ${from.map(Math.round)} to ${to.map(Math.round)}`;
  }],
  [5, async (hands, r) => {
    await hands.evaluate(() => document.querySelector('#map')?.focus());
    const key = r.pick(['ArrowDown', 'End', 'Control+End', 'Enter', 'Escape', 'PageDown', 'Control+C']);
    await hands.press(key);
    return `${key} on the map`;
  }],
  [4, async (hands, r) => {
    const [width, height] = r.pick(WINDOWS);
    await hands.resize(width, height);
    return `window ${width} × ${height}`;
  }],
  [5, (hands, r) => bring(hands, r)],
];

/** Deeds that leave the present address. */
export const JOURNEYS = [
  [6, async (hands, r) => {
    const isForward = r.below(3) === 0;
    await (isForward ? hands.forward() : hands.back());
    if (hands.page.url() !== 'about:blank') return isForward ? 'forward' : 'back';
    await hands.forward();
    return 'reload: back out of the page, and in again';
  }],
  [5, async (hands, r) => {
    const scraps = Array.from({ length: 1 + r.below(3) }, () => r.pick(SCRAPS)).join('&');
    const fragment = r.below(2) ? `v=1&${scraps}` : `${link({ text: r.pick(SENTENCES), heads: String(1 + r.below(16)), weights: 'random' })}&${scraps}`;
    await hands.evaluate((fragment) => void (location.hash = fragment), fragment);
    return `link ${fragment.slice(0, 60)}`;
  }],
  // Out of whatever a link has hidden or locked, and out of what was brought.
  [3, async (hands) => {
    await hands.evaluate(() => void (location.hash = 'v=1'));
    return 'link v=1';
  }],
  [1, async (hands) => {
    await hands.reload();
    return 'reload';
  }],
];

/** Does one random thing of `deeds`; resolves to what it was. */
export async function act(hands, r, deeds) {
  await hands.attend();
  const total = deeds.reduce((sum, [weight]) => sum + weight, 0);
  for (;;) {
    let at = r.below(total);
    const [, deed] = deeds.find(([weight]) => (at -= weight) < 0);
    const done = await deed(hands, r);
    if (done) return done;
  }
}
