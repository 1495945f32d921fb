// Which adapter the contestants compute on: theirs have to be one, or times compare devices.

/** Notes every adapter that a script of the frame is given. */
export function noteAdapters() {
  globalThis.adapters = [];
  if (!globalThis.GPU) return;
  const { requestAdapter } = GPU.prototype;
  GPU.prototype.requestAdapter = async function note(...options) {
    const adapter = await requestAdapter.apply(this, options);
    globalThis.adapters.push(adapter ? `${adapter.info.vendor} ${adapter.info.architecture}` : 'none');
    return adapter;
  };
}

const noted = async (page) => {
  const all = await Promise.all(page.frames().map((frame) => frame.evaluate(() => globalThis.adapters ?? [])));
  return [...new Set(all.flat())];
};

/** The name of the adapter of all frames. This project asks for its own in a worker, where nobody notes it: alone, it has the page's. */
export async function adapterOf(page) {
  let adapters = await noted(page);
  if (adapters.length === 0) {
    await page.evaluate(async () => void await navigator.gpu?.requestAdapter());
    adapters = await noted(page);
  }
  if (adapters.length !== 1) throw new Error(`not one adapter for all: ${adapters.join(', ') || 'none'}`);
  return adapters[0];
}

/** Throws where the adapter is a program: its figures would be taken for those of a card. */
export function expectCard(adapter) {
  if (/swiftshader|llvmpipe|lavapipe|basic render/i.test(adapter)) throw new Error(`this is no graphics card: ${adapter}`);
}
