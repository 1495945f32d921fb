// Runs before the first paint and without WebAssembly: puts the public API in its place, lets its calls wait for the
// engine, and says in plain words when the engine cannot start or has stopped.

(() => {
  'use strict';

  // A module with one SIMD instruction; a browser that cannot read it cannot read ours.
  const SIMD = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ]);
  const NO_WASM = 'This browser cannot run WebAssembly with SIMD.';

  let engine = null;
  let loadChunks;
  let arrive;
  let refuse;
  const arrival = new Promise((resolve, reject) => {
    arrive = resolve;
    refuse = reject;
  });
  const ready = arrival.then((arrived) => arrived.ready());
  // Whoever awaits `ready` learns why it failed; whoever does not must not be told in the console.
  ready.catch(() => {});

  const unavailable = (message) =>
    Object.assign(new Error(message), { name: 'AttentionError', code: 'backend_unavailable', field: 'backend', value: 'wasm' });

  // The build puts the function here, which other people's pages have as well.
  /* calls.js */
  const { compute, backends, layer, model, open, tasks } = calls({ engine: () => engine, arrival: () => arrival, loadChunks: () => loadChunks(), unavailable });

  // A theme that was chosen by hand is there at the first paint, and so is the layout; from then on the page keeps them.
  // Storage may be refused, and in a frame of somebody else's page nothing is remembered.
  const remembered = (name) => {
    if (window.parent !== window) return null;
    try {
      return localStorage.getItem(`attention-playground-${name}`);
    } catch {
      return null;
    }
  };
  const said = new URLSearchParams(location.hash.slice(1));
  const theme = said.get('theme') ?? remembered('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  // Without this mark, and without the style sheet, the page says that its files have not come.
  document.documentElement.dataset.awake = '';
  const reveal = () => {
    document.querySelector('.stranded')?.remove();
    document.getElementById('playground').hidden = false;
  };
  addEventListener('DOMContentLoaded', reveal, { once: true });
  if (said.get('embed') === '' || said.get('embed') === '1') document.documentElement.dataset.layout = 'embed';

  // Without a link the page opens with a picture that the build has drawn, in a script for each language, and with a layer that a model has
  // learned while it was built. The link that the page itself writes of that opening has both, and every link to that layer has its numbers.
  const OPENINGS = {/* the build */};
  const OF_LAYER = ['text', 'weights', 'seed', 'layers', 'layer', 'trained', 'd_model', 'd_k', 'heads', 'kv_heads'];
  const opened = (isSame) => {
    const link = new URLSearchParams(location.hash.slice(1));
    return Object.keys(OPENINGS).find((code) => isSame(link, new URLSearchParams(OPENINGS[code][2])));
  };
  const isFramed = window.parent !== window;
  const isWithoutLink = () => location.hash.length < 2;
  const isDrawn = () => !isFramed && (isWithoutLink() || opened((link, own) => `${link}` === `${own}`) === language());
  const learnedIn = () => (isWithoutLink() ? !isFramed && language() : opened((link, own) => OF_LAYER.every((key) => link.get(key) === own.get(key))));
  const language = () => {
    const tags = [said.get('lang') ?? [], remembered('language') ?? [], navigator.languages].flat();
    return tags.map((tag) => tag.toLowerCase().split(/[-_]/)[0]).find((code) => Object.hasOwn(OPENINGS, code)) ?? 'en';
  };
  let drawOpening;
  const loadOpening = (opening) => new Promise((resolve) => {
    if (!opening) return resolve(null);
    drawOpening = resolve;
    const script = document.createElement('script');
    const [src, integrity] = opening;
    Object.assign(script, { src, integrity, crossOrigin: 'anonymous', onerror: () => resolve(null) });
    document.head.append(script);
  });

  // Where it does not come, the engine trains the model itself.
  const loadLayer = async ([src, integrity]) => {
    const response = await fetch(src, { integrity });
    return new Float32Array(await response.arrayBuffer());
  };

  // The overlay stands in index.html, in every language, hidden.
  const overlay = (show) => {
    const element = document.querySelector('[data-failure]');
    if (!element) return false;
    element.hidden = !show;
    return true;
  };

  // What is told first is the cause; what follows from it says less.
  let hasFailed = false;
  const fail = (message) => {
    if (hasFailed) return;
    hasFailed = true;
    refuse(unavailable(message));
    const show = () => {
      if (!overlay(true)) return;
      document.querySelector('[data-failure-cause]').textContent = message;
      for (const part of document.querySelectorAll('[data-failure-when]')) part.hidden = !RegExp(part.dataset.failureWhen, 'i').test(message);
      for (const button of document.querySelectorAll('[data-failure-reset]')) button.onclick = reset;
      for (const button of document.querySelectorAll('[data-failure-again]')) button.onclick = again;
    };
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', show, { once: true });
    else show();
  };

  // Everything but the texts goes. What stands in the fields is newer than the address, once the page has come alive.
  const reset = async () => {
    const parts = location.hash.slice(1).split('&').filter((part) => /^(v|text|source)=/.test(part));
    const kept = new URLSearchParams(parts.join('&'));
    for (const [key, id] of [['text', 'text'], ['source', 'second']]) {
      const field = document.getElementById(id);
      if (engine && field && (key === 'text' || kept.has(key))) kept.set(key, field.value);
    }
    if (!kept.has('v')) kept.set('v', '1');
    history.replaceState(null, '', `#${kept}`);
    await again();
  };

  const again = async () => {
    await forget().catch(() => {});
    location.reload();
  };

  // What the service worker has kept may be what is broken: then the page comes from the server, where there is one.
  const forget = async () => {
    const registration = navigator.onLine && await navigator.serviceWorker.getRegistration();
    if (!registration) return;
    const own = (await caches.keys()).filter((name) => name.startsWith(`attention-playground ${registration.scope} `));
    await Promise.all([registration.unregister(), ...own.map((name) => caches.delete(name))]);
  };

  // A script that the browser has kept may be broken while the server is right. Everything is asked for anew, and if it comes the page
  // is loaded again, once.
  const RENEWED = 'attention-playground-renewed';
  const renew = async (script) => {
    if (!script.integrity || sessionStorage.getItem(RENEWED)) throw new Error('nothing is gained by another try');
    const parts = [...document.querySelectorAll('[integrity]')].filter((part) => !part.onerror);
    await Promise.all(parts.map((part) => fetch(part.src ?? part.href, { cache: 'reload', integrity: part.integrity })));
    sessionStorage.setItem(RENEWED, '1');
    location.reload();
  };

  // Until the engine is there, whatever goes wrong keeps it from coming; afterwards only a trap of the module is ours.
  const ours = (error) => !engine || error instanceof WebAssembly.RuntimeError;
  addEventListener('error', (event) => {
    // The opening's script, which has a handler of its own, is not missed.
    if (event.target instanceof HTMLScriptElement && !event.target.onerror) renew(event.target).catch(() => fail('A part of the page could not be loaded.'));
    else if (event.target === window && ours(event.error)) fail(String(event.error ?? event.message));
  }, true);
  addEventListener('unhandledrejection', (event) => {
    if (ours(event.reason)) fail(String(event.reason));
  });

  // Input to controls is recorded until the engine has started, and then replayed.
  const RECORDED_EVENTS = ['input', 'change', 'click'];
  let recorded = [];
  const recordInput = ({ type, target, isTrusted }) => {
    const button = type === 'click' && target.closest?.('button:not([popovertarget])');
    if (!isTrusted || (type === 'click' && !button)) return;
    const { value, checked, selectionStart, selectionEnd } = target;
    const last = recorded.at(-1);
    // Of a slider that is dragged the last place is enough.
    if (last?.target === target && last.type === type && type === 'input') recorded.pop();
    recorded.push({ type, target: button || target, value, checked, selection: [selectionStart, selectionEnd] });
  };
  for (const type of RECORDED_EVENTS) addEventListener(type, recordInput, true);
  const hasInput = () => recorded.length > 0;
  const replayInput = () => {
    for (const type of RECORDED_EVENTS) removeEventListener(type, recordInput, true);
    for (const { type, target, value, checked, selection } of recorded) {
      if (type === 'click') {
        target.click();
        continue;
      }
      // What a file field holds is only for browsers to change.
      if (target.type !== 'file') Object.assign(target, checked === undefined ? { value } : { value, checked });
      if (typeof selection[0] === 'number') target.setSelectionRange(...selection);
      target.dispatchEvent(new Event(type, { bubbles: true }));
    }
    recorded = [];
  };

  const api = {
    version: document.currentScript.dataset.version,
    ready,
    compute,
    backends,
    layer,
    model,
    open,
    get tasks() {
      return tasks();
    },
  };
  const picture = isDrawn() && OPENINGS[language()]?.[0];
  const learner = learnedIn();
  let opening;
  const layerCame = OPENINGS[learner] ? loadLayer(OPENINGS[learner][1]).then((learned) => { opening = { language: learner, learned }; }, () => {}) : Promise.resolve();
  // The picture shows more controls than the markup, which would move under the reader: until it is drawn, the style sheet hides the page. While it
  // is drawn and painted the value is 'map', which hides only what stands below the map. Where the picture is late, the engine shows the page.
  if (picture) document.documentElement.dataset.opening = '';
  const endOpening = () => { delete document.documentElement.dataset.opening; };
  // For our own scripts alone. The engine reports that it has started or stopped, and registers how chunks are loaded; the opening's script
  // registers the function that draws the first map before that. `language` is the one that the page opens in; `opening` is what the model of
  // a page without a link has learned in one, once `layerCame` has ended, and nothing where a link names another layer. `painted()` is a
  // promise that resolves once the picture has been painted, and undefined before drawing begins.
  const host = {
    connect: (arrived) => {
      engine = arrived;
      arrive(arrived);
      try {
        sessionStorage.removeItem(RENEWED);
      } catch {
        // Nothing was kept where nothing may be.
      }
    },
    fail,
    setChunkLoader: (given) => {
      loadChunks = given;
    },
    language,
    layerCame,
    opening: () => opening,
    hasInput,
    replayInput,
    endOpening,
    painted: () => painted,
    open: (draw) => drawOpening(draw),
  };
  globalThis.attentionPlayground = Object.freeze(Object.defineProperty(api, 'host', { value: Object.freeze(host) }));

  let painted;
  const parsed = new Promise((resolve) => document.addEventListener('readystatechange', resolve, { once: true }));
  Promise.all([loadOpening(picture), parsed]).then(async ([draw]) => {
    reveal();
    if (!draw || engine || !isDrawn()) return;
    // After a reload browsers restore the scroll position, for which the page needs its whole height at once.
    if (performance.getEntriesByType('navigation')[0]?.type !== 'navigate') endOpening();
    else document.documentElement.dataset.opening = 'map';
    painted = draw();
    await painted;
  }).catch(() => {}).finally(endOpening); // Otherwise the engine draws the same later.

  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(SIMD)) fail(NO_WASM);
})();
