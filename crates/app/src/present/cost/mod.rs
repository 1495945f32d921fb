//! Models of the cost panel: costs, curves over n, and the course of a benchmark.

wasm_chunks::chunk!("more");

mod benchmark;
mod curves;
mod growth_chart;
mod layer_catalog;
pub mod panel;
mod sentences;
mod step_table;
mod timings;
mod workload;

pub use benchmark::{Benchmark, End, Load, MOST, MOST_BYTES, Point};
pub use curves::{Choice, HIGH, LOW, Line, rate, written};
pub use growth_chart::{GrowthChart, GrowthSource, GrowthTable, reading_after};
pub use layer_catalog::{CARDS, Card, HELD, OWN, PARTS, PROJECTIONS};
pub use sentences::{crossing, grew, operation, stands};
pub use step_table::{Amount, StepTable};
pub use timings::Timings;
pub use workload::{CostPart, CostSetting, Item, measured};
