// The examples of docs/examples/, built by the tools that they are for, opened as a reader would.

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { allReady, expectPicture } from './element.mjs';
import { expect, isolated as test } from './fixture.mjs';
import { shown } from './helpers.mjs';
import { DIST, serve } from './server.mjs';

const run = promisify(execFile);
const EXAMPLES = fileURLToPath(new URL('../../docs/examples', import.meta.url));
const PYTHON = process.env.PYTHON || 'python3';

/** A copy of one example in a folder that is removed afterwards. */
async function withCopy(name, act) {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    await cp(join(EXAMPLES, name), folder, { recursive: true });
    await act(folder);
  } finally {
    // What ran there may still be writing its last.
    await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
  }
}

test('a site of MkDocs holds the element and a frame, from its own folder', async ({ page, quiet }) => {
  test.setTimeout(120_000);
  await withCopy('mkdocs', async (folder) => {
    await cp(DIST, join(folder, 'docs/attention'), { recursive: true });
    await run(PYTHON, ['-m', 'mkdocs', 'build', '--strict', '--quiet'], { cwd: folder });
    const site = await serve({ folder: join(folder, 'site') });
    quiet.allow(new RegExp(`^request to another origin: ${site.origin}/`));
    await page.goto(site.origin);
    await allReady(page);
    const element = page.locator('attention-playground');
    await expectPicture(element, 'text=the+cat+sat+on+the+mat&heads=2');
    await element.locator('#heads-number').fill('4');
    await element.locator('#heads-number').press('Enter');
    await expectPicture(element, 'mask=causal');
    await expect(element).toHaveAttribute('heads', '4');
    await page.locator('iframe').scrollIntoViewIfNeeded();
    expect((await shown(page.frameLocator('iframe'))).text).toContain('the cat sat');
    await site.close();
  });
});

test('a notebook that was run shows the frame and the element, of another origin, and its matrix', async ({ page, quiet, server }) => {
  test.setTimeout(180_000);
  await withCopy('jupyter', async (folder) => {
    const convert = ['-m', 'nbconvert', '--to', 'html', '--template', 'basic', '--execute', 'attention.ipynb'];
    await run(PYTHON, convert, { cwd: folder, env: { ...process.env, ATTENTION_PLAYGROUND: `${server.origin}/`, IPYTHONDIR: folder, JUPYTER_PATH: folder } });
    expect(await readdir(folder)).toContain('attention.npz');
    const site = await serve({ folder });
    quiet.allow(new RegExp(`^request to another origin: ${site.origin}/|^status 404: ${site.origin}/favicon.ico|^console error: .*404`));
    await page.goto(`${site.origin}/attention.html`);
    await allReady(page);
    const element = page.locator('attention-playground');
    await expectPicture(element, 'heads');
    expect(await element.evaluate(({ tokens }) => tokens)).toBe('"quotes" & <tags> stay text');
    expect((await shown(page.frameLocator('iframe'))).mask).toContain('causal');
    await expect(page.getByText('array([[1., 1., 1., 1., 1.]')).toBeVisible();
    await site.close();
  });
});
