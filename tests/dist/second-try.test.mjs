// The second try of browser tests: what passes at once, what is told as flaky, and what fails.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs `second_try` with a command that does `first`, then `again`; what was said, and how it was called. */
async function tried(first, again) {
  const results = await mkdtemp(join(tmpdir(), 'tried-'));
  const script = `source scripts/lib.sh; source scripts/second-try.sh
    command() { echo "$*" >> "$RESULTS/calls"; if [ $# -eq 0 ]; then ${first}; else ${again}; fi; }
    second_try "$RESULTS" command; tell_flaky`;
  const env = { ...process.env, RESULTS: results };
  const run = await new Promise((resolve) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: ROOT, env }, (error, _, said) => resolve({ code: error?.code ?? 0, said }));
  });
  const calls = (await readFile(join(results, 'calls'), 'utf8')).trimEnd().split('\n');
  await rm(results, { recursive: true });
  return { ...run, calls };
}

const FAILS = 'echo "map.spec.mjs › one" > "$RESULTS/failed.txt"; return 1';

test('what passes is not tried again', async () => {
  const { code, calls } = await tried('true', 'false');
  assert.deepEqual([code, calls], [0, ['']]);
});

test('what fails is tried once more, alone, and told as flaky where it passes then', async () => {
  const { code, calls, said } = await tried(FAILS, 'true');
  assert.deepEqual([code, calls], [0, ['', '--last-failed --workers=1']]);
  assert.match(said, /^flaky: map\.spec\.mjs › one$/m);
});

test('what fails twice fails', async () => {
  const { code, said } = await tried(FAILS, 'return 1');
  assert.equal(code, 1);
  assert.doesNotMatch(said, /flaky/);
});

test('there is no second try where no list says what failed, even one from a run before', async () => {
  const { code, calls } = await tried('return 1', 'true');
  assert.deepEqual([code, calls], [1, ['']]);
});
