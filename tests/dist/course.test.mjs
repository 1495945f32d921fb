// The course page of docs/, in both languages: its table and what it gives to copy name every lesson as the lessons' own files do.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const ADDRESS = 'https://playground.example/';
const read = (path) => readFile(new URL(path, ROOT), 'utf8');

/** What the head of each lesson says, in order. */
async function lessonsOf(language) {
  const files = (await readdir(new URL(`content/${language}/lessons/`, ROOT))).sort();
  return Promise.all(files.map(async (file) => {
    const [, head] = (await read(`content/${language}/lessons/${file}`)).split(/^---$/m);
    const says = Object.fromEntries([...head.matchAll(/^(\w+): (.*)$/gm)].map(([, name, value]) => [name, value]));
    return { file, name: file.replace(/\.md$/, ''), title: says.title, minutes: says.minutes, after: (says.after ?? '').split(', ').filter(Boolean) };
  }));
}

const number = (name) => Number.parseInt(name, 10);

/** The blocks of code in `language`. */
const blocks = (text, language) => [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);

/** The fields of an entry of BibTeX. */
const fields = (entry) => Object.fromEntries([...entry.matchAll(/^ {2}(\w+) *= \{(.*)\},?$/gm)].map(([, name, value]) => [name, value]));

/** A title where there are no formulas. */
const plain = (title) => title.replace(/\$\\sqrt\{(.*?)\}\$/g, '√$1');

const PAGES = [
  { language: 'en', path: 'docs/course.md', titled: (lesson) => `Lesson ${number(lesson.name)}: ${plain(lesson.title)}` },
  { language: 'zh', path: 'docs/course.zh.md', titled: (lesson) => `第 ${number(lesson.name)} 课：${plain(lesson.title)}` },
];

for (const { language, path, titled } of PAGES) {
  test(`${path}: the table says what the lessons say`, async () => {
    const [text, lessons] = [await read(path), await lessonsOf(language)];
    const rows = text.split('\n').filter((line) => /^\| \d/.test(line)).map((line) => line.slice(1, -1).split('|').map((cell) => cell.trim()));
    assert.deepEqual(rows, lessons.map(({ file, name, title, minutes, after }) => [
      String(number(name)),
      `[${title}](../content/${language}/lessons/${file})`,
      minutes,
      after.map(number).join(', '),
      `\`#v=1&lesson=${name}\``,
    ]));
    const sum = lessons.reduce((sum, { minutes }) => sum + Number(minutes), 0);
    assert.match(text, new RegExp(`\\b${sum} (minutes|分钟)`));
  });

  test(`${path}: the long blocks have every lesson once`, async () => {
    const [text, lessons] = [await read(path), await lessonsOf(language)];
    const [frames, elements] = blocks(text, 'html').filter((block) => block.split('\n').length > 10).map((block) => block.trimEnd().split('\n'));
    const link = ({ name }) => `v=1&amp;lesson=${name}`;
    assert.deepEqual(frames, lessons.map((lesson) =>
      `<iframe src="${ADDRESS}#embed&amp;${link(lesson)}&amp;lang=${language}" title="${titled(lesson)}" width="100%" height="900" frameborder="0" loading="lazy"></iframe>`));
    assert.deepEqual(elements, [`<script type="module" src="${ADDRESS}attention-playground.js"></script>`, ...lessons.map((lesson) =>
      `<attention-playground lesson="${lesson.name}"><a href="${ADDRESS}#${link(lesson)}">${titled(lesson)}</a></attention-playground>`)]);
  });

  test(`${path}: a single lesson is one that there is, called as it is`, async () => {
    const [text, lessons] = [await read(path), await lessonsOf(language)];
    const names = [...text.matchAll(/lesson="?(\d\d[\w-]+)/g)].map(([, name]) => name);
    assert.ok(names.length > 3 * lessons.length);
    for (const name of names) assert.ok(lessons.some((lesson) => lesson.name === name), name);
    const [first] = blocks(text, 'html');
    const shown = lessons.find(({ name }) => first.includes(`lesson=${name}&`));
    assert.ok(first.includes(`title="${titled(shown)}"`), first);
  });

  test(`${path}: the entries for BibTeX are the page’s own and a lesson’s`, async () => {
    const [text, lessons] = [await read(path), await lessonsOf(language)];
    const [, shown] = (await read('index.html')).match(/<pre[^>]*>(@software[^]*?)<\/pre>/);
    const [all, one] = blocks(text, 'bibtex')[0].split('\n\n').map(fields);
    assert.deepEqual(all, { ...fields(shown), url: ADDRESS });
    const lesson = lessons.find(({ name }) => one.url.startsWith(`${ADDRESS}#v=1&lesson=${name}`));
    assert.equal(one.title, lesson.title);
    assert.match(one.howpublished, new RegExp(`\\b${number(lesson.name)}\\b`));
    assert.deepEqual([one.author, one.year], [all.author, all.year]);
  });
}

test('what is copied for each kind of page is the same in both languages', async () => {
  const [english, chinese] = await Promise.all(PAGES.map(async ({ path }) => {
    const text = await read(path);
    return ['js', 'yaml'].map((language) => blocks(text, language));
  }));
  assert.ok(english[0].length > 2);
  assert.deepEqual(chinese, english);
});

test('what sites of MkDocs and Quarto have to say is what the examples say, which are built', async () => {
  const examples = await Promise.all(['docs/examples/mkdocs/mkdocs.yml', 'docs/examples/quarto/_quarto.yml'].map(read));
  for (const { path } of PAGES) {
    const said = blocks(await read(path), 'yaml');
    assert.equal(said.length, examples.length);
    for (const [at, block] of said.entries()) {
      for (const line of block.trimEnd().split('\n')) assert.ok(examples[at].split('\n').includes(line), `${path}: ${line}`);
    }
  }
});

test('the examples hold lessons that there are', async () => {
  const names = (await lessonsOf('en')).map(({ name }) => name);
  for (const path of ['docs/examples/quarto/index.qmd', 'docs/examples/docusaurus/docs/index.mdx']) {
    const held = [...(await read(path)).matchAll(/lesson="?(\d\d[\w-]+)/g)].map(([, name]) => name);
    assert.equal(held.length, 2, path);
    for (const name of held) assert.ok(names.includes(name), `${path}: ${name}`);
  }
});
