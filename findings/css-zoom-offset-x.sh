#!/usr/bin/env bash
# Guess:  `event.offsetX` of a scaled element is in the element's own CSS pixels, like its `offsetWidth`: half of it is the middle.
# Seen:   Chromium 156, 2026-11-27, the middle of 200 px that are shown 1.5 times as large: 100 under `transform`, but 150 under CSS
#         `zoom`, where `offsetWidth` is 200 all the same.
# So:     a place in the window less the element's rectangle, times `offsetWidth / rectangle.width`, is right under both.
# Needs:  Node 20, Chromium (CHROMIUM=…, or `chromium-headless-shell` or `chromium` on the PATH), half a minute.
set -euo pipefail
CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)}
export CHROMIUM
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund puppeteer-core@25.16.0 >/dev/null
cat >try.mjs <<'JS'
import puppeteer from 'puppeteer-core';

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
const page = await browser.newPage();
for (const style of ['transform: scale(1.5); transform-origin: 0 0', 'zoom: 1.5']) {
  await page.setContent(`<body style="margin: 0"><div style="${style}"><div id="one" style="width: 200px; height: 100px"></div></div>`);
  await page.evaluate(() => addEventListener('click', (event) => { globalThis.seen = [event.offsetX, event.target.offsetWidth]; }));
  const { left, width } = await page.$eval('#one', (one) => one.getBoundingClientRect().toJSON());
  await page.mouse.click(left + width / 2, 50);
  const [at, laidOut] = await page.evaluate(() => globalThis.seen);
  console.log(`${style.split(':')[0]}: offsetX ${Math.round(at)}, offsetWidth ${laidOut}`);
}
await browser.close();
JS
seen=$(node try.mjs)
echo "$seen"
[ "$seen" = "transform: offsetX 100, offsetWidth 200
zoom: offsetX 150, offsetWidth 200" ] || { echo "This differs from what was seen on 2026-11-27." >&2 && exit 1; }
