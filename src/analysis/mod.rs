//! Measures of attention weights.
//!
//! Every measure is defined on one head's weights `A`, `[n, keys]`, rows being queries. A [`Collector`] takes rows as
//! they are finished, so that no `n × m` matrix is needed.

mod collector;
pub mod difference;
mod head;

pub use collector::Collector;
pub use head::{BINS, HeadStats, entropy};
