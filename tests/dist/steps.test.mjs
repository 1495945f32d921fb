// The steps between trunk and dist/, over a site as trunk leaves it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { finish } from '../../scripts/dist/main.mjs';
import { POLICY } from '../../scripts/dist/policy.mjs';

// Where the glue hands its imports to the module, at once or not.
const IMPORTS = '{\n  const imports = __wbg_get_imports();\n}\n';
const root = new URL('../../', import.meta.url);
const script = (name) => readFile(new URL(`src/bindings/js/${name}`, root));

/** What trunk writes with `filehash = false`. */
async function trunks() {
  return {
    'index.html': `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta property="og:image" content="./card.png">
<link rel="stylesheet" href="./tokens.css"/>
<link rel="stylesheet" href="./layout.css"/>
<script src="./boot.js" data-version="0&#x2E;1&#x2E;0"></script>
<script type="module">
import init, * as bindings from './attention-playground.js';
const wasm = await init({ module_or_path: './attention-playground_bg.wasm' });
</script>
<link rel="modulepreload" href="./attention-playground.js" crossorigin="anonymous"><link rel="preload" href="./attention-playground_bg.wasm" crossorigin="anonymous" as="fetch" type="application/wasm"></head>
<body><div id="playground"></div><a class="bare" data-of-source="" data-t="source">Source</a><a class="bare" data-of-source="issues" data-t="report-fault">Report a fault</a></body>
</html>
`,
    'tokens.css': '/* tokens */\n:root {\n  --ink: black;\n}\n',
    'layout.css': 'p {\n  margin: 0;\n}\n',
    'attention-playground.js': "const worker = import.meta.worker;\nconst wasm = new URL('attention-playground_bg.wasm', import.meta.url);\n".concat(IMPORTS, IMPORTS),
    'attention-playground_bg.wasm': Buffer.from('\0asm'.repeat(100)),
    ...Object.fromEntries(await Promise.all((await readdir(new URL('src/bindings/js/', root))).map(async (name) => [name, await script(name)]))),
  };
}

const folders = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))));

/** The finished files by name. */
async function finished(change = {}, options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'steps-'));
  folders.push(folder);
  for (const [name, content] of Object.entries({ ...(await trunks()), ...change })) {
    if (content !== null) await writeFile(join(folder, name), content);
  }
  await finish(folder, options);
  const names = (await readdir(folder)).sort();
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))])));
}

const FIXED = ['attention-playground.js', 'index.html', 'manifest.webmanifest', 'models.json', 'one-file.html', 'sw.js'];
const plain = (name) => name.replace(/-[0-9a-f]{16}\./, '.');
const named = (files, name) => [...files.keys()].find((other) => plain(other) === name);
const text = (files, name) => files.get(named(files, name)).toString();

test('equal names mean equal bytes: every other name holds the hash of its file', async () => {
  const files = await finished();
  for (const [name, bytes] of files) {
    if (FIXED.includes(name)) continue;
    const [, hash] = /-([0-9a-f]{16})\.\w+$/.exec(name) ?? [];
    assert.equal(hash, createHash('sha256').update(bytes).digest('hex').slice(0, 16), name);
  }
});

test('the same input gives the same files', async () => {
  assert.deepEqual(await finished(), await finished());
});

test('another byte of the module changes its name and that of all who name it, and of no other', async () => {
  const [before, after] = [await finished(), await finished({ 'attention-playground_bg.wasm': 'other' })];
  const changed = [...after.keys()].filter((name) => !before.has(name)).map(plain).sort();
  assert.deepEqual(changed, ['element.js', 'engine.js', 'engine.wasm', 'offline.js', 'start.js']);
  assert.notDeepEqual(before.get('sw.js'), after.get('sw.js'));
});

test('every file that is named is there', async () => {
  const files = await finished();
  for (const [name, bytes] of files) {
    if (!/\.(html|js|webmanifest)$/.test(name)) continue;
    for (const [, other] of bytes.toString().matchAll(/["']\.\/([\w-]+\.\w+)["']/g)) assert.ok(files.has(other), `${name} names ${other}`);
  }
});

test('one style sheet holds all, in their order and without comments', async () => {
  const files = await finished();
  assert.equal(text(files, 'style.css'), ':root {\n--ink: black;\n}\np {\nmargin: 0;\n}\n');
  assert.equal(text(files, 'index.html').match(/rel="stylesheet"/g).length, 1);
});

test('what only people read is not sent, and what others ask a script for keeps its name', async () => {
  const glue = `${(await trunks())['attention-playground.js']}/** Only for people. */\nexport function engine(longName) {\n  return longName;\n}\n`;
  const files = await finished({ 'attention-playground.js': glue });
  for (const name of ['boot.js', 'element.js', 'engine.js', 'offline.js', 'start.js']) assert.doesNotMatch(text(files, name), /^\s*\/[/*]/, name);
  assert.match(text(files, 'engine.js'), /export\s*\{\s*\w+ as engine\s*\}|export function engine/);
  assert.doesNotMatch(text(files, 'engine.js'), /longName/);
});

test('no script, style or handler stands in the page, and its policy allows none', async () => {
  const page = text(await finished(), 'index.html');
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page);
  assert.doesNotMatch(policy, /'unsafe-(inline|eval|hashes)'|https?:|\*/);
  assert.ok(page.indexOf('Content-Security-Policy') < page.search(/<(script|link)/), 'it holds for everything after it only');
});

test('scripts, style sheets, modules and the module itself are taken with these bytes only', async () => {
  const files = await finished();
  const digest = (name) => `sha384-${createHash('sha384').update(files.get(name)).digest('base64')}`;
  const elements = [...text(files, 'index.html').matchAll(/<(?:script|link rel="(?:stylesheet|modulepreload)")[^>]*\.\/([\w.-]+)"[^>]*>/g)];
  assert.deepEqual(elements.map(([, name]) => plain(name)).sort(), ['boot.js', 'engine.js', 'offline.js', 'start.js', 'style.css']);
  for (const [element, name] of elements) assert.ok(element.includes(`integrity="${digest(name)}"`), element);
  assert.ok(text(files, 'start.js').includes(digest(named(files, 'engine.wasm'))));
});

test('a page without an origin may check its files too, and bring in its worker', async () => {
  const files = await finished();
  const elements = [...text(files, 'index.html').matchAll(/<[^>]*\bintegrity="[^>]*>/g)].map(([element]) => element);
  assert.ok(elements.length >= 5);
  for (const element of elements) assert.match(element, / crossorigin[ >]|type="module"|rel="modulepreload"/, element);
  assert.match(text(files, 'index.html'), /worker-src 'self' blob:;/);
  assert.doesNotMatch(text(files, 'worker.js'), /^\s*(import\s+[\w{*'"]|export\s)/m, 'importScripts takes no modules');
});

test('the service worker keeps what the page leads to, and has another version for another page', async () => {
  const files = await finished();
  const build = (files) => JSON.parse(/const BUILD = (\{[^]*?\n\});/.exec(text(files, 'sw.js'))[1]);
  const kept = Object.keys(build(files).files);
  assert.deepEqual(kept.map(plain).sort(), ['boot.js', 'engine.js', 'engine.wasm', 'icon-192.png', 'icon-512.png', 'icon-maskable.png', 'icon.svg', 'manifest.webmanifest', 'offline.js', 'start.js', 'style.css', 'worker.js']);
  const page = (await trunks())['index.html'].replace('<body>', '<body>new');
  assert.notEqual(build(await finished({ 'index.html': page })).version, build(files).version);
});

test('a link to the page is shown with a picture, by its whole address where that is known', async () => {
  const files = await finished();
  const card = named(files, 'card.png');
  assert.match(text(files, 'index.html'), new RegExp(`<meta property="og:image" content="${card}">`));
  assert.ok(!Object.keys(JSON.parse(/const BUILD = (\{[^]*?\n\});/.exec(text(files, 'sw.js'))[1]).files).includes(card), 'nobody who reads the page needs it');
  const known = text(await finished({}, { address: 'https://a.example/b/' }), 'index.html');
  for (const tag of [`<meta property="og:image" content="https://a.example/b/${card}">`, '<meta property="og:url" content="https://a.example/b/">', '<link rel="canonical" href="https://a.example/b/">']) assert.ok(known.includes(tag), tag);
});

test('the source is linked where the project says it has one, and nowhere else', async () => {
  assert.doesNotMatch(text(await finished(), 'index.html'), /<a /);
  const page = text(await finished({}, { repository: 'https://a.example/code' }), 'index.html');
  assert.match(page, /<a class="bare" href="https:\/\/a\.example\/code" target="_blank" rel="noreferrer" data-t="source">Source<\/a>/);
  assert.match(page, /href="https:\/\/a\.example\/code\/issues"/);
});

test('the page says which build it is of, whatever has changed', async () => {
  const versions = [];
  for (const change of [{}, { 'tokens.css': ':root { --ink: red; }' }, { 'attention-playground_bg.wasm': 'other' }]) {
    const files = await finished(change);
    const { version } = JSON.parse(/const BUILD = (\{[^]*?\n\});/.exec(text(files, 'sw.js'))[1]);
    assert.ok(text(files, 'index.html').includes(`<meta name="build" content="${version}">`));
    versions.push(version);
  }
  assert.equal(new Set(versions).size, 3);
});

test('the custom element keeps nothing in the name of the page that it stands in', async () => {
  const files = await finished();
  const names = [...files.keys()].filter((name) => /^(element|shadow|attention-playground)/.test(name));
  assert.ok(names.length >= 3);
  for (const name of names) assert.doesNotMatch(files.get(name).toString(), /serviceWorker|document\.cookie/, name);
});

test('the manifest can be moved to any folder', async () => {
  const files = await finished();
  const manifest = JSON.parse(text(files, 'manifest.webmanifest'));
  assert.deepEqual([manifest.start_url, manifest.scope, manifest.id], ['./', './', undefined]);
  assert.equal(manifest.name, 'Attention Playground');
  assert.equal(manifest.name_localized.zh.value, '注意力游乐场');
  for (const { src, sizes, type } of manifest.icons.filter(({ type }) => type === 'image/png')) {
    const bytes = files.get(src.slice(2));
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, type);
  }
});

test('the page as one file names no other, runs no script but its own, and holds the files of the element', async () => {
  const page = text(await finished(), 'one-file.html');
  assert.doesNotMatch(page, /\s(src|href)=/);
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page);
  assert.doesNotMatch(policy, /'unsafe-(inline|eval|hashes)'|'self'|https?:|\*/);
  for (const tag of ['style', 'script type="module"']) {
    const inside = new RegExp(`<${tag}>([^]*?)</${tag.split(' ')[0]}>`).exec(page)[1];
    assert.ok(policy.includes(`'sha256-${createHash('sha256').update(inside).digest('base64')}'`), tag);
  }
  const modules = new Map([...page.matchAll(/data-module="([\w.-]+)">([\w+/=]+)</g)].map(([, name, packed]) => [name, gunzipSync(Buffer.from(packed, 'base64'))]));
  assert.deepEqual([...modules.keys()].sort(), ['calls.js', 'element.js', 'engine.js', 'engine.wasm', 'library.js', 'own_events.js', 'room.js', 'shadow.js', 'worker.js']);
  for (const [name, content] of modules) {
    for (const [, other] of content.toString().matchAll(/(?:from |import\(|URL\()'\.\/([\w.-]+)'/g)) assert.ok(modules.has(other), `${name} names ${other}`);
  }
  // What is written into it: once each, before the modules.
  const before = page.slice(0, page.indexOf('data-module'));
  for (const place of ['<title>Attention Playground</title>', '<attention-playground data-link="">', '<!-- numbers -->']) assert.equal(before.split(place).length, 2, place);
});

test('packed beside what gains by it, and only where it is asked for', async () => {
  const packed = /\.(br|gz)$/;
  assert.equal([...(await finished()).keys()].some((name) => packed.test(name)), false);
  const files = await finished({}, { isCompressed: true });
  const names = [...files.keys()].filter((name) => packed.test(name));
  assert.ok(names.length > 10);
  for (const name of names) {
    const own = files.get(name.replace(packed, ''));
    assert.ok(files.get(name).length < own.length, name);
    assert.deepEqual(name.endsWith('.br') ? brotliDecompressSync(files.get(name)) : gunzipSync(files.get(name)), own, name);
  }
  assert.equal(names.some((name) => /\.png\./.test(name)), false);
});

test('served for development: no policy for trunk to run into, and nothing is kept', async () => {
  const files = await finished({}, { isServed: true });
  assert.doesNotMatch(text(files, 'index.html'), /Content-Security-Policy/);
  assert.equal(files.has('sw.js'), false);
});

for (const [what, change] of Object.entries({
  'a part of the engine': { 'attention-playground_bg.wasm': null },
  "trunk's script": { 'index.html': '<head><link rel="stylesheet" href="./tokens.css"/></head>' },
  'the place of the worker': { 'attention-playground.js': `const wasm = 'attention-playground_bg.wasm';${IMPORTS}${IMPORTS}` },
  'the place of the imports': { 'attention-playground.js': "const worker = import.meta.worker;\nconst wasm = 'attention-playground_bg.wasm';" },
})) {
  test(`without ${what} the build stops`, async () => {
    await assert.rejects(finished(change), /is not among|times, not [12]/);
  });
}

test('two files that name each other stop the build', async () => {
  await assert.rejects(finished({ 'worker.js': "import './start.js';", 'start.js': "import './worker.js'; 'integrity of ./engine.wasm'" }), /name each other/);
});

test('the documentation gives hosts the policy that the page has', async () => {
  const policies = [...(await readFile(new URL('docs/hosting.md', root), 'utf8')).matchAll(/default-src [^"\n]*/g)].map(([policy]) => policy);
  assert.equal(policies.length, 5);
  for (const policy of policies) assert.equal(policy, `${POLICY}; frame-ancestors *`);
});
