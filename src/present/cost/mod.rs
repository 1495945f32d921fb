//! Models of the cost panel: costs, curves over n, and the course of a benchmark.

mod benchmark;
mod curves;
mod growth_chart;
mod layer_catalog;
mod math;
mod sentences;
mod workload;

pub use benchmark::{Benchmark, End, Load, MOST, MOST_BYTES, Point};
pub use curves::{Choice, HIGH, LOW, Line, rate};
pub use growth_chart::{GrowthChart, GrowthSource, reading_after, written};
pub use layer_catalog::{CARDS, Card, HELD, OWN, PROJECTIONS};
pub use math::math;
pub use sentences::{crossing, grew, operation, stands};
pub use workload::{CostSetting, Item, measured};
