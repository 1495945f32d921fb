// What an installed page is called and looks like, and a list of the models that the site offers: none, until its host puts some there. Addresses are relative to the manifest. There is no `id`: it would be read from the
// root of the host, and two copies in two folders would be one; without it the start address tells them apart.

import { readFile } from 'node:fs/promises';
import { ICONS } from './icons.mjs';

const COLOURS = { light: '#fcfbf8', dark: '#14161c' };

/** A text of content/LANGUAGE/ui.toml. */
async function word(language, key) {
  const texts = await readFile(new URL(`../../content/${language}/ui.toml`, import.meta.url), 'utf8');
  const found = new RegExp(`^${key} = (".*")$`, 'm').exec(texts);
  if (!found) throw new Error(`content/${language}/ui.toml has no ${key}`);
  return JSON.parse(found[1]);
}

export default async function manifest(site) {
  const [name, description] = [await word('en', 'title'), await word('en', 'description')];
  const chinese = { value: await word('zh', 'title'), lang: 'zh-Hans' };
  const content = {
    name,
    name_localized: { zh: chinese },
    short_name: 'Attention',
    short_name_localized: { zh: chinese },
    description,
    lang: 'en',
    start_url: './',
    scope: './',
    display: 'standalone',
    background_color: COLOURS.light,
    theme_color: COLOURS.light,
    categories: ['education'],
    icons: ICONS,
  };
  site.write('manifest.webmanifest', `${JSON.stringify(content, null, 2)}\n`);
  site.write('models.json', '{ "models": [] }\n');
  const tags = [
    // A course site behind a password gives it to nobody who does not say who they are.
    '<link rel="manifest" href="./manifest.webmanifest" crossorigin="use-credentials">',
    '<link rel="apple-touch-icon" href="./icon-192.png">',
    ...Object.entries(COLOURS).map(([scheme, colour]) => `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">`),
  ];
  site.replace('index.html', '</head>', `${tags.join('\n')}\n</head>`);
}
