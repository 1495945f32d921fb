// The whole page as one HTML file that needs no server: the element's files, packed, and a script that imports them from memory.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { elementFiles } from './element.mjs';

const OWN = new URL('../../src/bindings/js/', import.meta.url);
/** Its name beside the page. */
export const ONE_FILE = 'one-file.html';

/** What opens a checkpoint from files is a fourth of all, and left out. */
const LEFT_OUT = ['engine-checkpoints.wasm'];

/** What the script imports. */
const BESIDE = ['in_memory.js', 'layer_field.js'];

const sourceOf = (name) => readFile(new URL(name, OWN), 'utf8');
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is asked of anybody: what is loaded has been made in memory. */
const policyFor = (script, style) => [
  "default-src 'none'",
  `script-src ${hashOf(script)} blob: 'wasm-unsafe-eval'`,
  `style-src ${hashOf(style)}`,
  'img-src data: blob:',
  'connect-src data: blob:',
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Modules for whoever has the files in memory, by name. */
export const beside = async () => new Map(await Promise.all(BESIDE.map(async (name) => [name, await sourceOf(name)])));

/** The file without its modules. */
export async function outline() {
  const [page, boot, ...others] = await Promise.all(['one_file.html', 'one_file.js', ...BESIDE].map(sourceOf));
  const script = others.join('\n').replace(/^export /gm, '') + boot.replace(/^import .*\n/gm, '');
  const filled = page.replace('SCRIPT', () => script.trim());
  const [, style] = /<style>([^]*)<\/style>/.exec(filled);
  const [, code] = /<script type="module">([^]*)<\/script>/.exec(filled);
  return filled.replace('POLICY', () => policyFor(code, style));
}

const block = (name, content) => `<script type="text/plain" data-module="${name}">${gzipSync(content, { level: 9 }).toString('base64')}</script>\n`;

export default async function oneFile(site) {
  if (site.isServed) return;
  const files = [...elementFiles(site)].filter(([name]) => !LEFT_OUT.includes(name));
  const modules = files.map(([name, content]) => block(name, content)).join('');
  site.write(ONE_FILE, (await outline()).replace('<!-- modules -->\n', () => modules));
}
