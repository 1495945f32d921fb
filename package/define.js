// Importing this makes <attention-playground> known.
import { AttentionPlayground, define } from './element.js';

define();

export { AttentionPlayground, define };
