#!/usr/bin/env bash
# Guess:  a part of a slide keeps a finger's drag to itself by stopping `pointerdown`: without a start a deck sees no swipe.
# Seen:   reveal.js 6.0.2 in Chromium, 2026-11-27: `pointermove` alone turns the slide. It is measured from wherever a finger came
#         down last, such as a tap long before; once `pointermove` is stopped as well, the slide stays.
# So:     whatever is dragged on a slide stops both (or carries `data-prevent-swipe`).
# Needs:  Node 20, Chromium (CHROMIUM=…, or `chromium-headless-shell` or `chromium` on the PATH), half a minute.
set -euo pipefail
CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)}
export CHROMIUM
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund reveal.js@6.0.2 puppeteer-core@25.16.0 >/dev/null
cat >try.mjs <<'JS'
import { readFile } from 'node:fs/promises';
import puppeteer from 'puppeteer-core';

const [style, script] = await Promise.all(['css', 'js'].map((name) => readFile(`node_modules/reveal.js/dist/reveal.${name}`, 'utf8')));
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.setViewport({ width: 960, height: 700, hasTouch: true });

/** The slide that is shown after a tap on the first one and a drag to the left on a bar that stops these events. */
async function after(stopped) {
  await page.setContent(`<style>${style} html, body { height: 100%; margin: 0 }</style><div class="reveal"><div class="slides">
    <section><div id="bar" style="height: 60px; touch-action: none; background: silver">bar</div></section><section>second</section></div></div>`);
  await page.addScriptTag({ content: script });
  await page.evaluate(async (stopped) => {
    await Reveal.initialize({ width: 960, height: 700, transition: 'none' });
    for (const type of stopped) document.getElementById('bar').addEventListener(type, (event) => event.stopPropagation());
  }, stopped);
  await page.touchscreen.tap(800, 650);
  const { y } = await (await page.$('#bar')).boundingBox();
  await page.touchscreen.touchStart(500, y + 30);
  for (const x of [450, 400, 350]) await page.touchscreen.touchMove(x, y + 30);
  await page.touchscreen.touchEnd();
  return page.evaluate(() => Reveal.getIndices().h + 1);
}

for (const stopped of [['pointerdown'], ['pointerdown', 'pointermove']]) console.log(`${stopped.join(' and ')} stopped: slide ${await after(stopped)}`);
await browser.close();
JS
seen=$(node try.mjs)
echo "$seen"
[ "$seen" = "pointerdown stopped: slide 2
pointerdown and pointermove stopped: slide 1" ] || { echo "This differs from what was seen on 2026-11-27." >&2 && exit 1; }
