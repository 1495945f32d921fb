// The npm package, from the same files as the site: under plain names, for bundlers to name.

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { library, OF_ELEMENT, shadow, version } from './element.mjs';

const OWN = fileURLToPath(new URL('../../package/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export default async function pack(site) {
  if (!site.package) return;
  const write = (name, content) => writeFile(join(site.package, name), content);
  await rm(site.package, { recursive: true, force: true });
  await mkdir(site.package, { recursive: true });
  await cp(OWN, site.package, { recursive: true });
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) await cp(join(ROOT, name), join(site.package, name));
  await write('library.js', library(site, 'null'));
  await write('shadow.js', shadow(site));
  const modules = [...site.files.keys()].filter((name) => name.endsWith('.wasm'));
  for (const name of ['calls.js', 'element.js', ...OF_ELEMENT, ...modules]) await write(name, site.files.get(name));
  // The library makes workers; an address that bundlers took for another file would be one too many.
  await write('engine.js', site.text('engine.js').replace("new URL('./worker.js', import.meta.url).href", 'import.meta.url'));
  const described = JSON.parse(await readFile(join(OWN, 'package.json'), 'utf8'));
  await write('package.json', `${JSON.stringify({ ...described, version }, null, 2)}\n`);
}
