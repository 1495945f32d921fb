export { AttentionPlayground, define } from './element.js';
