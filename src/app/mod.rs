//! The page's state and everything that changes it.
