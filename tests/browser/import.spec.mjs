// Numbers that are brought in: pasted, chosen or dropped; looked at, shown, linked, and taken back.

import { violations } from './axe.mjs';
import { beforeWorker, expect, idle, isolated, openPage, test } from './fixture.mjs';
import { address, expectShown, link, named, picture, table } from './helpers.mjs';

/** Numbers that look random, the same each time. */
function numbers(count, seed) {
  let state = seed * 2654435761 % 4294967296;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(state / 2147483648 - 1);
  });
}

const tensor = (shape, seed) => ({ shape, data: numbers(shape.reduce((a, b) => a * b, 1), seed) });

/** Finished weights, `[heads, n, m]`. */
function weights(heads, n, m, seed = 1) {
  return Array.from({ length: heads }, (_, head) => Array.from({ length: n }, (_, query) => {
    const row = numbers(m, seed + head * 1000 + query).map((weight) => Math.abs(weight) + 0.01);
    const sum = row.reduce((a, b) => a + b, 0);
    return row.map((weight) => weight / sum);
  }));
}

const file = (name, content) => ({ name, mimeType: '', buffer: Buffer.isBuffer(content) ? content : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)) });

const open = async (page) => {
  if (await page.locator('#data-body').isHidden()) await page.locator('#open-data').click();
};

const choose = async (page, ...files) => {
  await open(page);
  await page.locator('#import-file').setInputFiles(files);
};

const dialog = (page) => page.locator('#import-dialog');

const bring = async (page, ...files) => {
  await choose(page, ...files);
  await page.locator('#import-dialog-take').click();
  await expect(dialog(page)).toBeHidden();
  await idle(page);
};

/** Drops files on an element, as a hand does. */
const drop = (page, selector, files) => page.locator(selector).evaluate((element, files) => {
  const data = new DataTransfer();
  for (const { name, bytes } of files) data.items.add(new File([Uint8Array.from(atob(bytes), (byte) => byte.charCodeAt(0))], name));
  const options = { bubbles: true, cancelable: true, dataTransfer: data };
  const over = new DragEvent('dragover', options);
  element.dispatchEvent(over);
  const wasMarked = !!document.querySelector('[data-dropping]');
  element.dispatchEvent(new DragEvent('drop', options));
  return { isTaken: over.defaultPrevented, wasMarked, isMarked: !!document.querySelector('[data-dropping]') };
}, files.map(({ name, buffer }) => ({ name, bytes: buffer.toString('base64') })));

test('Q, K and V are pasted as tables below their names, and what is wrong in one is said of that one', async ({ page }) => {
  await openPage(page, link({ text: 'one two three', heads: '1' }));
  await open(page);
  const paste = async (text) => {
    await page.locator('#import-text').fill(text);
    await page.locator('#import-read').click();
    await expect(dialog(page)).toBeVisible();
  };
  await paste('q\n1,0\n0,1\n1,1\n\nk\n1,0\n0,x\n\nv\n1,2,3\n4,5,6\n');
  await expect(dialog(page)).toContainText('k: ');
  await expect(dialog(page)).toContainText('row 2, column 2');
  await page.keyboard.press('Escape');
  await paste('q\n1,0\n0,1\n1,1\n\nk\n1,0\n0,2\n\nv\n1,2\n3,4\n');
  await page.locator('#import-dialog-take').click();
  expect(await picture(page)).toMatchObject({ rows: 3, columns: 2 });
  const share = (own, other) => 1 / (1 + Math.exp((other - own) / Math.SQRT2));
  const { cells } = await table(page);
  [[1, 0], [0, 2], [1, 2]].forEach(([a, b], query) => {
    expect(cells[query][0]).toBeCloseTo(share(a, b), 3);
    expect(cells[query][1]).toBeCloseTo(share(b, a), 3);
  });
});

test('a pasted matrix becomes the map, and the sentence comes back exactly', async ({ page }) => {
  await openPage(page, link({ text: 'one two three', heads: '2', mask: 'causal', seed: '7' }));
  const before = await address(page);
  const matrix = weights(3, 5, 7);
  await open(page);
  await page.locator('#import-text').fill(JSON.stringify(matrix));
  await page.locator('#import-read').click();
  await expect(dialog(page)).toBeVisible();
  await expect(page.locator('#import-dialog-parts')).toContainText('[3, 5, 7] = heads × queries × keys');
  await expect(page.locator('#import-dialog-why')).toHaveText('Every row sums to about 1 or is empty, as rows of attention weights do.');
  await expect(page.locator('#import-dialog-heads')).toBeHidden();
  await page.locator('#import-dialog-take').click();
  expect(await picture(page)).toMatchObject({ rows: 5, columns: 7 });
  await expect(page.locator('#imported-what')).toHaveText('Your own numbers: a finished attention matrix, 3 × 5 × 7.');
  const { cells, rows } = await table(page);
  expect(rows).toEqual(['1', '2', '3', '4', '5']);
  matrix[0].forEach((row, query) => row.forEach((weight, key) => expect(cells[query][key]).toBeCloseTo(weight, 3)));
  await expect(page.locator('#numbers')).toHaveText('5 × 7 cells, your own numbers');
  await expect(page.locator('#steps-body .when-finished')).toBeVisible();
  await expect(page.locator('#heads')).toBeDisabled();
  await expect(page.locator('[data-control="heads"]')).toHaveAttribute('title', 'It follows from your own numbers.');
  await expect(page.locator('#heads-number')).toHaveValue('3');
  await page.locator('#open-code').click();
  await expect(page.locator('#code-body')).toHaveText(/there is no program to write/, { useInnerText: true });
  await expect(page.locator('#code-text')).toBeHidden();
  await page.locator('#open-code').click();
  await page.locator('#imported-clear').click();
  await expect(page.locator('#imported')).toBeHidden();
  await idle(page);
  expect(named(await address(page))).toEqual({ ...named(before), open: 'steps,data' });
});

test('a link holds small numbers, and Back takes them away', async ({ page, context }) => {
  await openPage(page);
  await bring(page, file('attention.json', { attention: weights(2, 4, 4) }));
  const own = await table(page);
  const other = await context.newPage();
  await openPage(other, await address(page));
  expect(await table(other)).toEqual(own);
  await expect(other.locator('#imported')).toBeVisible();
  await page.goBack();
  await expect(page.locator('#imported')).toBeHidden();
  await expectShown(page, { heads: '4' });
  await page.goForward();
  await expect(page.locator('#imported')).toBeVisible();
  expect(await picture(page)).toMatchObject({ rows: 4, columns: 4 });
});

test('a link names large numbers, says which file is missing, and is whole once it comes', async ({ page, context }) => {
  const large = file('from a <b>notebook</b>.json', { attn: weights(2, 60, 61) });
  await openPage(page);
  await bring(page, large);
  await page.locator('#import').evaluate(() => {});
  const own = await address(page);
  expect(own.length).toBeLessThan(300);
  await page.locator('#share-open').click();
  await expect(page.locator('#share-note')).toContainText('also send the file');
  const other = await context.newPage();
  await openPage(other, `${own}&head=2&colours=greys`);
  await expect(other.locator('#notices')).toContainText('a finished attention matrix (2 × 60 × 61) from the file “from a <b>notebook</b>.json”');
  await expect(other.locator('#imported')).toBeHidden();
  await bring(other, large);
  expect(await picture(other)).toMatchObject({ rows: 60, columns: 61, head: 1 });
  expect(named(await address(other))).toMatchObject({ colours: 'greys', head: '2', data: named(own).data });
});

test('a saved setting brings everything back where it is dropped', async ({ page, context }) => {
  test.slow();
  await openPage(page, link({ heads: '3', text: 'a b c' }));
  await bring(page, file('qkv.json', { q: tensor([2, 30, 20], 1), k: tensor([2, 30, 20], 2), v: tensor([2, 30, 20], 3) }));
  await page.locator('label:has(input[name="mask"][value="causal"])').click();
  await idle(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#imported-save').click()]);
  const { readFile } = await import('node:fs/promises');
  // However large it is.
  const saved = file('setting.json', `${await readFile(await download.path(), 'utf8')}${' '.repeat(2 ** 20)}`);
  const other = await context.newPage();
  await openPage(other);
  expect(await drop(other, '#map', [saved])).toEqual({ isTaken: true, wasMarked: true, isMarked: false });
  await expect(other.locator('#imported')).toBeVisible({ timeout: 20_000 });
  expect(await picture(other)).toMatchObject({ rows: 30, columns: 30 });
  await idle(other);
  expect(named(await address(other))).toMatchObject({ mask: 'causal', data: named(await address(page)).data });
  expect(await table(other)).toEqual(await table(page));
  await other.locator('#imported-clear').click();
  await expectShown(other, { heads: '3', text: 'a b c' });
});

test('what the names leave open is asked, and explained', async ({ page }) => {
  await openPage(page);
  await choose(page, file('odd.json', { one: tensor([1, 5, 8], 1), two: tensor([1, 5, 8], 2), three: tensor([1, 5, 8], 3), four: tensor([2, 2], 4) }));
  await expect(page.locator('#import-dialog-take')).toBeVisible();
  await page.locator('#import-dialog-form > summary').click();
  await page.locator('label:has(input[name="import-dialog-kind"][value="heads"])').click();
  const roles = page.locator('#import-dialog-roles select');
  await expect(roles).toHaveCount(3);
  await expect(roles.nth(0).locator('option:checked')).toHaveText('one [1, 5, 8]');
  await page.locator('#import-dialog-heads').fill('3');
  await page.locator('#import-dialog-heads').press('Tab');
  await expect(page.locator('#import-dialog-refusal')).toHaveText('3 heads do not divide the 8 columns of “one”.');
  await expect(page.locator('#import-dialog-take')).toBeHidden();
  await page.locator('#import-dialog-heads').fill('2');
  await page.locator('#import-dialog-heads').press('Tab');
  await roles.nth(2).selectOption({ label: 'four [2, 2]' });
  await expect(page.locator('#import-dialog-refusal')).toContainText('“four” has the shape [2, 2, 1]');
  await roles.nth(2).selectOption({ label: 'three [1, 5, 8]' });
  await expect(page.locator('#import-dialog-take')).toBeVisible();
  await page.locator('#import-dialog-take').click();
  expect(await picture(page)).toMatchObject({ rows: 5, columns: 5 });
  await expect(page.locator('#heads-number')).toHaveValue('2');
});

test('names out of a file are text wherever they stand', async ({ page }) => {
  await openPage(page);
  const evil = '<img src=x onerror="globalThis.wasRun = true">';
  const table = `,${[evil, 'b'].map((name) => `"${name.replaceAll('"', '""')}"`).join(',')}\n"${evil.replaceAll('"', '""')}",0.25,0.75\nb,0.5,0.5\n`;
  await bring(page, file(`${evil}.csv`, table));
  await page.locator('#map').hover();
  await expect(page.locator('#imported-what')).toContainText(evil);
  await page.locator('input[name="view"][value="curves"]').check();
  await page.locator('#open-analysis').click();
  await expect(page.locator('#curves-view')).toContainText('<img');
  await expect(page.locator('#chart-similar td').last()).toContainText('1.00');
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  expect(await page.evaluate(() => globalThis.wasRun)).toBeUndefined();
});

/** Counts the bytes of files that the window reads. */
const countBytes = (page) => page.addInitScript(() => {
  globalThis.bytesRead = 0;
  const read = Blob.prototype.arrayBuffer;
  Blob.prototype.arrayBuffer = function () {
    globalThis.bytesRead += this.size;
    return read.call(this);
  };
});

isolated('what is packed is unpacked by the worker, however small it is', async ({ page }) => {
  await beforeWorker(page, `(${() => {
    globalThis.asked = [];
    globalThis.addEventListener('message', ({ data }) => data?.kind === 'read' && globalThis.asked.push(data.name));
  }})()`);
  await countBytes(page);
  await openPage(page);
  const { readFile } = await import('node:fs/promises');
  const packed = await readFile(new URL('../formats/samples/compressed.npz', import.meta.url));
  await choose(page, file('q.csv', '1,2\n3,4\n'), file('packed.npz', packed));
  await expect(page.locator('#import-dialog-title')).not.toHaveText('');
  await idle(page);
  await page.keyboard.press('Escape');
  await choose(page, file('cut.npz', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(8_192)])));
  await expect(page.locator('#import-dialog-refusal')).toContainText('ends too early');
  expect(await page.workers()[0].evaluate(() => globalThis.asked)).toEqual(['packed.npz', 'cut.npz']);
  expect(await page.evaluate(() => globalThis.bytesRead), 'the tables, and heads of archives').toBe(8 + 8 + packed.length + 4_096);
});

/** Files whose names begin with `slow` are read once `readOn` is called. */
const holdSlow = (page) => page.addInitScript(() => {
  const read = Blob.prototype.arrayBuffer;
  const gate = new Promise((go) => (globalThis.readOn = () => (go(), new Promise((done) => setTimeout(done, 50)))));
  Blob.prototype.arrayBuffer = async function () {
    if (this.name?.startsWith('slow')) await gate;
    return read.call(this);
  };
});

isolated('a dialog that is closed while a file is read stays closed', async ({ page }) => {
  await holdSlow(page);
  await openPage(page);
  await choose(page, file('slow.json', [[0.5, 0.5]]));
  await expect(dialog(page)).toBeVisible();
  await expect(page.locator('#import-file')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.evaluate(() => globalThis.readOn());
  await expect(dialog(page)).toBeHidden();
  await expect(page.locator('#imported')).toBeHidden();
  await bring(page, file('slow too.json', [[0.5, 0.5], [0.25, 0.75]]));
  expect(await picture(page)).toMatchObject({ rows: 2, columns: 2 });
});

isolated('a large file is read by the worker, and rows that do not sum to 1 are told', async ({ page }) => {
  await countBytes(page);
  await openPage(page);
  const large = weights(4, 200, 200);
  large[1][2][3] += 0.5;
  await choose(page, file('large.json', { attention: large }));
  await expect(page.locator('#import-dialog-remarks')).toHaveText('1 row does not sum to 1 but to 1.5. It is shown as it is.', { timeout: 20_000 });
  expect(await page.evaluate(() => globalThis.bytesRead), 'the window looks at its head and leaves it to the worker').toBe(4_096);
  await page.locator('#import-dialog-take').click();
  expect(await picture(page)).toMatchObject({ rows: 200, columns: 200 });
  await expect(page.locator('#imported-remarks')).toHaveText('1 row does not sum to 1 but to 1.5. It is shown as it is.');
});

isolated('a large file that the browser cannot read any more is named', async ({ page }) => {
  await beforeWorker(page, 'Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("moved", "NotReadableError"));');
  await openPage(page);
  const large = file('k.csv', '0.123456789,0.987654321\n'.repeat(60_000));
  await choose(page, file('q.csv', '1,2\n3,4\n'), large);
  await expect(page.locator('#import-dialog-refusal')).toHaveText('k.csv: The browser could not read the file. It may have been moved or changed.');
});

test('what the worker refuses is said in the reader’s language, and of which file', async ({ page }) => {
  await openPage(page, link({ lang: 'zh' }));
  const small = file('q.csv', '1,2\n3,4\n');
  const rows = '0.123456789,0.987654321\n'.repeat(60_000);
  await choose(page, small, file('k.csv', `${rows}1,x\n`));
  await expect(page.locator('#import-dialog-refusal')).toHaveText('k.csv：第 60001 行第 2 列：“x”不是数。', { timeout: 20_000 });
});

test('everything by keyboard, in Chinese', async ({ page }) => {
  await openPage(page, link({ lang: 'zh' }));
  await page.locator('#open-data').focus();
  await page.keyboard.press('Enter');
  await page.locator('#import-text').focus();
  await page.keyboard.insertText('0.5 0.5\n0.1 0.9\n');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await expect(page.locator('#import-dialog-title')).toHaveText('粘贴的文本里有什么：注意力矩阵');
  await expect(page.locator('#import-dialog-parts')).toContainText('头 × 查询 × 键');
  expect(await violations(page)).toEqual([]);
  await page.locator('#import-dialog-take').focus();
  await page.keyboard.press('Enter');
  expect(await picture(page)).toMatchObject({ rows: 2, columns: 2 });
  await expect(page.locator('#imported-what')).toHaveText('你的数值：注意力矩阵，1 × 2 × 2。');
  await page.locator('#imported-clear').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#imported')).toBeHidden();
});

isolated('numbers go to the worker once, and again to the next one', async ({ page, quiet }) => {
  quiet.allow(/on purpose/);
  await beforeWorker(page, `(${() => {
    let pages = 0;
    globalThis.sent = 0;
    globalThis.addEventListener('message', ({ data }) => {
      if (data?.kind === 'data') globalThis.sent += 1;
      if (data?.kind !== 'page') return;
      pages += 1;
      // The next worker begins with this very page, and lives.
      if (pages > 1 && data.state[data.state.indexOf('temperature') + 1] === '3') throw new Error('on purpose');
    });
  }})()`);
  await openPage(page);
  await bring(page, file('attention.json', { q: tensor([2, 40, 30], 1), k: tensor([2, 40, 30], 2), v: tensor([2, 40, 30], 3) }));
  for (const number of [1, 2, 5]) {
    await page.locator('label:has(input[name="mask"][value="causal"])').click();
    await page.locator('#seed').fill(String(number));
    await page.locator('#seed').press('Enter');
    await idle(page);
  }
  const sent = () => page.workers().at(-1).evaluate(() => globalThis.sent);
  expect(await sent()).toBe(1);
  const first = page.workers().at(-1);
  await page.locator('#more').evaluate((more) => { more.open = true; });
  const died = new Promise((resolve) => { first.on('close', resolve); });
  await page.locator('#temperature-number').fill('3');
  await page.locator('#temperature-number').press('Enter');
  await died;
  await expectShown(page, { temperature: '3' });
  expect(await sent()).toBe(1);
  expect(await picture(page)).toMatchObject({ rows: 40, columns: 40 });
});
