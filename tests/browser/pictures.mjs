// Hearing of each picture of the map, for what has to happen or to be timed at that very moment.

/** In the page: adds `onPicture(act, isEach)`, which calls `act` after the next drawing of the map's cells, or after each. */
export const addOnPicture = () => {
  if (globalThis.onPicture) return;
  const put = CanvasRenderingContext2D.prototype.putImageData;
  const listeners = new Set();
  CanvasRenderingContext2D.prototype.putImageData = function putImageData(...given) {
    put.apply(this, given);
    if (!this.canvas.matches('#map .picture')) return;
    for (const listener of listeners) {
      if (!listener.isEach) listeners.delete(listener);
      // Once the page is done with the task in which it draws.
      queueMicrotask(listener.act);
    }
  };
  globalThis.onPicture = (act, isEach = false) => listeners.add({ act, isEach });
};

/** Waits for the picture that `act` brings about, on a page that is not idle for another reason. */
export async function withPicture(page, act) {
  await page.evaluate(addOnPicture);
  await page.evaluate(() => { globalThis.pictured = new Promise((done) => onPicture(done)); });
  await act();
  await page.evaluate(() => globalThis.pictured);
}
