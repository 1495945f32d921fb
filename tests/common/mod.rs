//! What the suites share: one comparator, seeded numbers, and cases.

#![allow(dead_code, reason = "each suite uses its own part")]

pub mod cases;
pub mod compare;
pub mod golden;
