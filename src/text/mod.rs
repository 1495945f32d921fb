//! From a sentence to tokens, embeddings and weights.
