// The npm package, from the same files as the site: under plain names, for bundlers to name.

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { elementFiles, version } from './element.mjs';
import { beside, outline } from './one_file.mjs';

const OWN = fileURLToPath(new URL('../../package/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export default async function pack(site) {
  if (!site.package) return;
  const fresh = async (folder) => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  };
  const write = (name, content) => writeFile(join(site.package, name), content);
  await fresh(site.package);
  await cp(OWN, site.package, { recursive: true });
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) await cp(join(ROOT, name), join(site.package, name));
  for (const [name, content] of elementFiles(site)) await write(name, content);
  const described = JSON.parse(await readFile(join(OWN, 'package.json'), 'utf8'));
  await write('package.json', `${JSON.stringify({ ...described, version }, null, 2)}\n`);
  // For the Python package, which hands the same files to pages that have no folder of them.
  const folder = join(dirname(site.package), 'in-memory');
  await fresh(folder);
  for (const [name, content] of [...await beside(), ['one_file.html', await outline()]]) await writeFile(join(folder, name), content);
}
