// A PNG of rectangles with round corners: all that the icons need, without a program that draws.

import { deflateSync } from 'node:zlib';
import { crc32 } from '../release/crc32.mjs';

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** How much of a pixel with this centre lies in the rectangle: its distance to the edge, in pixels, says so closely enough. */
function coverage({ x, y, side, corner }, size, px, py) {
  const beyond = (at, start) => Math.abs(at - start - side / 2) - side / 2 + corner;
  const [dx, dy] = [beyond(px, x), beyond(py, y)];
  const outside = Math.sqrt(Math.max(dx, 0) ** 2 + Math.max(dy, 0) ** 2) + Math.min(Math.max(dx, dy), 0) - corner;
  return Math.min(Math.max(0.5 - outside * size, 0), 1);
}

/** Lays a rectangle over what is there. */
function draw(pixels, size, rectangle) {
  const colour = channels(rectangle.colour);
  const [left, top] = [rectangle.x, rectangle.y].map((start) => Math.max(Math.floor(start * size) - 1, 0));
  const [right, bottom] = [rectangle.x, rectangle.y].map((start) => Math.min(Math.ceil((start + rectangle.side) * size) + 1, size));
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const share = coverage(rectangle, size, (column + 0.5) / size, (row + 0.5) / size);
      const at = (row * size + column) * 4;
      const opacity = share + pixels[at + 3] * (1 - share);
      if (opacity === 0) continue;
      for (let channel = 0; channel < 3; channel++) {
        const below = pixels[at + channel] * pixels[at + 3] * (1 - share);
        pixels[at + channel] = (colour[channel] * share + below) / opacity;
      }
      pixels[at + 3] = opacity;
    }
  }
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

export function png(size, rectangles) {
  const pixels = new Float64Array(size * size * 4);
  for (const rectangle of rectangles) draw(pixels, size, rectangle);
  const rows = Buffer.alloc(size * (1 + size * 4));
  pixels.forEach((value, at) => {
    rows[Math.floor(at / (size * 4)) + at + 1] = Math.round(at % 4 === 3 ? value * 255 : value);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bit, red green blue opacity
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
