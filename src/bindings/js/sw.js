// The service worker: keeps one whole build, so that the page opens without a network and never from the files of two builds.
//
// The page itself comes from what is kept, too: it opens at once, and a network that hangs is no worse than none. What is newer is
// fetched in the background and waits until somebody asks for it, or until no page is open.

const BUILD = { /* the build */ };

// Beside this folder's there may be the caches of another copy of the page, in a folder above or below.
const PREFIX = `attention-playground ${registration.scope} `;
const OWN = PREFIX + BUILD.version;
const PAGE = registration.scope;

const absolute = (name) => new URL(name, PAGE).href;
const FILES = new Set(Object.keys(BUILD.files).map(absolute));
/** The page, and every file that it leads to. */
const NAMES = ['', ...Object.keys(BUILD.files)];

/** The address under which `url` is kept, or null where it is none of ours. Files of older builds have a hash in their name as well. */
function keptAs(url) {
  const address = url.origin + url.pathname;
  if (address === PAGE || address === `${PAGE}index.html`) return PAGE;
  const isFile = FILES.has(address) || (address.startsWith(PAGE) && /-[0-9a-f]{16}\.\w+$/.test(address));
  return isFile ? address : null;
}

/** A file whose bytes are known, from wherever; anew where what the browser has kept of it is broken. */
const checked = (url, integrity) => fetch(url, { integrity }).catch(() => fetch(url, { integrity, cache: 'reload' }));

/** The page says which build it is of. One that is under way to its next build may come from the last: then there is nothing to keep. */
async function fetched(name, integrity) {
  const url = absolute(name);
  const response = await (integrity ? checked(url, integrity) : fetch(url, { cache: 'no-cache' }));
  const isOurs = response.ok && !response.redirected && (integrity || (await response.clone().text()).includes(BUILD.version));
  if (!isOurs) throw new Error(`${name} is not the file that this version was built with`);
  return response;
}

/** Keeps these files, all or none. */
async function keep(names) {
  const fresh = await Promise.all(names.map((name) => fetched(name, BUILD.files[name])));
  const cache = await caches.open(OWN);
  await Promise.all(names.map((name, at) => cache.put(absolute(name), fresh[at])));
}

async function install() {
  try {
    await keep(NAMES);
  } catch (error) {
    await caches.delete(OWN);
    throw error;
  }
}

/** A browser may take away what was kept, and leave this. */
async function refill() {
  const kept = new Set((await (await caches.open(OWN)).keys()).map(({ url }) => url));
  const missing = NAMES.filter((name) => !kept.has(absolute(name)));
  if (missing.length) await keep(missing);
}

async function older() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== OWN);
}

async function kept(address) {
  for (const name of [OWN, ...(address === PAGE ? [] : await older())]) {
    const found = await caches.match(address, { cacheName: name, ignoreVary: true });
    if (found) return found;
  }
  return undefined;
}

// A browser may take storage away at any time; the network is left then.
const answer = async (request, address) => (await kept(address).catch(() => undefined)) ?? fetch(request);

/** What `client` was loaded from, or null where it does not say so in time. */
function filesOf(client) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, 2000, null);
    client.postMessage('files?', [port2]);
  });
}

/** Sees to it that this build is whole, and forgets older ones, unless a page may still need a file that only they have. Nothing is
 * done while a newer build is on its way. */
async function tidy() {
  if (registration.installing || registration.waiting) return;
  await refill().catch(() => {});
  const names = await older();
  if (names.length === 0) return;
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const pages = windows.filter(({ url }) => keptAs(new URL(url)) === PAGE);
  const used = await Promise.all(pages.map(filesOf));
  const isCurrent = (files) => files?.every((file) => FILES.has(file) || !file.startsWith(PAGE));
  if (used.every(isCurrent)) await Promise.all(names.map((name) => caches.delete(name)));
}

addEventListener('install', (event) => event.waitUntil(install()));

addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  const address = event.request.method === 'GET' ? keptAs(new URL(event.request.url)) : null;
  if (address) event.respondWith(answer(event.request, address));
});

addEventListener('message', (event) => {
  if (event.data === 'take over') skipWaiting();
  if (event.data === 'tidy') event.waitUntil(tidy());
});
