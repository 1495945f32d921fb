// The icon: a map of three queries and keys, in which each looks at itself and the last also at the first. As SVG, and as the PNG files
// that browsers want of a page that is installed. A system may cut a maskable one to any shape that holds a circle of 80 %.

import { readFile } from 'node:fs/promises';

const FOLDER = new URL('../../docs/icons/', import.meta.url);

export const ICONS = [
  { src: './icon.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: './icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: './icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: './icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

export default async function icons(site) {
  for (const { src } of ICONS) site.write(src.slice('./'.length), await readFile(new URL(src, FOLDER)));
}
