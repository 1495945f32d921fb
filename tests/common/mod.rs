//! Shared helpers of the suites: one comparator, seeded numbers, and cases.

#![allow(dead_code, reason = "each suite uses its own part")]

pub(crate) mod cases;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod exact;
pub(crate) mod golden;
pub(crate) mod gpu;
pub(crate) mod masks;
pub(crate) mod place;
