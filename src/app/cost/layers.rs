//! What is said of each kind of layer: its name, its formulas, its row of table 1.

use crate::complexity::{Layer, Measure};
use crate::words::Key;

/// A kind of layer as the page shows it; formulas are in the notation of the module `math`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    /// The layer.
    pub layer: Layer,
    /// The name in classes and attributes.
    pub id: &'static str,
    /// The name that people read.
    pub name: Key,
    /// FLOPs of the whole layer.
    flops: &'static str,
    /// The leading term.
    leading: &'static str,
    /// Numbers held at once.
    memory: &'static str,
    /// Operations that have to wait for each other.
    pub sequential: &'static str,
    /// Steps between the two positions that are furthest apart.
    pub path: &'static str,
    /// Who described it.
    pub source: &'static str,
    /// Whether its curve is shown at first.
    pub is_shown: bool,
}

impl Card {
    /// The formula of what is counted.
    pub const fn formula(&self, measure: Measure) -> &'static str {
        match measure {
            Measure::Flops => self.flops,
            Measure::Leading => self.leading,
            Measure::Memory => self.memory,
        }
    }

    /// The card of a layer.
    pub fn of(layer: Layer) -> &'static Self {
        let at = CARDS.iter().position(|card| card.layer == layer);
        &CARDS[at.unwrap_or_default()]
    }
}

/// All of them, in the order of [`Layer::ALL`]. `P(g)` and `M(g)` are said below the table: projections, and what is
/// held beside the scores, with g heads of keys and values.
pub const CARDS: [Card; 8] = [
    Card {
        layer: Layer::Full,
        id: "full",
        name: Key::CostFull,
        flops: "2P(h) + h n^2 (4d_k + 6)",
        leading: "n^2·h d_k",
        memory: "M(h) + h n^2",
        sequential: "O(1)",
        path: "O(1)",
        source: "Vaswani et al. 2017",
        is_shown: true,
    },
    Card {
        layer: Layer::Causal,
        id: "causal",
        name: Key::CostCausal,
        flops: "2P(h) + h·n(n + 1)/2·(4d_k + 6)",
        leading: "n^2·h d_k",
        memory: "M(h) + h·n(n + 1)/2",
        sequential: "O(1)",
        path: "O(1)",
        source: "Vaswani et al. 2017",
        is_shown: false,
    },
    Card {
        layer: Layer::Local,
        id: "local",
        name: Key::CostLocal,
        flops: "2P(h) + h (n(2w + 1) − w(w + 1)) (4d_k + 6)",
        leading: "n(2w + 1)·h d_k",
        memory: "M(h) + h (n(2w + 1) − w(w + 1))",
        sequential: "O(1)",
        path: "O(n/w)",
        source: "Vaswani et al. 2017; Beltagy et al. 2020",
        is_shown: true,
    },
    Card {
        layer: Layer::Strided,
        id: "strided",
        name: Key::CostStrided,
        flops: "2P(h) + h·n^2/s·(4d_k + 6)",
        leading: "n^2/s·h d_k",
        memory: "M(h) + h·n^2/s",
        sequential: "O(1)",
        path: "∞",
        source: "Child et al. 2019",
        is_shown: false,
    },
    Card {
        layer: Layer::Linformer,
        id: "linformer",
        name: Key::CostLinformer,
        flops: "2P(h) + 4k n·h d_k + h k n (4d_k + 6)",
        leading: "n k·h d_k",
        memory: "M(h) + 2k(n + h d_k) + h k n",
        sequential: "O(1)",
        path: "O(1)",
        source: "Wang et al. 2020",
        is_shown: true,
    },
    Card {
        layer: Layer::MultiQuery,
        id: "multi-query",
        name: Key::CostMultiQuery,
        flops: "2P(1) + h n^2 (4d_k + 6)",
        leading: "n^2·h d_k",
        memory: "M(1) + h n^2",
        sequential: "O(1)",
        path: "O(1)",
        source: "Shazeer 2019",
        is_shown: false,
    },
    Card {
        layer: Layer::Recurrent,
        id: "recurrent",
        name: Key::CostRecurrent,
        flops: "4n d^2 + n d",
        leading: "n d^2",
        memory: "2d^2 + 3n d",
        sequential: "O(n)",
        path: "O(n)",
        source: "Vaswani et al. 2017; Elman 1990",
        is_shown: true,
    },
    Card {
        layer: Layer::Convolutional,
        id: "convolutional",
        name: Key::CostConvolutional,
        flops: "2κ n d^2",
        leading: "κ n d^2",
        memory: "κ d^2 + 3n d",
        sequential: "O(1)",
        path: "O(log_κ n)",
        source: "Vaswani et al. 2017",
        is_shown: true,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_its_card() {
        for (layer, card) in Layer::ALL.into_iter().zip(&CARDS) {
            assert_eq!(card.layer, layer);
            assert_eq!(Card::of(layer), card);
        }
    }
}
