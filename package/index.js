// The compute API and the element; nothing is loaded or defined by the import alone.
export { backends, compute, layer, model, open, ready, tasks, version } from './library.js';
export { AttentionPlayground, define } from './element.js';
