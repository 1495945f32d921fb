// Notebooks in which the Python package is used.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, isolated } from './fixture.mjs';
import { openNotebook, startServer } from './jupyter.mjs';

export { expect };
export { PYTHON, ROOT, surroundings } from './jupyter.mjs';

export const run = promisify(execFile);

/** `lab`: `{ folder, origin }` of a server with a folder of its own. */
export const test = isolated.extend({
  lab: async ({ page, quiet }, use) => {
    const { folder, origin, stop } = await startServer();
    // Of the server's own origin everything is allowed, and what JupyterLab itself says; nothing of any other.
    quiet.allow(new RegExp(`^request to another origin: ${origin}/|^status \\d+: ${origin}/|^console (warning|error): (?!.*attention)`));
    // JupyterLab leaves calls of a kernel that is shut down to nobody.
    quiet.allow(/^uncaught: .*(Canceled|canceled|disposed|Kernel|kernel)/);
    await use({ folder, origin });
    await page.goto('about:blank');
    await stop();
  },
});

/** Opens a notebook of these cells, and runs them. */
export async function opened(page, lab, cells) {
  await openNotebook(page, lab, cells);
  await page.evaluate(() => jupyterapp.commands.execute('notebook:run-all-cells'));
}

/** Elements of the package, in order. */
export const widgets = (page) => page.locator('[data-lm-suppress-shortcuts] > :defined:not(label, style)');

/** Waits until so many widgets show what fits, which is given the element. */
export async function expectDrawn(page, count, fits = () => true) {
  await expect(widgets(page)).toHaveCount(count, { timeout: 60_000 });
  for (let at = 0; at < count; at++) {
    await expect.poll(() => widgets(page).nth(at).evaluate((one, fits) => !!one.snapshot?.computed && (0, eval)(fits)(one), String(fits)), { timeout: 60_000 }).toBe(true);
  }
}

/** What a kernel says to code, as JSON. */
export const asked = (page, code) => page.evaluate(async (code) => {
  const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  const future = kernel.requestExecute({ code: `import json; print(json.dumps(${code}))` });
  let said = '';
  future.onIOPub = ({ content }) => { said += content.text ?? content.evalue ?? ''; };
  await future.done;
  return JSON.parse(said);
}, code);

export const IMPORTS = 'import numpy as np, attention_playground as ap\nrng = np.random.default_rng(1)\n';
export const FINISHED = `${IMPORTS}weights = rng.random((3, 4, 6, 6), dtype="f4"); weights /= weights.sum(-1, keepdims=True)
widget = ap.show(weights, tokens="the cat sat on a mat".split(), head=2)
widget`;
export const COMPUTED = 'computed = ap.show(q=rng.standard_normal((2, 5, 4)), k=rng.standard_normal((2, 5, 4)), v=rng.standard_normal((2, 5, 3)), mask=np.tri(5))\ncomputed';

export const tensor = (page, at, name) => widgets(page).nth(at).evaluate(async (one, name) => {
  const { shape, data } = await one.tensor(name);
  return { shape, data: [...data] };
}, name);

export const array = (page, name) => asked(page, `{"shape": ${name}.shape, "data": ${name}.ravel().tolist()}`);

export const set = (page, at, settings) => widgets(page).nth(at).evaluate((one, settings) => void (one.settings = settings), settings);
