// What a release hands out: the archives unpack to the site, which runs, and the check sums are theirs.

import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, idle, isolated as test } from './fixture.mjs';
import { DIST, serve } from './server.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('archives unpack to a site that runs, and their sums are right', async ({ page, quiet }) => {
  test.slow();
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    await cp(DIST, join(folder, 'dist'), { recursive: true });
    for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) await cp(join(ROOT, name), join(folder, name));
    execFileSync('node', [join(ROOT, 'scripts/release/main.mjs'), '1.2.3', '1790000000'], { cwd: folder });
    const release = join(folder, 'release');
    expect((await readdir(release)).sort()).toEqual(['SHA256SUMS', 'attention-playground-1.2.3.tar.gz', 'attention-playground-1.2.3.zip']);
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
    for (const [name, command] of [['tar', ['tar', 'xzf']], ['zip', ['python3', '-m', 'zipfile', '-e']]]) {
      const to = join(folder, name);
      await mkdir(to);
      const archive = join(release, `attention-playground-1.2.3.${name === 'tar' ? 'tar.gz' : 'zip'}`);
      execFileSync(command[0], [...command.slice(1), archive, ...(name === 'tar' ? ['-C', to] : [to])]);
      const unpacked = join(to, 'attention-playground-1.2.3');
      expect((await readdir(unpacked)).sort()).toEqual([...(await readdir(DIST)), 'LICENSE-APACHE', 'LICENSE-MIT'].sort());
      for (const file of await readdir(DIST)) {
        expect((await readFile(join(unpacked, file))).equals(await readFile(join(DIST, file))), file).toBe(true);
      }
    }
    const server = await serve({ folder: join(folder, 'tar', 'attention-playground-1.2.3') });
    quiet.allow(new RegExp(`^request to another origin: ${server.origin}/`));
    await page.goto(server.origin);
    await idle(page);
    await server.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
