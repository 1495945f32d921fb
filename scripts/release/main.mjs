// Packs dist/ and the npm tarball into release/, with their check sums: node scripts/release/main.mjs VERSION SECONDS [TARBALL],
// where SECONDS since 1970 is the time that all files get.

import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { filesOf, tarGz, zip } from './archive.mjs';

const [version, seconds, tarball] = process.argv.slice(2);
const name = `attention-playground-${version}`;
const folder = 'release';

await rm(folder, { recursive: true, force: true });
await mkdir(folder);
const files = await filesOf('dist', name);
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) files.push([`${name}/${licence}`, await readFile(licence)]);
await writeFile(join(folder, `${name}.tar.gz`), tarGz(files, Number(seconds)));
await writeFile(join(folder, `${name}.zip`), zip(files, Number(seconds)));
const names = [`${name}.tar.gz`, `${name}.zip`];
if (tarball) {
  await copyFile(tarball, join(folder, basename(tarball)));
  names.push(basename(tarball));
}
const lines = await Promise.all(names.map(async (file) => `${createHash('sha256').update(await readFile(join(folder, file))).digest('hex')}  ${file}\n`));
await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
console.log(names.map((file) => join(folder, file)).join('\n'));
