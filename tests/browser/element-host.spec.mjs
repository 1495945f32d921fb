// The element where the page around is hostile, strict, restless or broken.

import { allReady, expect, expectPicture, expectTold, test, told, withElement } from './element.mjs';
import { isSoak, subset } from './extent.mjs';
import { memory } from './memory.mjs';
import { serve } from './server.mjs';

const PLAIN = '<attention-playground tokens="the cat sat" heads="4" mask="causal" controls="heads mask"></attention-playground>';
const element = (page) => page.locator('attention-playground').first();

const HOSTILE = {
  'everything unset': '* { all: unset } script, style, head { display: none }',
  'parts hidden': 'button, input, label, fieldset, canvas, section, main main { display: none } [hidden] { display: block !important }',
  'sizes and faces': 'html { font-size: 62.5%; font-family: fantasy; letter-spacing: 3px; line-height: 3; color: red; direction: rtl; text-transform: uppercase; text-align: center; white-space: pre; cursor: wait }',
  'custom properties': '* { --ink: red; --paper: red; --s4: 100px; --type-2: 40px; --sans: fantasy }',
};

/** What the element looks like inside: size and place of its parts to the element, and how its text is set. */
const looks = (page) => element(page).evaluate((one) => {
  const from = one.shadowRoot.querySelector('.mount').getBoundingClientRect();
  return ['#map', '#heads', '#heads-number', '.setup h2', 'legend', '#mask-rule'].map((selector) => {
    const part = one.shadowRoot.querySelector(selector);
    if (!part.checkVisibility()) return selector;
    const { left, top, width, height } = part.getBoundingClientRect();
    const { color, fontSize, fontFamily, letterSpacing, lineHeight, direction, textTransform, cursor, display } = getComputedStyle(part);
    return { selector, at: [left - from.left, top - from.top, width, height].map(Math.round), color, fontSize, fontFamily, letterSpacing, lineHeight, direction, textTransform, cursor, display };
  });
});

test('no style of the host comes in, and none of ours goes out', async ({ page, host }) => {
  const around = `<div id="around" style="width: 700px">${PLAIN}</div><section class="panel"><h2 class="setup" id="theirs">theirs</h2><button class="plain">theirs</button></section>`;
  await host.open(page, around);
  const wanted = await looks(page);
  const theirs = () => page.locator('#theirs').evaluate((one) => JSON.stringify([...getComputedStyle(one)].map((name) => getComputedStyle(one)[name])));
  const before = await theirs();
  for (const [name, css] of Object.entries(HOSTILE)) {
    const sheet = await page.addStyleTag({ content: `${css} #around { display: block !important; width: 700px !important }` });
    await expect.poll(() => looks(page), { message: name }).toEqual(wanted);
    await sheet.evaluate((one) => one.remove());
  }
  await withElement(page, (one) => one.remove());
  expect(await theirs()).toBe(before);
});

for (const width of subset([320, 500, 800, 1200], (width) => [320, 1200].includes(width))) {
  test(`takes the width of its place, ${width} px of a wide window`, async ({ page, host }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await host.open(page, `<div style="width: ${width}px">${PLAIN.replace(' controls="heads mask"', '')}</div>`);
    const over = () => element(page).evaluate((one) => {
      const mount = one.shadowRoot.querySelector('.mount');
      const right = mount.getBoundingClientRect().right;
      const wide = [...mount.querySelectorAll('*')].filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > right + 0.5 && !part.closest('.unseen, .table, .curves, [popover]'));
      return { width: mount.getBoundingClientRect().width, scrolls: mount.scrollWidth > mount.clientWidth, wide: wide.map((part) => part.id || part.className || part.tagName) };
    });
    await expect.poll(over).toEqual({ width, scrolls: false, wide: [] });
  });
}

test('a strict policy of the host is enough', async ({ page, host }) => {
  const policy = "default-src 'none'; script-src %SITE% 'wasm-unsafe-eval'; worker-src blob:; connect-src %SITE%; style-src 'none'; img-src data:";
  await host.open(page, PLAIN, { headers: { 'content-security-policy': policy } });
  await expectPicture(element(page), 'text=the+cat+sat');
  await expect(page.locator('.setup h2')).toHaveCSS('font-weight', '600');
  await withElement(page, (one) => void (one.heads = 2));
  await expectPicture(element(page), 'heads=2');
});

test('files that are served in a sandbox, as beside a notebook, make a worker all the same', async ({ page, quiet }) => {
  const body = `<!doctype html><title>A notebook</title><link rel="icon" href="data:,"><script type="module" src="/attention-playground.js"></script>${PLAIN}`;
  const site = await serve({
    isShared: false,
    headers: { 'content-security-policy': 'sandbox allow-scripts' },
    instead: (path) => (path === '/host' ? { headers: { 'content-type': 'text/html' }, body } : null),
  });
  quiet.allow(/^request to another origin/);
  await page.goto(`${site.origin}/host`);
  await allReady(page);
  await expectPicture(element(page), 'text=the+cat+sat');
  await page.goto('about:blank');
  await site.close();
});

test('moved it is the same; taken out and put back it goes on where it was', async ({ page, host }) => {
  await host.open(page, `<div id="one">${PLAIN}</div><div id="two"></div>`);
  await withElement(page, (one) => void (one.seed = 7));
  await expectPicture(element(page), 'seed=7');
  const runs = await page.evaluate(() => {
    const one = document.querySelector('attention-playground');
    const map = one.shadowRoot.querySelector('#map');
    document.getElementById('two').append(one);
    return new Promise((resolve) => setTimeout(() => resolve(one.shadowRoot.querySelector('#map') === map), 50));
  });
  expect(runs, 'the same map').toBe(true);
  const left = await page.evaluate(async () => {
    const one = document.querySelector('attention-playground');
    one.remove();
    await new Promise((resolve) => setTimeout(resolve, 50));
    globalThis.kept = one;
    return [one.shadowRoot.childElementCount, one.state, one.seed, one.snapshot];
  });
  expect(left).toEqual([0, expect.stringContaining('seed=7'), undefined, null]);
  await page.evaluate(() => {
    globalThis.kept.heads = 2;
    document.getElementById('one').append(globalThis.kept);
    return globalThis.kept.ready;
  });
  await expectPicture(element(page), 'seed=7');
  await expectPicture(element(page), 'heads=2');
});

test('it opens task by task, and what happens between two of them counts', async ({ page, host }) => {
  await host.open(page, '<div id="place"></div>');
  const opened = await page.evaluate(async () => {
    const place = document.getElementById('place');
    const one = document.createElement('attention-playground');
    const drawn = () => new Promise((resolve) => {
      const watcher = new MutationObserver(() => one.shadowRoot.querySelector('.mount') && resolve(watcher.disconnect()));
      watcher.observe(one.shadowRoot, { childList: true, subtree: true });
    });
    const nextTask = () => new Promise((resolve) => setTimeout(resolve));
    // Until its markup is there, which a page is not yet.
    const putIn = () => {
      const markup = drawn();
      one.remove();
      place.append(one);
      return markup;
    };
    one.settings = { tokens: 'the cat sat', heads: 2 };
    await putIn();
    const early = one.snapshot;
    one.seed = 7;
    await putIn();
    // Now there is one, which shows nothing yet.
    await nextTask();
    one.setAttribute('mask', 'causal');
    await putIn();
    await nextTask();
    one.settings = { heads: 3 };
    await one.ready;
    return { early, mounts: one.shadowRoot.querySelectorAll('.mount').length, layout: one.shadowRoot.querySelector('.mount').dataset.layout, shown: [one.snapshot.settings.seed, one.snapshot.settings.heads, one.mask] };
  });
  expect(opened).toEqual({ early: null, mounts: 1, layout: 'embed', shown: [7, 3, 'causal'] });
  await expectPicture(element(page), 'heads=3');
});

test('made and taken away again and again, nothing stays', async ({ page, host }) => {
  test.setTimeout(120_000);
  await host.open(page, `<div id="place"></div>${PLAIN}`);
  const cycles = (count) => page.evaluate(async (count) => {
    for (let at = 0; at < count; at++) {
      const one = document.createElement('attention-playground');
      one.settings = { tokens: 'the cat sat on the mat and looked', seed: at, open: 'steps,analysis,cost' };
      document.getElementById('place').append(one);
      // Some leave before they are there, some with a run under way.
      if (at % 5 !== 0) await one.ready;
      if (at % 3 === 0) one.heads = 8;
      one.remove();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }, count);
  await cycles(6);
  const before = await memory(page);
  await cycles(isSoak ? 50 : 15);
  // A browser lets go when it finds the time.
  await expect(async () => {
    const after = await memory(page);
    expect(after.nodes - before.nodes, 'nodes').toBeLessThan(100);
    expect(after.listeners - before.listeners, 'listeners').toBeLessThan(20);
    expect(after.javascript - before.javascript, 'bytes of JavaScript').toBeLessThan(500_000);
    expect(after.wasm - before.wasm, 'bytes of WebAssembly memory').toBeLessThan(2_000_000);
  }).toPass({ timeout: 60_000 });
  expect(page.workers()).toHaveLength(1);
  // Those that stay still answer.
  await withElement(page, (one) => void (one.seed = 99));
  await expectPicture(element(page), 'seed=99');
});

test('two share the worker fairly: the small one answers while the large one is at work', async ({ page, host }) => {
  const long = 'one more word '.repeat(300).trim();
  await host.open(page, '<attention-playground id="small" tokens="the cat"></attention-playground><attention-playground id="large" tokens="a"></attention-playground>');
  const order = await page.evaluate(async (long) => {
    const [small, large] = ['small', 'large'].map((id) => document.getElementById(id));
    const order = [];
    const both = [small, large].map((one) => new Promise((resolve) => one.addEventListener('change', () => resolve(order.push(one.id)), { once: true })));
    large.settings = { tokens: long, heads: 8, d_model: 512, d_k: 128 };
    small.seed = 5;
    await Promise.all(both);
    return order;
  }, long);
  expect(order).toEqual(['small', 'large']);
});

test('files that do not come are told in words, in both languages, and nothing else breaks', async ({ page, host, quiet }) => {
  quiet.allow(/Failed to load resource|status 404|console error/);
  await page.route(/engine-\w+\.wasm$/, (route) => route.fulfill({ status: 404, body: '' }));
  await host.open(page, PLAIN, { ready: false });
  await expectTold(page, 'failed', { message: expect.any(String) });
  await expect(page.locator('[data-failure]')).toBeVisible();
  await expect(page.locator('[data-failure]')).toContainText('Reload the page that this is part of.');
  await expect(page.locator('[data-failure]')).toContainText('请重新载入所在的页面。');
  await expect(page.locator('[data-failure] button').first()).toBeHidden();
  expect(await withElement(page, (one) => one.ready.catch(({ name, code }) => [name, code]))).toEqual(['AttentionError', 'backend_unavailable']);
  expect(await told(page, 'ready')).toEqual([]);
});

test('a host that allows no worker: every element says so, also one that comes later', async ({ page, host, quiet }) => {
  quiet.allow(/Content Security Policy|policy: worker-src/);
  await host.open(page, PLAIN + PLAIN, { ready: false, headers: { 'content-security-policy': "worker-src 'none'" } });
  const failed = (count) => expect.poll(async () => (await told(page, 'failed')).length).toBe(count);
  await failed(2);
  const late = await page.evaluate(async () => {
    const one = document.createElement('attention-playground');
    document.body.append(one);
    return one.ready.then(() => 'ready', ({ name, code }) => [name, code]);
  });
  expect(late).toEqual(['AttentionError', 'backend_unavailable']);
  await failed(3);
  await expect(page.locator('[data-failure]:visible')).toHaveCount(3);
});

test('a host that requires Trusted Types is told so in a typed error', async ({ page, host, quiet }) => {
  quiet.allow(/trusted/i);
  await host.open(page, PLAIN, { ready: false, headers: { 'content-security-policy': "require-trusted-types-for 'script'" } });
  await expectTold(page, 'failed', { message: expect.stringContaining('requires Trusted Types') });
  expect(await withElement(page, (one) => one.ready.catch(({ name, code }) => [name, code]))).toEqual(['AttentionError', 'backend_unavailable']);
  await expect(element(page)).toContainText('requires Trusted Types');
});
