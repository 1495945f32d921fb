//! What people read, in every language, from `content/`.
