// The README's picture of the comparison: one bar for each library and size, as long as its time beside ours. It has its colours for light
// and dark pages in itself, since an image takes none from the page.

import { median, ratio } from './report.mjs';

const WIDTH = 760;
const LABELS = 300;
const VALUES = 160;
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
  // Past the line that marks the length of this project's bar, so that it crosses no number.
  const value = LABELS + lengthOf(Math.max(times, 1)) + 16;
  const cut = times > LONGEST ? `<rect x="${LABELS + length + 4}" y="${y + 4}" width="6" height="12"/>` : '';
  return [
    `<text x="${LABELS - 8}" y="${y + 14}" text-anchor="end">${escaped(title)}</text>`,
    `<rect x="${LABELS}" y="${y + 4}" width="${length.toFixed(1)}" height="12"${isOurs ? ' class="ours"' : ''}/>${cut}`,
    `<text x="${value.toFixed(1)}" y="${y + 14}">${isOurs ? time(median) : `${times.toFixed(2)} × · ${time(median)}`}</text>`,
  ].join('\n');
}

/** A group whose heading begins at `y`; the line marks the length of this project's bar. */
function drawn({ heading, bars }, y) {
  const unit = LABELS + lengthOf(1);
  const top = y + LINE;
  return [
    `<text class="size" x="${LABELS}" y="${top - 5}">${escaped(heading)}</text>`,
    ...bars.map((one, at) => bar(one, top + at * LINE)),
    `<line x1="${unit}" y1="${top}" x2="${unit}" y2="${top + bars.length * LINE}"/>`,
  ].join('\n');
}

/** An SVG document of what was measured on the backends, in their order. */
export function chart(backends) {
  let height = 0;
  const parts = backends.flatMap(groups).map((group) => {
    const y = height;
    height += (group.bars.length + 1.5) * LINE;
    return drawn(group, y);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>Time of a layer by library, beside this project's</title>
<style>${STYLE}</style>
${parts.join('\n')}
</svg>
`;
}
