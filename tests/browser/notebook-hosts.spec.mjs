// The Python package in notebooks for longer: shown twice, saved, exported, restarted, in the dark. In `./dev soak`, since each starts a JupyterLab.

import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNotebook, startServer } from './jupyter.mjs';
import { array, asked, expect, expectDrawn, FINISHED, IMPORTS, opened, PYTHON, run, set, surroundings, tensor, test, widgets } from './notebooks.mjs';

test.describe.configure({ timeout: 240_000 });

test('one widget shown twice is one state, and numbers travel once', async ({ page, lab }) => {
  await opened(page, lab, [`${FINISHED.replace(/widget$/, '')}
sent = []
send = widget.send
widget.send = lambda content, buffers=None: (sent.append(content["type"]), send(content, buffers))
widget`, 'widget']);
  await expectDrawn(page, 2, (one) => !!one.settings.data);
  await set(page, 0, { head: 3 });
  await expect.poll(() => widgets(page).nth(1).evaluate(({ settings }) => settings.head)).toBe(3);
  await set(page, 1, { head: 1 });
  await expect.poll(() => widgets(page).nth(0).evaluate(({ settings }) => settings.head)).toBe(1);
  expect(await asked(page, '[widget.head, sent]')).toEqual([1, ['files', 'numbers']]);
});

test('a saved notebook, and its export, show the last picture; a kernel that has gone leaves the page alive', async ({ page, lab, quiet }) => {
  await opened(page, lab, [FINISHED]);
  await expectDrawn(page, 1, (one) => !!one.settings.data);
  const still = page.locator('[data-attention-playground]');
  await set(page, 0, { head: 3 });
  await expect(still.locator('figcaption')).toHaveText('Attention weights, layer 1 of 3: head 3 of 4, 6 × 6.');
  await expect(still, 'it stands for the widget where that is not alive').toBeHidden();
  await page.evaluate(() => jupyterapp.commands.execute('docmanager:save'));
  const saved = await readFile(join(lab.folder, 'own.ipynb'), 'utf8');
  const outputs = JSON.parse(saved).cells[0].outputs.map(({ data }) => Object.keys(data).sort());
  expect(outputs).toEqual([['application/vnd.jupyter.widget-view+json', 'text/plain'], ['image/png', 'text/html', 'text/plain']]);

  await page.evaluate(() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.shutdown());
  await set(page, 0, { head: 2, view: 'curves' });
  await expectDrawn(page, 1, ({ settings }) => settings.head === 2 && settings.view === 'curves');

  await run(PYTHON, ['-m', 'nbconvert', '--to', 'html', 'own.ipynb'], { cwd: lab.folder, env: surroundings(lab.folder) });
  const offline = await page.context().browser().newContext({ javaScriptEnabled: false });
  const reader = await offline.newPage();
  await reader.goto(`file://${join(lab.folder, 'own.html')}`);
  const picture = reader.locator('[data-attention-playground] img');
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 200))).toBe(true);
  await expect(reader.locator('figcaption')).toHaveText('Attention weights, layer 1 of 3: head 3 of 4, 6 × 6.');
  await offline.close();
  quiet.allow(/kernel|websocket/i);
});

test('after a restart the old widget is alive without its kernel, and the cell makes a new one', async ({ page, lab }) => {
  await opened(page, lab, [FINISHED]);
  await expectDrawn(page, 1, (one) => !!one.settings.data);
  await page.evaluate(() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart());
  await set(page, 0, { head: 4 });
  await expectDrawn(page, 1, ({ settings }) => settings.head === 4);
  await page.evaluate(() => jupyterapp.commands.execute('notebook:run-all-cells'));
  await expectDrawn(page, 1, (one) => one.settings.head === 2 && !!one.settings.data);
  expect(await asked(page, 'widget.head')).toBe(2);
});

test('it is dark where JupyterLab is', async ({ page, lab }) => {
  await opened(page, lab, [FINISHED]);
  await expectDrawn(page, 1, (one) => !!one.settings.data);
  const ink = () => widgets(page).first().evaluate((one) => {
    const [red, green, blue] = getComputedStyle(one.shadowRoot.querySelector('.mount')).color.match(/\d+/g).map(Number);
    return (red + green + blue) / 3;
  });
  expect(await ink()).toBeLessThan(100);
  await page.evaluate(() => jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' }));
  await expect.poll(ink).toBeGreaterThan(180);
});

test('a saved notebook shows its picture before anything is run', async ({ page, lab }) => {
  await opened(page, lab, [FINISHED]);
  await expectDrawn(page, 1, (one) => !!one.settings.data);
  await expect(page.locator('[data-attention-playground] img')).toHaveAttribute('src', /svg|png/);
  await page.evaluate(async () => {
    await jupyterapp.commands.execute('docmanager:save');
    await jupyterapp.shell.currentWidget.sessionContext.shutdown();
  });
  await page.goto(`${lab.origin}/lab/tree/own.ipynb?reset`);
  await expect(page.locator('.jp-OutputArea figcaption')).toHaveText(/^Attention weights, layer 1 of 3/, { timeout: 60_000 });
  await expect(page.locator('.jp-OutputArea figure img')).toBeVisible();
});

test('a hundred cells are scrolled through, and the first and the last are alive', async ({ page, lab }) => {
  await opened(page, lab, [IMPORTS, ...Array.from({ length: 100 }, (_, at) => `ap.show("a b c d", heads=2, seed=${at + 1}, weights_from="random", controls=["map"])`)]);
  const shown = (at) => widgets(page).nth(at).evaluate((one) => one.settings.seed);
  const scroll = (share) => page.evaluate((share) => {
    const outer = document.querySelector('.jp-WindowedPanel-outer');
    outer.scrollTop = share * outer.scrollHeight;
  }, share);
  await expect.poll(() => widgets(page).count(), { timeout: 120_000 }).toBe(100);
  for (let share = 0; share <= 1; share += 0.05) {
    await scroll(share);
    await page.waitForTimeout(50);
  }
  for (const at of [99, 50, 0]) {
    await widgets(page).nth(at).scrollIntoViewIfNeeded();
    await expect.poll(() => widgets(page).nth(at).evaluate(({ snapshot }) => snapshot?.computed), { timeout: 30_000 }).toBe(true);
    expect(await shown(at)).toBe(at + 1);
    await set(page, at, { head: 2 });
    await expect.poll(() => widgets(page).nth(at).evaluate(({ settings }) => settings.head)).toBe(2);
  }
  expect(page.workers().filter((worker) => worker.url().startsWith('blob:')).length).toBeLessThan(4);
});

const OTHERS = ['notebook==7.6.5', 'marimo==0.25.2', 'anywidget==0.11.0', 'numpy==2.4.6'];

/** A Python with other notebooks than JupyterLab. */
const inOthers = test.extend({
  others: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'others-'));
      const python = join(folder, 'bin/python');
      await run('python3', ['-m', 'venv', folder]);
      await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...OTHERS]);
      await use(python);
      await rm(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

inOthers('in Notebook 7 the page and Python know of each other', async ({ page, others, quiet }) => {
  quiet.allow(/./);
  const server = await startServer({ python: others, program: 'notebook' });
  await openNotebook(page, server, [FINISHED], 'own.ipynb', 'notebooks');
  await page.evaluate(() => jupyterapp.commands.execute('notebook:run-all-cells'));
  await expectDrawn(page, 1, (one) => !!one.settings.data);
  expect(await tensor(page, 0, 'weights')).toEqual(await array(page, 'weights[0]'));
  await set(page, 0, { head: 3 });
  await expect.poll(() => asked(page, 'widget.head')).toBe(3);
  await page.goto('about:blank');
  await server.stop();
});

const MARIMO = `import marimo
app = marimo.App()

@app.cell
def _():
    import marimo as mo
    ${FINISHED.replace(/\nwidget$/, '').replaceAll('\n', '\n    ')}
    shown = mo.ui.anywidget(widget)
    shown
    return mo, shown

@app.cell
def _(mo, shown):
    mo.md(f"Python hears {shown.value.get('head')}")

if __name__ == "__main__":
    app.run()
`;

inOthers('in marimo too', async ({ page, others, quiet }) => {
  quiet.allow(/./);
  const options = (port, folder) => {
    writeFileSync(join(folder, 'own.py'), MARIMO);
    return ['run', 'own.py', '--headless', '--no-token', '--port', String(port), '--host', '127.0.0.1'];
  };
  const server = await startServer({ python: others, program: 'marimo', options });
  await page.goto(server.origin);
  await expectDrawn(page, 1, (one) => !!one.settings.data);
  await set(page, 0, { head: 3 });
  await expect(page.getByText('Python hears 3')).toBeVisible({ timeout: 30_000 });
  await page.goto('about:blank');
  await server.stop();
});
