// Archives as programs of others read them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { filesOf, tarGz, zip } from '../../scripts/release/archive.mjs';

const CONTENT = { 'index.html': '<title>注意力</title>', 'deep/er/空 格.txt': 'x'.repeat(100_000), 'empty.js': '', 'odd.bin': Buffer.from([0, 255, 10]) };
const SECONDS = 1_790_000_001;

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
  for (const [name, content] of Object.entries(CONTENT)) {
    await mkdir(join(folder, 'in', name, '..'), { recursive: true });
    await writeFile(join(folder, 'in', name), content);
  }
});
after(() => rm(folder, { recursive: true }));

async function assertHolds(unpacked) {
  for (const [name, content] of Object.entries(CONTENT)) {
    assert.deepEqual(await readFile(join(unpacked, 'top', name)), Buffer.from(content), name);
  }
}

test('tar unpacks the .tar.gz', async () => {
  const files = await filesOf(join(folder, 'in'), 'top');
  await writeFile(join(folder, 'a.tar.gz'), tarGz(files, SECONDS));
  await mkdir(join(folder, 'tar'));
  execFileSync('tar', ['xzf', join(folder, 'a.tar.gz'), '-C', join(folder, 'tar')]);
  await assertHolds(join(folder, 'tar'));
});

test('Python unpacks the .zip and finds its sums right', async () => {
  const files = await filesOf(join(folder, 'in'), 'top');
  await writeFile(join(folder, 'a.zip'), zip(files, SECONDS));
  const script = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2]); print(*z.infolist()[0].date_time)';
  const time = execFileSync('python3', ['-c', script, join(folder, 'a.zip'), join(folder, 'zip')], { encoding: 'utf8' });
  assert.equal(time.trim(), '2026 9 21 14 13 20');
  await assertHolds(join(folder, 'zip'));
});

test('the same files give the same bytes', async () => {
  const files = await filesOf(join(folder, 'in'), 'top');
  assert.deepEqual(tarGz(files, SECONDS), tarGz(await filesOf(join(folder, 'in'), 'top'), SECONDS));
  assert.deepEqual(zip(files, SECONDS), zip(await filesOf(join(folder, 'in'), 'top'), SECONDS));
});
