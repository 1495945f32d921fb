// Random things that a person could do with the page. Every choice comes from one seeded source, so a run can be had again.

import { drag, link } from './helpers.mjs';

/** Mulberry32: numbers in 0 ≤ x < 1 from a 32-bit seed. */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (end) => Math.floor(next() * end);
  return { next, below, pick: (list) => list[below(list.length)] };
}

const SENTENCES = [
  'the big cat sat on the small mat', '我爱机器学习。', "J'adore l'apprentissage", 'one', '', ' ', '猫は魚が好き', 'a a a a a a a', '👩‍👩‍👧 🇫🇷 é ﷽',
  '<script>alert(1)</script>', 'word '.repeat(70), 'عربي و English', '\u202Eright to left', '%41&text=1#2', '"quotes" \'and\' \\ slashes', 'ﬁne\u00ADprint\u200B',
];
const NUMBERS = ['0', '1', '2', '3', '5', '8', '13', '16', '64', '100', '513', '-4', '1e3', '2.5', '99999999999', ''];
const SLIDERS = ['heads', 'kv-heads', 'd-k', 'd-model', 'valid', 'window', 'stride', 'first', 'temperature', 'projected'];
const PANELS = ['steps', 'curves', 'streaming', 'compare', 'analysis', 'cost'];
const RADIOS = { mask: ['none', 'causal', 'padding', 'local', 'strided', 'first'], hiding: ['out', 'written', 'after'], scoring: ['dot', 'additive'], origin: ['teaching', 'random'], scale: ['linear', 'log'], kind: ['self', 'cross'], theme: ['light', 'dark', 'auto'], language: ['en', 'zh'] };
const KEYS = ['Tab', 'Shift+Tab', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 'Enter', 'Escape', 'Space', 'Backspace', 'Delete', 'Control+A', 'Control+Z', 'Control+Home', 'a', '7', '+'];
const WINDOWS = [[390, 844], [1280, 900], [1600, 1000], [700, 500], [360, 600]];
const SCRAPS = ['heads=99', 'd_k=-1', 'mask=lies', 'mask=causal,first', 'paint=%21', 'paint=AAIB', 'temperature=0', 'linformer=1&projected=300', 'step=nowhere', 'step=scores', 'open=cost,moon', 'against=d_k%3D9', 'hiding=after', 'text=%E4%BD', 'cell=9999,1', 'kv_heads=7', '%%%', 'v=2', 'seed=x', '__proto__=1', 'head=16', 'theme=neon', 'text=', 'source='];

/** Clicks one of a list, unless the list has become shorter in the meantime. */
async function clickOne(page, r, selector) {
  const count = await page.locator(selector).count();
  if (!count) return null;
  const at = r.below(count);
  const isThere = await page.locator(selector).nth(at).click({ timeout: 1000 }).then(() => true, () => false);
  return isThere ? `${selector}, number ${at + 1}` : null;
}

const seen = async (page, selector) => (await page.locator(selector).first().isVisible()) && page.locator(selector).first();

/** What can be done: a weight, and a function that does it and resolves to words for the log, or to nothing where it was not possible. */
const ACTIONS = [
  [18, async (page, r) => {
    const id = r.pick(SLIDERS);
    if (!(await seen(page, `#${id}`))) return null;
    const share = r.next();
    await drag(page, id, share);
    return `drag ${id} to ${share.toFixed(3)}`;
  }],
  [8, async (page, r) => {
    const id = `${r.pick(SLIDERS)}-number`;
    const [field, typed] = [await seen(page, `#${id}`), r.pick(NUMBERS)];
    if (!field) return null;
    await field.click({ clickCount: 3 });
    await page.keyboard.press('Delete');
    await page.keyboard.type(typed);
    if (r.below(2)) await page.keyboard.press('Enter');
    return `type "${typed}" into ${id}`;
  }],
  [10, async (page, r) => {
    const name = r.pick(Object.keys(RADIOS));
    const value = r.pick(RADIOS[name]);
    const label = await seen(page, `label:has(input[name="${name}"][value="${value}"]:enabled)`);
    if (!label) return null;
    await label.click();
    return `choose ${name}=${value}`;
  }],
  [6, async (page, r) => {
    const id = r.pick(['scaled', 'linformer', 'new-seed', 'mask-map', 'paint', 'paint-undo', 'paint-clear']);
    const button = await seen(page, `#${id}:enabled:not([aria-disabled="true"])`);
    const isPressed = button && (await button.click({ timeout: 1000 }).then(() => true, () => false));
    return isPressed ? `press ${id}` : null;
  }],
  [3, async (page, r) => {
    const positions = r.pick(['none', 'sinusoidal', 'rotary', 'alibi']);
    await page.locator('#positions').selectOption(positions, { timeout: 500 }).catch(() => {});
    return `positions ${positions}`;
  }],
  [5, async (page, r) => {
    const panel = r.pick(PANELS);
    await page.locator(`#open-${panel}`).click();
    return `open or close ${panel}`;
  }],
  [1, async (page) => {
    await page.locator('#more > summary').click();
    return 'fold';
  }],
  [6, async (page, r) => {
    const map = page.locator('#map');
    await map.scrollIntoViewIfNeeded();
    const box = await map.boundingBox();
    const place = () => [box.x + r.next() * box.width, box.y + r.next() * box.height];
    const [from, to] = [place(), place()];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 3 });
    await page.mouse.up();
    return `stroke over the map from ${from.map(Math.round)} to ${to.map(Math.round)}`;
  }],
  [6, async (page, r) => {
    const typed = r.pick(['42', '0', '4294967295', '4294967296', '-1', 'abc', '7']);
    await page.locator('#seed').click({ clickCount: 3 });
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    return `seed "${typed}"`;
  }],
  [8, async (page, r) => {
    const [id, text] = [r.pick(['text', 'text', 'second']), r.pick(SENTENCES)];
    const field = await seen(page, `#${id}`);
    if (!field) return null;
    await field.fill(text);
    return `${id} becomes "${text.slice(0, 20)}"`;
  }],
  [6, async (page, r) => {
    const text = r.pick(SENTENCES).slice(0, 24);
    await page.locator('#text').click();
    await page.keyboard.press(r.pick(['Home', 'End', 'Control+A']));
    if (r.below(2)) await page.keyboard.insertText(text);
    else await page.keyboard.type(text.slice(0, 6));
    return `insert "${text}"`;
  }],
  [12, async (page, r) => {
    const keys = Array.from({ length: 1 + r.below(4) }, () => r.pick(KEYS));
    for (const key of keys) await page.keyboard.press(key);
    // A panel that was opened so would lie over what is wanted next; a click beside it, which a hand would make, closes it.
    if (await page.locator('#backend-panel').isVisible()) await page.keyboard.press('Escape');
    return `keys ${keys.join(' ')}`;
  }],
  [12, async (page, r) => {
    const map = page.locator('#map');
    await map.scrollIntoViewIfNeeded();
    const box = await map.boundingBox();
    const [x, y] = [box.x + r.next() * box.width, box.y + r.next() * box.height];
    await page.mouse.move(x, y);
    if (r.below(2)) {
      await page.mouse.down();
      await page.mouse.up();
    }
    if (r.below(3) === 0) await page.mouse.wheel(0, 400 * (r.next() - 0.5));
    return `point at the map ${x.toFixed()},${y.toFixed()}`;
  }],
  [4, async (page, r) => {
    await page.locator('#map').focus();
    await page.keyboard.press(r.pick(['ArrowDown', 'End', 'Control+End', 'Enter', 'Escape', 'PageDown']));
    return 'keys on the map';
  }],
  [6, (page, r) => clickOne(page, r, '#all-heads button')],
  [3, (page, r) => clickOne(page, r, '#most button')],
  [4, async (page, r) => {
    const options = await page.locator('#presets option').evaluateAll((all) => all.map((one) => one.value).filter(Boolean));
    const id = r.pick(options);
    await page.locator('#presets').selectOption(id);
    return `example ${id}`;
  }],
  [3, async (page, r) => {
    const [menu, colours] = [await seen(page, '#colours'), r.pick(['tide', 'blues', 'ylorrd', 'greys'])];
    if (!menu) return null;
    await menu.selectOption(colours);
    return `colours ${colours}`;
  }],
  [5, async (page, r) => {
    const [width, height] = r.pick(WINDOWS);
    await page.setViewportSize({ width, height });
    return `window ${width} × ${height}`;
  }],
  [6, async (page, r) => {
    const forward = r.below(3) === 0;
    await (forward ? page.goForward({ timeout: 3000 }) : page.goBack({ timeout: 3000 }));
    if (page.url() !== 'about:blank') return forward ? 'forward' : 'back';
    await page.goForward();
    return 'reload: back out of the page, and in again';
  }],
  [4, async (page, r) => {
    const scraps = Array.from({ length: 1 + r.below(3) }, () => r.pick(SCRAPS)).join('&');
    const fragment = r.below(2) ? `v=1&${scraps}` : `${link({ text: r.pick(SENTENCES), heads: String(1 + r.below(16)), weights: 'random' })}&${scraps}`;
    await page.evaluate((fragment) => void (location.hash = fragment), fragment);
    return `link ${fragment.slice(0, 60)}`;
  }],
  [2, async (page, r) => {
    const label = await seen(page, `label[for="${r.pick(SLIDERS)}"]`);
    if (!label) return null;
    await label.dblclick();
    return 'double-click a label';
  }],
  [3, async (page, r) => {
    await page.locator('#backend').click();
    const backend = r.pick(['auto', 'cpu', 'webgpu']);
    await page.locator(`label:has(input[name="backend"][value="${backend}"])`).click();
    await page.keyboard.press('Escape');
    return `compute on ${backend}`;
  }],
  [2, (page, r) => clickOne(page, r, '#notices button')],
  [1, async (page) => {
    await page.reload();
    return 'reload';
  }],
];

const TOTAL = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);

/** Does one random thing; resolves to what it was. */
export async function act(page, r) {
  for (;;) {
    let at = r.below(TOTAL);
    const [, action] = ACTIONS.find(([weight]) => (at -= weight) < 0);
    const done = await action(page, r);
    if (done) return done;
  }
}
