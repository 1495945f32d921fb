// The heatmap read back from its canvas, and what its colours say.

import { expect, readCanvas } from './fixture.mjs';

const at = ({ width, data }, x, y) => {
  const start = 4 * (Math.floor(y) * width + Math.floor(x));
  return (data[start] << 16) | (data[start + 1] << 8) | data[start + 2];
};

/** The mean of red, green and blue on the map, where it is painted at all; to be evaluated in the page. */
export const brightness = () => {
  const side = 64;
  const context = Object.assign(document.createElement('canvas'), { width: side, height: side }).getContext('2d', { willReadFrequently: true });
  context.drawImage(document.querySelector('#map canvas.picture'), 0, 0, side, side);
  const { data } = context.getImageData(0, 0, side, side);
  let [sum, count] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] === 0) continue;
    sum += data[at] + data[at + 1] + data[at + 2];
    count += 3;
  }
  return sum / count;
};

/** The longest stretch of `counts` that comes near its largest entry, without the frame of `edge` pixels at both ends. */
function stretch(counts, edge) {
  const near = 0.9 * Math.max(...counts);
  const first = counts.findIndex((count) => count > near);
  const last = counts.findLastIndex((count) => count > near);
  return [first + edge, last + 1 - edge];
}

/**
 * The plot: the large opaque rectangle on an otherwise transparent canvas. `{ image, left, top, width, height, density }` in
 * device pixels; `density` is device pixels per CSS pixel. Colours are numbers, 0xrrggbb.
 */
export async function plot(page) {
  const canvas = page.locator('#map canvas.picture');
  const [image, density] = [await readCanvas(canvas), await page.evaluate(() => devicePixelRatio)];
  const across = new Array(image.width).fill(0);
  const down = new Array(image.height).fill(0);
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      if (image.data[4 * (y * image.width + x) + 3] < 255) continue;
      across[x]++;
      down[y]++;
    }
  }
  const edge = Math.max(1, Math.round(density));
  const [[left, right], [top, bottom]] = [stretch(across, edge), stretch(down, edge)];
  return { image, left, top, width: right - left, height: bottom - top, density };
}

/**
 * The colours of one cell of `rows × columns`: `flat` where all four places near its corners agree, `null` where they do not
 * (hatched), and `all` that occur in it. The middle is left out, where the value may be written.
 */
export function cell(plot, [rows, columns], [row, column]) {
  const [wide, high] = [plot.width / columns, plot.height / rows];
  const [left, top] = [plot.left + column * wide, plot.top + row * high];
  const places = wide < 6 || high < 6 ? [[0.5, 0.5]] : [[0.14, 0.14], [0.86, 0.14], [0.14, 0.86], [0.86, 0.86]];
  const corners = places.map(([x, y]) => at(plot.image, left + x * wide, top + y * high));
  const all = new Set();
  for (let y = Math.ceil(top); y < Math.floor(top + high); y++) {
    for (let x = Math.ceil(left); x < Math.floor(left + wide); x++) all.add(at(plot.image, x, y));
  }
  return { flat: corners.every((colour) => colour === corners[0]) ? corners[0] : null, all };
}

/** Where the middle of a cell is on the page, in CSS pixels. */
export async function middle(page, plot, [rows, columns], [row, column]) {
  const box = await page.locator('#map canvas.picture').boundingBox();
  return {
    x: box.x + (plot.left + ((column + 0.5) * plot.width) / columns) / plot.density,
    y: box.y + (plot.top + ((row + 0.5) * plot.height) / rows) / plot.density,
  };
}

/** The colours of the colour bar from its low to its high end. */
export async function bar(page) {
  const image = await readCanvas(page.locator('#colour-bar canvas'));
  const density = await page.evaluate(() => devicePixelRatio);
  const [edge, y] = [Math.round(density), 5 * density];
  return Array.from({ length: image.width - 2 * edge }, (_, x) => at(image, edge + x, y));
}

/** Place of a colour on the bar, 0…1, by the nearest colour that stands there. */
export function place(bar, colour) {
  const distance = (a, b) => [16, 8, 0].reduce((sum, shift) => sum + ((a >> shift & 255) - (b >> shift & 255)) ** 2, 0);
  const distances = bar.map((own) => distance(own, colour));
  const nearest = Math.min(...distances);
  expect(nearest, `colour #${colour.toString(16)} is not on the colour bar`).toBeLessThan(30);
  // Steps of the table are wider than pixels of the bar: the middle of those that fit.
  const fitting = distances.flatMap((own, x) => (own === nearest ? [x] : []));
  return (fitting[0] + fitting.at(-1)) / 2 / (bar.length - 1);
}

const ROUND_TOPS = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/** Place of a weight between the ends of a scale whose upper end is `top`, as the page's documentation defines it. */
function fraction(weight, top, scale, columns) {
  const even = scale === 'above' && top * columns > 1.0001 ? 1 / columns : 0;
  if (scale === 'linear' || scale === 'above') return Math.max(weight - even, 0) / (top - even);
  const floor = 10 ** (Math.ceil(Math.log10(top) - 1e-9) - 4);
  return weight <= floor ? 0 : Math.log(weight / floor) / Math.log(top / floor);
}

/**
 * Every pixel agrees with the numbers: hidden cells are hatched, and the colour of every other cell stands on the colour bar
 * where its number does, for one round upper end that no number exceeds. `precision` is half a step of the numbers.
 */
export async function expectPixelsSay(page, cells, { scale = 'above', precision = 0.0006 } = {}) {
  const [drawn, colours] = [await plot(page), await bar(page)];
  const size = [cells.length, cells[0].length];
  const seen = cells.flatMap((row, r) => row.map((weight, c) => ({ weight, name: `cell ${r + 1},${c + 1}`, ...cell(drawn, size, [r, c]) })));
  for (const { weight, name, flat, all } of seen) {
    if (weight === null) expect(all.size, `${name} is hidden: hatched`).toBeGreaterThan(1);
    else expect(flat, `${name} has one colour`).not.toBeNull();
  }
  const visible = seen.filter(({ weight }) => weight !== null).map((one) => ({ ...one, place: place(colours, one.flat) }));
  const error = ({ weight, place }, top) => {
    const ends = [weight - precision, weight + precision].map((end) => fraction(Math.max(end, 1e-12), top, scale, size[1]));
    return Math.max(ends[0] - place, place - ends[1], 0);
  };
  const worst = (top) => Math.max(0, ...visible.map((one) => error(one, top)));
  const best = Math.min(...ROUND_TOPS.map(worst));
  expect(best, 'largest distance on the colour bar between a colour and its number').toBeLessThan(2.5 / 255);
  return drawn;
}

/** How many pixels of two plots differ, as a share of the larger. */
export function difference(a, b) {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  for (let y = 0; y < a.height; y++) {
    for (let x = 0; x < a.width; x++) count += at(a.image, a.left + x, a.top + y) !== at(b.image, b.left + x, b.top + y);
  }
  return count / (a.width * a.height);
}
