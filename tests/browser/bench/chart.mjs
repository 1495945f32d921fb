// The README's picture of the comparison: one bar for each library and size, as long as its time beside ours. It has its colours for light
// and dark pages in itself, since an image takes none from the page.

import { median, ratio } from './report.mjs';

const WIDTH = 760;
const LABELS = 300;
const VALUES = 130;
const LINE = 20;
/** Longer bars are cut, and end in a gap. */
const LONGEST = 4;

const STYLE = `text { font: 13px system-ui, sans-serif; fill: #1f2328; } .size { font-weight: 600; } rect { fill: #a3adb8; } .ours { fill: #0b5c9c; }
  line { stroke: #0b5c9c; stroke-dasharray: 3 3; }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } rect { fill: #6e7781; } .ours { fill: #58a6e0; } line { stroke: #58a6e0; } }`;

const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const lengthOf = (times) => (Math.min(times, LONGEST) * (WIDTH - LABELS - VALUES)) / LONGEST;
const time = (milliseconds) => `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`;

/** Every size of a backend: a heading and its bars. */
function groups({ adapter, contestants, sizes }) {
  const first = contestants[0].name;
  return Object.entries(sizes).map(([n, { times }]) => ({
    heading: `n = ${n}, ${adapter ? `WebGPU (${adapter})` : 'WebAssembly'}`,
    bars: contestants.map(({ name, title }) => ({ title, isOurs: name === first, times: ratio(times[name], times[first]), median: median(times[name]) })),
  }));
}

function bar({ title, isOurs, times, median }, y) {
  const length = lengthOf(times);
  const cut = times > LONGEST ? `<rect x="${LABELS + length + 4}" y="${y + 4}" width="6" height="12"/>` : '';
  return [
    `<text x="${LABELS - 8}" y="${y + 14}" text-anchor="end">${escaped(title)}</text>`,
    `<rect x="${LABELS}" y="${y + 4}" width="${length.toFixed(1)}" height="12"${isOurs ? ' class="ours"' : ''}/>${cut}`,
    `<text x="${LABELS + length + 16}" y="${y + 14}">${isOurs ? time(median) : `${times.toFixed(2)} × · ${time(median)}`}</text>`,
  ].join('\n');
}

/** An SVG document of what was measured on the backends, in their order. */
export function chart(backends) {
  let y = 0;
  const parts = backends.flatMap(groups).map(({ heading, bars }) => {
    const top = y + LINE;
    y = top + bars.length * LINE + LINE / 2;
    return [`<text class="size" x="${LABELS}" y="${top - 5}">${escaped(heading)}</text>`, ...bars.map((one, at) => bar(one, top + at * LINE))].join('\n');
  });
  const unit = LABELS + lengthOf(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img">
<title>Time of a layer by library, beside this project's</title>
<style>${STYLE}</style>
${parts.join('\n')}
<line x1="${unit}" y1="0" x2="${unit}" y2="${y}"/>
</svg>
`;
}
