//! Measures of attention weights.
//!
//! Every measure is defined on one head's weights `A`, `[n, keys]`, with queries as rows. A [`Collector`] takes rows as they
//! are finished, so that no `n × m` matrix is needed; [`Rows`] holds all weights of a head, for the measures of what is shown.

mod collector;
pub mod difference;
mod head;
mod head_patterns;
mod mean;
mod rows;
mod share;
mod similarity;

pub use collector::{Collector, MeasuredRow, RowSums};
pub use head::{BINS, HeadStats, bin_of, entropy};
pub use head_patterns::{
    AGAIN, CLEAR, EACH, EVEN, FEW, HALF, NEAR, Pattern, PatternMatch, REST, SINK, Sinks, Words,
    heaviest_key, read,
};
pub use mean::Mean;
pub use rows::{Places, Rows, Visible};
pub use share::{entropy_limit, entropy_share, mean_distance, shifted_share};
pub use similarity::Similarity;
