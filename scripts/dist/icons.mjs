// The icon: a map of three queries and keys, in which each looks at itself and the last also at the first. As SVG, and as the PNG files
// that browsers want of a page that is installed.

import { png } from './png.mjs';

const KEY = '#0b5c9c';
const QUERY = '#ad3f09';
const FAINT = '#dbe9f5';
const PAPER = '#fcfbf8';

/** Cells of the map by row, then column. */
const CELLS = [
  [KEY, FAINT, FAINT],
  [FAINT, KEY, FAINT],
  [QUERY, FAINT, KEY],
];

/** Rectangles in a square of side 1: ground, then cells. `share` is how much of the side the map takes. */
function rectangles({ share, corner }) {
  const pitch = share / 3;
  const [start, side] = [(1 - share) / 2, pitch * 0.92];
  const cells = CELLS.flatMap((row, y) => row.map((colour, x) => ({ x: start + (x + 0.04) * pitch, y: start + (y + 0.04) * pitch, side, corner: side * 0.08, colour })));
  return [{ x: 0, y: 0, side: 1, corner, colour: PAPER }, ...cells];
}

/** A system may cut a maskable icon to any shape that holds a circle of 80 %; others keep their own corners. */
const PLAIN = { share: 0.76, corner: 0.18 };
const MASKABLE = { share: 0.55, corner: 0 };

function svg(shape, size = 96) {
  const number = (share) => Number((share * size).toFixed(2));
  const drawn = rectangles(shape).map(({ x, y, side, corner, colour }) =>
    `<rect x="${number(x)}" y="${number(y)}" width="${number(side)}" height="${number(side)}" rx="${number(corner)}" fill="${colour}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${drawn.join('')}</svg>\n`;
}

export const ICONS = [
  { src: './icon.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: './icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: './icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: './icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

export default function icons(site) {
  site.write('icon.svg', svg(PLAIN));
  site.write('icon-192.png', png(192, rectangles(PLAIN)));
  site.write('icon-512.png', png(512, rectangles(PLAIN)));
  site.write('icon-maskable.png', png(512, rectangles(MASKABLE)));
}
