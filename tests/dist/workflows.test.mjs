// The workflow files: what they may do, and that nothing is published which was not tested.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const { parseDocument } = createRequire(new URL('../browser/package.json', import.meta.url))('yaml');

const folder = new URL('../../.github/workflows/', import.meta.url);

async function workflow(name) {
  const document = parseDocument(await readFile(new URL(name, folder), 'utf8'));
  assert.deepEqual([...document.errors, ...document.warnings], []);
  return document.toJS();
}

const RIGHTS = { 'publish.yml': { publish: ['id-token', 'pages'] }, 'release.yml': { publish: ['contents'] } };

for (const name of await readdir(folder)) {
  test(`${name}: jobs have what a job needs, and an end`, async () => {
    const { jobs, concurrency } = await workflow(name);
    assert.ok(concurrency.group && 'cancel-in-progress' in concurrency);
    for (const job of Object.values(jobs)) {
      assert.match(job['runs-on'], /^ubuntu-\d\d\.\d\d$/);
      assert.ok(job['timeout-minutes'] > 0);
      for (const step of job.steps) assert.equal(Boolean(step.uses) !== Boolean(step.run), true, JSON.stringify(step));
    }
  });

  test(`${name}: others' actions are of one commit, and may not write but where they publish`, async () => {
    const { jobs, permissions } = await workflow(name);
    assert.deepEqual(permissions, { contents: 'read' });
    for (const [key, job] of Object.entries(jobs)) {
      const written = Object.entries(job.permissions ?? {}).filter(([, right]) => right === 'write').map(([right]) => right).sort();
      assert.deepEqual(written, RIGHTS[name]?.[key] ?? []);
      for (const { uses } of job.steps) assert.match(uses ?? 'actions/none@' + '0'.repeat(40), /^actions\/[\w-]+@[0-9a-f]{40}$/);
    }
  });

  test(`${name}: what comes from outside is never part of a script`, async () => {
    for (const { steps } of Object.values((await workflow(name)).jobs)) {
      for (const { run } of steps) assert.doesNotMatch(run ?? '', /\$\{\{/);
    }
  });

  test(`${name}: tests come before anything is published`, async () => {
    const { jobs } = await workflow(name);
    if (!(name in RIGHTS)) return assert.deepEqual(Object.keys(jobs), ['soak']);
    const steps = jobs[jobs.publish.needs].steps.map(({ run, uses }) => run ?? uses.split('@')[0]);
    const [tested, kept] = [steps.indexOf('.ci/run'), steps.findIndex((step) => /upload/.test(step))];
    assert.ok(tested > 0 && kept > tested, steps.join(', '));
  });
}
