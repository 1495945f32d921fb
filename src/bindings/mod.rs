//! The public JavaScript interface.
