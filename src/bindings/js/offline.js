// Keeps the page for visits without a network, once the engine's first picture is there, and says when a newer version waits.

import { loadChunksForInput } from './engine.js';

/** The page has been served by this version of the service worker, or by the network. */
const filesOfPage = () => [...document.querySelectorAll('script[src], link[href]')].map((element) => element.src ?? element.href).filter((url) => /^http/.test(url));

/** A line at the foot of the window. It stays away from whoever said "later", until the next visit. */
function offer(registration) {
  const line = document.querySelector('[data-update]');
  if (!line?.hidden || !registration.waiting) return;
  line.hidden = false;
  line.querySelector('[data-update-later]').onclick = () => { line.remove(); };
  line.querySelector('[data-update-now]').onclick = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    // Another page may have asked for it before.
    if (registration.waiting) registration.waiting.postMessage('take over');
    else location.reload();
  };
}

/** Not over plain http, and not in a frame, which would keep something in the name of somebody else's page. A browser may refuse. */
function serviceWorkers() {
  try {
    return window === window.top ? navigator.serviceWorker : undefined;
  } catch {
    return undefined; // The page works as well without.
  }
}

/** Whether a service worker serves this page, which then downloads no part of it. */
export const isKept = () => Boolean(serviceWorkers()?.controller);

/** A controller has them, so nothing is downloaded; browsers do not ask it for what a call waits for. */
const loadKeptChunks = () => { loadChunksForInput().catch(() => {}); };

async function keep(serviceWorker) {
  // At the end of the first visit's installation.
  serviceWorker.addEventListener('controllerchange', loadKeptChunks, { once: true });
  serviceWorker.addEventListener('message', ({ data, ports }) => {
    if (data === 'files?') ports[0].postMessage(filesOfPage());
  });
  serviceWorker.startMessages();
  const registration = await serviceWorker.register('./sw.js', { updateViaCache: 'none' });
  // Without a controller this is the first visit, and nothing is newer than what is shown.
  const heed = (worker) => worker?.addEventListener('statechange', () => {
    if (worker.state === 'installed' && serviceWorker.controller) offer(registration);
  });
  heed(registration.installing);
  registration.addEventListener('updatefound', () => heed(registration.installing));
  if (serviceWorker.controller) {
    offer(registration);
    serviceWorker.controller.postMessage('tidy');
    loadKeptChunks();
  }
}

function begin(list, observer) {
  if (list.getEntriesByName('engine-map').length === 0) return;
  observer.disconnect();
  const serviceWorker = serviceWorkers();
  if (serviceWorker) keep(serviceWorker).catch(() => {});
}

// Where a browser has none, or it was taken away, the page works as well, and is not kept.
if (globalThis.PerformanceObserver) new PerformanceObserver(begin).observe({ type: 'mark', buffered: true });
