//! The definitions of attention.
