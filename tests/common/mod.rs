//! What the suites share: one comparator, seeded numbers, and cases.

#![allow(dead_code, reason = "each suite uses its own part")]

pub mod cases;
pub mod check;
pub mod compare;
#[cfg(not(target_arch = "wasm32"))]
pub mod golden;
#[cfg(not(target_arch = "wasm32"))]
pub mod gpu;
pub mod place;
