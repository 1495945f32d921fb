// What is done on an element and not to the page around: keys that something in it has taken, and drags of a finger that move something in it.
// Slides would turn by both.

/** By these presenters turn slides, wherever the focus is. */
const PRESENTERS = ['PageUp', 'PageDown'];
const FIELDS = 'input, textarea, select';
const PRESSED = 'button, summary, a[href]';
/** The side along which a key scrolls. */
const SCROLLED = { ArrowLeft: 'Width', ArrowRight: 'Width', ArrowUp: 'Height', ArrowDown: 'Height' };

const isLonger = (part, side) => part[`scroll${side}`] > part[`client${side}`];

/** Whether a key does something where it was pressed. */
function isTaken(root, part, { key, ctrlKey, metaKey, defaultPrevented }) {
  const isField = part.matches(FIELDS);
  if (PRESENTERS.includes(key) && !isField) return false;
  if (defaultPrevented) return true;
  if (ctrlKey || metaKey) return false;
  if (isField) return true;
  if (key === 'Enter' || key === ' ') return part.matches(PRESSED);
  if (key === 'Escape') return root.querySelector(':popover-open, dialog[open]') !== null;
  return key in SCROLLED && part.tabIndex >= 0 && isLonger(part, SCROLLED[key]);
}

/** Whether a finger moves a part: by its `touch-action` not every direction is the browser's, or it scrolls sideways. */
function isDragged(part) {
  const { touchAction, overflowX } = getComputedStyle(part);
  return !['auto', 'manipulation'].includes(touchAction) || (/auto|scroll/.test(overflowX) && isLonger(part, 'Width'));
}

/** Keeps all of these events from whatever is around a shadow root. */
export function keepOwnEvents(root) {
  const keep = (types, isOwn) => {
    for (const type of types) {
      root.addEventListener(type, (event) => {
        const [part] = event.composedPath();
        // What stands between the element's tags is the page's around.
        if (part.getRootNode() === root && isOwn(part, event)) event.stopPropagation();
      });
    }
  };
  const held = new Set();
  keep(['keydown'], (part, event) => {
    const isOwn = isTaken(root, part, event);
    held[isOwn ? 'add' : 'delete'](event.code);
    return isOwn;
  });
  // Who has not heard of a key that goes down hears nothing more of it.
  keep(['keypress'], (part, { code }) => held.has(code));
  keep(['keyup'], (part, { code }) => held.delete(code));
  keep(['input', 'beforeinput'], (part) => part.matches(FIELDS));
  // A pointer that moves as well: reveal.js counts from wherever a finger came down last, heard or not.
  keep(['pointerdown', 'pointermove', 'touchstart', 'touchmove'], (part, event) => {
    if (event.type === 'pointermove' && event.pointerType === 'mouse') return false;
    const path = event.composedPath();
    return path.slice(0, path.indexOf(root)).some(isDragged);
  });
}
