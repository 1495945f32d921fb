//! The cost panel: costs of each step, kinds of layers, and measured times.

mod growth;
mod layers;
mod steps;

pub use growth::{crossings, growth_table};
pub use layers::{PARTS_ID, layers};
pub use steps::{all, steps, totals};

use super::{Markup, html};

/// Sentences, one below the other.
pub fn sentences(sentences: &[String]) -> Markup {
    html! { @for sentence in sentences { li { (sentence) } } }
}

/// The time of each length on both backends.
pub fn times(times: &[(usize, [String; 2])]) -> Markup {
    html! {
        @for (n, times) in times {
            tr { th scope="row" { (n) } @for time in times { td { (time) } } }
        }
    }
}
