// What tests wait for, whichever browser they drive: `data-idle` on a mount root is there while nothing is under way that will change
// the page or its address. It is empty where the picture is that of the state, and `outdated` where that could not be computed.

/** How long a busy machine may take for what is done in a second. */
export const PATIENCE_MS = 90_000;

/**
 * In the page: resolves to the attribute's value as soon as it is there, or to null when it does not come. A browser tells of new
 * sizes and places in its next frame, and of colours, which it notices there, in the one after: both come first. A frame that is out of
 * sight may have to wait long for them. What is given is the mount root and the patience in milliseconds, or the patience alone for
 * the whole document.
 */
export const atRest = (...given) => new Promise((resolve) => {
  const [root, patience] = given.length > 1 ? given : [document.documentElement, ...given];
  const value = () => root.getAttribute('data-idle');
  const observer = new MutationObserver(() => end(value()));
  const end = (found, isLast) => {
    if (found === null && !isLast) return;
    observer.disconnect();
    resolve(found);
  };
  const begin = () => {
    observer.observe(root, { attributes: true, attributeFilter: ['data-idle'] });
    end(value());
  };
  const frames = new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 500); });
  // In a task of its own, after what the frames have brought about.
  frames.then(() => setTimeout(begin));
  setTimeout(() => end(value(), true), patience);
});

/** What evaluates in the document of a page, of a frame, or of what finds a frame: fewer messages than to find an element there first. */
export const inside = (where) => ('evaluate' in where ? where : where.locator(':root'));

const isLeft = (error) => /Execution context was destroyed|frame was detached|Cannot find context/i.test(error.message);

/**
 * Waits until a page is idle: `where` is a page, a frame or what finds one, or the locator of a mount root elsewhere. The picture must be that of the
 * state unless `isOutdated` expects that it is not.
 */
export async function idle(where, { isOutdated = false } = {}) {
  let found;
  for (const end = Date.now() + PATIENCE_MS; ;) {
    try {
      found = await inside(where).evaluate(atRest, Math.max(0, end - Date.now()));
      break;
    } catch (error) {
      // Another document has taken the place of the one that was waited for.
      if (!isLeft(error) || Date.now() > end) throw error;
    }
  }
  if (found === null) throw new Error('the page does not come to rest: data-idle is missing');
  if ((found === 'outdated') !== isOutdated) throw new Error(`the picture ${isOutdated ? 'is' : 'is not'} that of the state: data-idle="${found}"`);
}
