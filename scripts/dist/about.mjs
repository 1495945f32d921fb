// What the page says of itself to others: the picture and the words that a link to it is shown with, and where its source is. Neither is
// known to the source: whoever builds it says where it will stand (`PLAYGROUND_ADDRESS`), and Cargo.toml has the `repository`.

import { readFile } from 'node:fs/promises';

const CARD = new URL('../../docs/card.png', import.meta.url);
const OF_SOURCE = /<a class="bare" data-of-source="([a-z]*)"([^>]*)>([^<]*)<\/a>/g;

export default async function about(site) {
  site.write('card.png', await readFile(CARD));
  const { repository } = site;
  const link = (all, path, rest, text) => (repository ? `<a class="bare" href="${repository}${path && `/${path}`}" target="_blank" rel="noreferrer"${rest}>${text}</a>` : '');
  site.replace('index.html', OF_SOURCE, link, 2);
}

/** Once files have their names. What shows links asks for the picture by its whole address; a page that does not know its own names it as it can. */
export function address(site) {
  site.replace('index.html', '<meta property="og:image" content="./', `<meta property="og:image" content="${site.address ?? ''}`);
  if (site.address) site.replace('index.html', '</head>', `<meta property="og:url" content="${site.address}">\n<link rel="canonical" href="${site.address}">\n</head>`);
}
