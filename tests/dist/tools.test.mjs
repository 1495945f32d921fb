// Programs that are downloaded: each pinned version has a check sum for every host, so that none is compiled because a line was forgotten.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const read = (name) => readFile(new URL(`../../scripts/${name}`, import.meta.url), 'utf8');

const HOSTS = ['x86_64-unknown-linux-gnu', 'aarch64-unknown-linux-gnu', 'x86_64-apple-darwin', 'aarch64-apple-darwin'];

test('each archive is of the pinned version, over https, with a check sum', async () => {
  const [tools, sums] = await Promise.all(['tools.sh', 'tools.sha256'].map(read));
  const lines = sums.trim().split('\n').map((line) => line.split(' '));
  for (const [sum, crate, version, host, url] of lines) {
    assert.match(sum, /^[0-9a-f]{64}$/);
    assert.ok(url.startsWith('https://github.com/') && url.includes(version), url);
    const pinned = new RegExp(`^${crate.toUpperCase().replace('-', '_')}_VERSION=(.*)$`, 'm').exec(tools);
    assert.deepEqual([version, HOSTS.includes(host)], [pinned?.[1], true], crate);
  }
  const named = lines.map(([, crate, , host]) => `${crate} ${host}`);
  assert.deepEqual(named, ['trunk', 'cargo-deny'].flatMap((crate) => HOSTS.map((host) => `${crate} ${host}`)));
  assert.equal(new Set(lines.map(([sum]) => sum)).size, lines.length);
});
