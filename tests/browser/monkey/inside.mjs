// Runs in the page: finds what a hand could reach. Nothing is listed by name, so a control that is new is pressed as well.

/** Puts `monkey` on the page's global object. */
export function inside() {
  const REACHABLE = 'button, select, summary, textarea, input, [tabindex="0"], [role="option"], [role="tab"]';
  // A file dialogue belongs to the system, and the reset of a page that has stopped to a page that has stopped.
  const LEFT_OUT = 'input[type="file"], input[type="hidden"], [data-failure-reset]';

  const roots = () => [document, ...[...document.querySelectorAll('attention-playground')].map(({ shadowRoot }) => shadowRoot).filter(Boolean)];
  const all = (selector) => roots().flatMap((root) => [...root.querySelectorAll(selector)]);

  /** What is drawn for an input that is only there for its label. */
  const drawn = (part) => (part.matches('input[type="radio"], input[type="checkbox"]') && part.closest('label')) || part;
  const isOpen = (part) => {
    const dialogs = all('dialog:modal');
    return !dialogs.length || dialogs.at(-1).contains(part);
  };
  const isThere = (part) => !part.disabled && part.getAttribute('aria-disabled') !== 'true' && drawn(part).checkVisibility({ visibilityProperty: true })
    && !part.matches(LEFT_OUT) && isOpen(part);

  const within = (part, x, y) => {
    const hit = part.getRootNode().elementFromPoint(x, y);
    return hit !== null && (part.contains(hit) || hit.contains(part) || drawn(part).contains(hit));
  };
  const kind = (part) => {
    if (part.matches('select')) return 'select';
    if (part.matches('input[type="range"]')) return 'range';
    if (part.matches('textarea, input:not([type]), input[type="text"], input[type="number"], input[type="search"], input[type="url"]')) return 'field';
    return 'press';
  };
  const named = (part) => `${part.localName}${part.id ? `#${part.id}` : ''}${part.name ? `[${part.name}=${part.value}]` : ''} "${(part.getAttribute('aria-label') ?? part.textContent).trim().slice(0, 24)}"`;

  /** As a browser tells it: only the first of both leaves a shadow root. */
  const tell = (part) => {
    part.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    part.dispatchEvent(new Event('change', { bubbles: true }));
  };

  globalThis.monkey = {
    /** One of everything that matches and can be reached, brought into view: what it is, and where; `null` where there is nothing. */
    reach(share, selector = REACHABLE) {
      const parts = all(selector).filter(isThere);
      const part = parts[Math.floor(share * parts.length)];
      if (!part) return null;
      const shown = drawn(part);
      shown.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      const { left, top, width, height } = shown.getBoundingClientRect();
      if (!within(part, left + width / 2, top + height / 2)) {
        shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      }
      const box = shown.getBoundingClientRect();
      if (!within(part, box.left + box.width / 2, box.top + box.height / 2)) return null;
      globalThis.monkey.held = part;
      const share_ = part.matches('input[type="range"]') ? (part.value - part.min) / Math.max(part.max - part.min, 1) : 0;
      return { kind: kind(part), name: named(part), left: box.left, top: box.top, width: box.width, height: box.height, share: share_ };
    },
    /** Chooses one of the options of the menu that was reached. */
    choose(share) {
      const menu = globalThis.monkey.held;
      const options = [...menu.options].filter((option) => !option.disabled);
      const option = options[Math.floor(share * options.length)];
      if (!option) return null;
      menu.value = option.value;
      tell(menu);
      return option.value;
    },
    /** Gives files to the page as a hand would: dropped onto it, chosen in a dialogue, or pasted. `files` are `[name, base64]`. */
    bring(way, files, text) {
      const bytes = (written) => Uint8Array.from(atob(written), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      for (const [name, written] of files) data.items.add(new File([bytes(written)], name));
      const input = all('input[type="file"]').find((part) => part.checkVisibility() || drawn(part).checkVisibility());
      if (way === 'choose' && input) {
        input.files = data.files;
        tell(input);
        return 'chosen';
      }
      if (way === 'paste') {
        const paste = new DataTransfer();
        paste.setData('text/plain', text);
        const field = all('textarea').filter(isThere).at(-1) ?? document.body;
        field.focus?.();
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: paste, bubbles: true, composed: true, cancelable: true }));
        return 'pasted';
      }
      const onto = all('main').at(-1) ?? document.body;
      for (const type of ['dragenter', 'dragover', 'drop']) onto.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, composed: true, cancelable: true }));
      return 'dropped';
    },
  };
}
