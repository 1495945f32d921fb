// The room that an element takes before it is drawn: as wide as its place, and about as high as it will be. Else pages are laid out as if it
// were not there, and what comes below moves, after the reader has been led to it.

const STYLES = `
:host { display: block; min-inline-size: 0; max-inline-size: 100% }
:host([hidden]) { display: none }
.place { container-type: inline-size; contain-intrinsic-inline-size: 640px }
.is-coming { display: grid; grid-template-columns: minmax(0, 1fr) }
.is-coming > .room, .is-coming > .mount { grid-area: 1 / 1 }
.is-coming > .mount { visibility: hidden }
.room { min-block-size: var(--narrow) }
@container (min-width: 600px) { .room { min-block-size: var(--middle) } }
@container (min-width: 840px) { .room { min-block-size: var(--wide) } }
`;

/** Heights of lessons at their beginning, 480, 720 and 960 px wide; `element-room.spec.mjs` compares them with what the lessons take. */
const LESSONS = {
  '00-show-me': [2520, 1610, 1420],
  '01-what-attention-is': [1560, 1670, 1380],
  '02-query-key-value': [2010, 2120, 1830],
  '03-scores-and-scaling': [2060, 2110, 1740],
  '04-softmax-by-hand': [1860, 1780, 1620],
  '05-what-it-means': [2700, 1820, 1440],
  '06-masks': [1400, 1530, 1260],
  '07-many-heads': [4390, 3960, 3410],
  '08-cross-attention': [1220, 1140, 1060],
  '09-positions': [1390, 1350, 1180],
  '10-additive-and-dot': [1760, 1750, 1380],
  '11-long-sequences': [1610, 1650, 1330],
  '12-cost': [4470, 4150, 3550],
  '13-reading-maps': [4800, 3120, 2810],
  '14-it-learns': [4450, 4170, 3820],
  '15-to-the-transformer': [3240, 2340, 1830],
  '16-a-real-model': [1950, 1930, 1580],
  '17-your-own-model': [2150, 2030, 1650],
  '18-masks-argued': [1400, 1450, 1250],
  list: [1610, 1700, 1550],
  own: [1580, 1680, 1530],
};
/** The whole page, and how many tokens its own sentence has. */
const [WHOLE, TOKENS] = [[4300, 3200, 2400], 11];
const COMPACT = ['sentence', 'legend', 'small', 'reading'];
/** What stands beside a narrow, a middle and a wide map; the set-up stands below a map that is not wide, some rows for each control. */
const AROUND = { sentence: [95, 65, 51], legend: [40, 40, 40], small: [130, 130, 117], steps: [420, 420, 400] };
const PANEL = 62;
const PANELS = ['streaming', 'training', 'draw', 'compare', 'analysis', 'cost', 'code', 'data'];
const CONTROLS = ['heads', 'kv_heads', 'd_k', 'd_model', 'layers', 'trained', 'mask', 'hiding', 'scaled', 'positions', 'scoring', 'temperature', 'linformer', 'weights', 'seed'];
const CONTROL = [85, 66, 0];

/** Without blanks each character is a token. */
const TOKEN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu;

/** Heights of narrow, middle and wide places for what a link opens, as values of CSS. */
export function heights(link) {
  const fixed = LESSONS[link.get('lesson')] ?? (link.get('embed') === '0' && WHOLE);
  if (fixed) return fixed.map((height) => `${height}px`);
  const tokens = link.has('text') ? (link.get('text').match(TOKEN)?.length ?? 1) : TOKENS;
  const shown = link.has('show') ? link.get('show').split(',') : COMPACT;
  const count = (parts) => parts.filter((part) => shown.includes(part)).length;
  const read = [Math.min(130 + 10 * tokens, 250), Math.min(120 + 7 * tokens, 260), 27];
  // Cells are square, at most 72 px high, and leave room for their labels.
  const map = [`165px + min(${72 * tokens}px, 100cqi - 70px) + max(0px, 120px - 25cqi)`, `162px + min(${72 * tokens}px, 585px, 100cqi - 70px)`, `178px + min(${72 * tokens}px, 575px, 100cqi - 375px)`];
  return map.map((own, at) => {
    const around = Object.keys(AROUND).filter((part) => shown.includes(part)).map((part) => AROUND[part][at]);
    const rest = around.reduce((one, other) => one + other, PANEL * count(PANELS) + CONTROL[at] * count(CONTROLS) + read[at] * count(['reading']));
    return `calc(${own} + ${rest}px)`;
  });
}

let sheet = null;

/** Styles of an element before its own have come. */
export function placeStyles() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
  }
  return sheet;
}

/** Where an element is drawn, which keeps room for what a link opens; until then it shows what stands between the element's tags. */
export function makePlace(link) {
  const [place, room] = ['place is-coming', 'room'].map((name) => Object.assign(document.createElement('div'), { className: name }));
  room.append(document.createElement('slot'));
  const names = ['--narrow', '--middle', '--wide'];
  heights(link).forEach((height, at) => room.style.setProperty(names[at], height));
  place.append(room);
  return place;
}

/** Gives the place to what has been drawn. What is not displayed, as on a slide to come, is drawn in the frame after it is. */
export function fillPlace(place) {
  const fill = () => {
    place.classList.remove('is-coming');
    place.querySelector(':scope > .room')?.remove();
  };
  if (place.offsetWidth > 0) return void fill();
  const watcher = new ResizeObserver(() => {
    if (place.offsetWidth === 0) return;
    watcher.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(fill));
  });
  watcher.observe(place);
}
