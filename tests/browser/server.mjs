// A static server for tests and benchmarks: dist/ at the root and once more in a sub-folder, on a port that is free.
// On its own (`node tests/browser/server.mjs [PORT]`) it prints its address and serves until it is stopped.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The release build. */
export const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** Where the same files are served once more, as a course site would keep them, and where a name is as odd as names get. */
export const SUB_FOLDER = '/courses/nlp/attention/';
export const ODD_FOLDER = '/课程 1/l\'attention (v2) & co/';
const FOLDERS = [SUB_FOLDER, ODD_FOLDER];

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** The path of an address as people write it, or null where it is not well formed. */
function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url, 'http://server').pathname);
  } catch {
    return null;
  }
}

/** The file that a request path means, or null where it leaves its folder. */
function fileFor(folders, asked) {
  if (asked === null) return null;
  const own = Object.keys(folders).find((own) => asked.startsWith(own));
  let path = asked.slice(own.length - 1);
  if (path.endsWith('/')) path += 'index.html';
  const file = normalize(join(folders[own], path));
  return file.startsWith(folders[own] + sep) && !path.includes('\0') ? file : null;
}

/** The compressed copy that the build has written beside a file, where the browser takes it; the file itself otherwise. */
async function encoded(file, request) {
  const copy = `${file}.br`;
  const isTaken = /\bbr\b/.test(request.headers['accept-encoding'] ?? '') && (await stat(copy).catch(() => null))?.isFile();
  return isTaken ? { path: copy, headers: { 'content-encoding': 'br' } } : { path: file, headers: {} };
}

async function answer({ folders, headers, isCompressed, instead }, request, response) {
  const path = pathOf(request.url);
  const own = instead?.(path);
  if (own) {
    response.writeHead(200, own.headers);
    pipeline(Readable.from(own.body), response, () => {});
    return;
  }
  // As every server does for a folder that is named like a file: relative references would lead elsewhere.
  if (Object.hasOwn(folders, `${path}/`)) {
    response.writeHead(301, { location: encodeURI(`${path}/`) }).end();
    return;
  }
  const file = fileFor(folders, path);
  const sent = file && (isCompressed ? await encoded(file, request) : { path: file, headers: {} });
  const found = sent && (await stat(sent.path).catch(() => null));
  if (!found?.isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    return;
  }
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': found.size,
    'cache-control': 'no-store',
    ...headers,
    ...sent.headers,
  });
  if (request.method === 'HEAD') response.end();
  // A file may be taken away while it is read, as when a test publishes a newer build.
  else pipeline(createReadStream(sent.path), response, () => {});
}

/** What a host has to say so that the element can be used on other people's pages, and a frame without an origin works. */
const SHARED = { 'access-control-allow-origin': '*' };

/**
 * Serves `folder`, for pages of every origin or of its own; resolves to `{ origin, close }`. Port 0 takes any free one. `mounts` has further
 * folders by the paths below which they are served, each with a slash at both ends, and `headers` what is sent with every file;
 * `isCompressed` sends brotli. `instead` may give `{ body, headers }` for a path, in place of its file; a body of several pieces is sent as they
 * come.
 */
export async function serve({ folder = DIST, mounts = {}, port = 0, isShared = true, headers = {}, isCompressed = false, instead = null } = {}) {
  const site = {
    folders: { ...mounts, ...Object.fromEntries(FOLDERS.map((path) => [path, folder])), '/': folder },
    headers: { ...(isShared ? SHARED : {}), ...headers },
    isCompressed,
    instead,
  };
  const server = createServer((request, response) => void answer(site, request, response));
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { origin } = await serve({ port: Number(process.argv[2] ?? 0) });
  console.log([`${origin}/`, ...FOLDERS.map((folder) => origin + encodeURI(folder))].join('\n'));
}
