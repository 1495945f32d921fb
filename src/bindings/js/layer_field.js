// A field for the layer of one's own numbers, above an element that shows one of several.

const TEXTS = { en: ['Layer', 'of'], zh: ['层', '/'] };
/** How long nothing may have been typed before a layer is chosen. */
const TYPED_MS = 250;

/** Returns `{ label, show }`: the field's label, and a function that displays a layer. `choose` is called with the layer typed, from 1. */
export function layerField(layers, language, choose) {
  const [layer, of] = TEXTS[language?.startsWith('zh') ? 'zh' : 'en'];
  const label = document.createElement('label');
  const field = Object.assign(document.createElement('input'), { type: 'number', min: 1, max: layers, autocomplete: 'off' });
  field.style.cssText = 'inline-size: 4.5em; margin-inline: .4em; font: inherit';
  label.style.cssText = 'display: block; margin-block: .3em; font: 14px system-ui, sans-serif';
  label.append(`${layer} `, field, ` ${of} ${layers}`);
  let shown = 1;
  const show = (layer) => {
    shown = layer;
    field.value = layer;
  };
  let timer = 0;
  // JupyterLab 4.6 lets no `change` come from a field in an output when Enter is pressed.
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const typed = Math.round(Number(field.value));
      if (typed >= 1 && typed <= layers) choose(typed);
    }, TYPED_MS);
  });
  field.addEventListener('blur', () => { field.value = shown; });
  return { label, show };
}
