// What the custom element is made of: the page's own markup and style sheet as a module, and its scripts as one.

import { readFileSync } from 'node:fs';
import { digest } from './integrity.mjs';
import { contained } from './contained.mjs';

const BODY = /<body>\s*([^]*?)\s*<\/body>/;
const NOSCRIPT = /<noscript>[^]*?<\/noscript>\n*/;
// What the page says where neither its scripts nor its style sheet have come, and what keeps the rest out of sight there.
const STRANDED = /<svg class="stranded"[^]*?<\/svg>\n*/;
const WAITING = / hidden(?=>)/;
const IMPORTS = /^import \{[^}]*\} from '\.\/(?:calls|library|own_events|room)\.js';\n/gm;
const EXPORTS = /^export (?=const|function|async)/gm;
/** What `element.js` imports beside those two. */
const OF_ELEMENT = ['own_events.js', 'room.js'];

const WORKER = new URL('../../package/worker.js', import.meta.url);

/** The version of everything that is built. */
export const version = readFileSync(new URL('../../Cargo.toml', import.meta.url), 'utf8').match(/^version = "([^"]+)"/m)[1];

/** The page's body and style sheet for a shadow root. */
function shadow(site) {
  const [, body] = site.text('index.html').match(BODY) ?? [];
  if (!body?.includes('id="playground"')) throw new Error('index.html has no body that could stand in an element');
  const markup = body.replace(STRANDED, '').replace(WAITING, '').replace(NOSCRIPT, '').replace(/<script[^]*?<\/script>\n*/g, '');
  return `export const markup = ${JSON.stringify(markup)};\nexport const styles = ${JSON.stringify(contained(site.text('style.css')))};\n`;
}

/** `library.js` with what only the build knows; `page` is the address of the whole page, as an expression. */
function library(site, page) {
  const fill = (text, mark, by) => {
    if (text.split(mark).length !== 2) throw new Error(`library.js: ${mark} does not stand there once`);
    return text.replace(mark, () => by);
  };
  let text = site.text('library.js');
  text = fill(text, "'source of worker.js'", JSON.stringify(site.text('worker.js')));
  text = fill(text, 'version of the package', version);
  return fill(text, "'address of the page'", page);
}

/** What the element is made of, by names, all beside each other. */
export function elementFiles(site) {
  const modules = [...site.files.keys()].filter((name) => name.endsWith('.wasm'));
  const files = new Map(['calls.js', 'element.js', ...OF_ELEMENT, ...modules].map((name) => [name, site.files.get(name)]));
  // The library makes workers; an address that bundlers took for another file would be one too many.
  files.set('engine.js', site.text('engine.js').replace("new URL('./worker.js', import.meta.url).href", 'import.meta.url'));
  files.set('library.js', library(site, 'null'));
  files.set('shadow.js', shadow(site));
  return files.set('worker.js', readFileSync(WORKER));
}

export default function element(site) {
  const calls = site.text('calls.js').replace('export const', 'const');
  site.replace('boot.js', '/* calls.js */', calls.replace(/^\/\/.*\n/gm, '').trim());
  site.write('shadow.js', shadow(site));
  const wasm = digest(site.files.get('engine.wasm'));
  const own = library(site, "new URL('./', import.meta.url).href")
    .replace("new URL('./engine.wasm', import.meta.url)", (address) => `${address}, { integrity: '${wasm}' }`)
    .replace(EXPORTS, '');
  const beside = OF_ELEMENT.map((name) => site.text(name).replace(EXPORTS, ''));
  const scripts = [calls, own, ...beside, site.text('element.js')].map((text) => text.replace(IMPORTS, ''));
  site.write('element.js', scripts.join('\n'));
  site.write('attention-playground.js', "import { define } from './element.js';\n\ndefine();\n");
  for (const name of ['calls.js', 'library.js', ...OF_ELEMENT]) site.files.delete(name);
}
