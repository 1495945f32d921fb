// Every script, style sheet and preloaded module of the page is taken only with the bytes that were built.

import { createHash } from 'node:crypto';

const ELEMENTS = /<(?:script|link)\b[^>]*\b(?:src|href)="\.\/([^"]+)"[^>]*>/g;
// Browsers ignore it elsewhere, and Chromium says so in the console.
const CHECKED = /^<script|rel="(stylesheet|modulepreload)"/;
// In a sandbox without an origin the page's own files are somebody else's: browsers check only bytes that they may read. Modules are asked
// for in that way by themselves.
const FOREIGN = /^<script(?![^>]*type="module")|rel="stylesheet"/;

export const digest = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

export default function integrity(site) {
  site.write('index.html', site.text('index.html').replace(ELEMENTS, (element, name) => {
    if (!CHECKED.test(element)) return element;
    const mode = FOREIGN.test(element) ? ' crossorigin' : '';
    return element.replace(/ ?\/?>$/, `${mode} integrity="${digest(site.files.get(name))}">`);
  }));
}
