// What is noted in a page that starts; it runs before the page's own scripts and is taken into the page as text, so it names nothing outside.

/** Times of a start in `globalThis.started`, milliseconds since navigation: the first of each kind. */
export function noteStart() {
  const times = {};
  globalThis.started = { times, shifts: [], tasks: [] };
  const note = (kind) => { times[kind] ??= performance.now(); };
  const wrap = (owner, name, asked, done) => {
    const own = owner[name];
    owner[name] = function noted(...given) {
      note(asked);
      const result = own.apply(this, given);
      result.then(() => note(done), () => {});
      return result;
    };
  };
  for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']) wrap(WebAssembly, name, 'compilation asked for', 'module compiled');
  globalThis.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      note('worker made');
      this.addEventListener('message', ({ data }) => note(data?.ready ? 'worker ready' : 'run answered'));
    }
    postMessage(...given) {
      // The first message hands over the module.
      if (!given[0]?.module) note('run posted');
      return super.postMessage(...given);
    }
  };
  const put = CanvasRenderingContext2D.prototype.putImageData;
  CanvasRenderingContext2D.prototype.putImageData = function noted(...given) {
    put.apply(this, given);
    if (this.canvas.matches?.('#map .picture')) note('map drawn by the engine');
  };
  addEventListener('DOMContentLoaded', () => note('DOMContentLoaded'));
  const observe = (type, list, read) => new PerformanceObserver((entries) => entries.getEntries().forEach((entry) => list.push(read(entry)))).observe({ type, buffered: true });
  observe('layout-shift', globalThis.started.shifts, ({ value, startTime, hadRecentInput }) => ({ value: hadRecentInput ? 0 : value, startTime }));
  observe('longtask', globalThis.started.tasks, ({ duration, startTime }) => ({ duration, startTime }));
}

/** Everything of a start, once the page is idle. */
export function readStart() {
  const [navigation] = performance.getEntriesByType('navigation');
  const resources = performance.getEntriesByType('resource').map(({ name, startTime, responseEnd }) => ({ path: new URL(name).pathname, startTime, responseEnd }));
  const marks = Object.fromEntries(performance.getEntriesByType('mark').map(({ name, startTime }) => [name, startTime]));
  const paints = Object.fromEntries(performance.getEntriesByType('paint').map(({ name, startTime }) => [name, startTime]));
  return { ...globalThis.started, origin: performance.timeOrigin, html: navigation.responseEnd, resources, marks, paints, idle: performance.now() };
}
