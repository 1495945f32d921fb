// What a release hands out, as programs of others read it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../scripts/release.py', import.meta.url));
const SITE = { 'index.html': '<title>注意力</title>', 'deep/er/空 格.txt': 'x'.repeat(100_000), 'empty.js': '', 'odd.bin': Buffer.from([0, 255, 10]) };
const LICENCES = { 'LICENSE-MIT': 'one', 'LICENSE-APACHE': 'other' };
const SECONDS = 1_790_000_001;
const [TAR, ZIP, PACKAGE, WHEEL] = ['attention-playground-1.2.3.tar.gz', 'attention-playground-1.2.3.zip', 'attention-playground-1.2.3.tgz', 'attention_playground-1.2.3-py3-none-any.whl'];

const folders = [];

/** A folder with a site, and its release. */
async function released() {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  folders.push(folder);
  const write = async (name, content) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  };
  for (const [name, content] of Object.entries(SITE)) await write(join('dist', name), content);
  for (const [name, content] of Object.entries(LICENCES)) await write(name, content);
  for (const name of [PACKAGE, WHEEL]) await write(join('packages', name), 'a package');
  execFileSync('python3', [SCRIPT, '1.2.3', String(SECONDS), join('packages', PACKAGE), join('packages', WHEEL)], { cwd: folder });
  return join(folder, 'release');
}

let release;
before(async () => { release = await released(); });
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function unpacked(name, command, ...options) {
  const to = join(dirname(release), name);
  await mkdir(to);
  execFileSync(command, [...options, to]);
  const top = join(to, 'attention-playground-1.2.3');
  for (const [file, content] of Object.entries({ ...SITE, ...LICENCES })) {
    assert.deepEqual(await readFile(join(top, file)), Buffer.from(content), file);
  }
  assert.deepEqual((await readdir(top)).sort(), ['LICENSE-APACHE', 'LICENSE-MIT', 'deep', 'empty.js', 'index.html', 'odd.bin']);
  return stat(join(top, 'index.html'));
}

test('tar unpacks the .tar.gz, with the time of the commit', async () => {
  const { mtimeMs, mode } = await unpacked('tar', 'tar', 'xzf', join(release, TAR), '-C');
  assert.equal(mtimeMs / 1000, SECONDS);
  assert.equal(mode & 0o777, 0o644);
});

test('Python unpacks the .zip and finds its sums and times right', async () => {
  await unpacked('zip', 'python3', '-m', 'zipfile', '-e', join(release, ZIP));
  const script = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.infolist()[0].date_time)';
  const time = execFileSync('python3', ['-c', script, join(release, ZIP)], { encoding: 'utf8' });
  assert.equal(time.trim(), '2026 9 21 14 13 20');
});

test('check sums are those of all files', async () => {
  assert.deepEqual((await readdir(release)).sort(), ['SHA256SUMS', TAR, PACKAGE, WHEEL, ZIP].sort());
  const lines = (await readFile(join(release, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n').map((line) => line.split('  '));
  assert.deepEqual(lines.map(([, name]) => name).sort(), [TAR, PACKAGE, WHEEL, ZIP].sort());
  for (const [sum, name] of lines) assert.equal(createHash('sha256').update(await readFile(join(release, name))).digest('hex'), sum, name);
});

test('the same files give the same bytes', async () => {
  const other = await released();
  for (const name of [TAR, ZIP]) assert.ok((await readFile(join(other, name))).equals(await readFile(join(release, name))), name);
});
