// One style sheet instead of one for each part: a request each would be waited for before the first paint.

const LINKS = /<link rel="stylesheet" href="\.\/([\w.-]+\.css)"\/?>\n?/g;

/** What a browser skips. Our sheets hold no comment marks inside strings. */
const short = (css) =>
  css
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s+/gm, '')
    .replace(/\s+$/gm, '');

export default function styles(site) {
  const sheets = [...site.text('index.html').matchAll(LINKS)].map(([, name]) => name);
  if (sheets.length === 0) throw new Error('index.html has no style sheet');
  const merged = sheets.map((name) => short(site.text(name))).join('\n');
  for (const name of sheets) site.files.delete(name);
  site.write('style.css', `${merged}\n`);
  let isFirst = true;
  site.replace('index.html', LINKS, () => {
    const link = isFirst ? '<link rel="stylesheet" href="./style.css">\n' : '';
    isFirst = false;
    return link;
  }, sheets.length);
}
