//! The kinds of layers: name, formulas, and row of table 1.

use crate::i18n::Key;
use crate::scene::role::{CurveStyle, Stroke, Tone};
use attention::complexity::{Layer, Measure};

/// A kind of layer as the page shows it; formulas are in the notation of the module `math`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Card {
    /// The layer.
    pub layer: Layer,
    /// The name in classes and attributes.
    pub id: &'static str,
    /// The name that people read.
    pub name: Key,
    /// Style of its curve.
    pub curve: CurveStyle,
    /// FLOPs of the whole layer.
    flops: &'static str,
    /// The leading term.
    leading: &'static str,
    /// Numbers held at once.
    memory: &'static str,
    /// Operations that have to wait for each other.
    pub sequential: &'static str,
    /// Layers between the two positions that are furthest apart; of a convolution, a contiguous one.
    pub path: &'static str,
    /// Source that describes it.
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
    pub fn for_layer(layer: Layer) -> &'static Self {
        let at = CARDS.iter().position(|card| card.layer == layer);
        &CARDS[at.unwrap_or_default()]
    }
}

/// The curve of the setting of the page.
pub const OWN: CurveStyle = CurveStyle {
    class: "curve own",
    stroke: Stroke {
        opacity: 0.45,
        ..Stroke::new(Tone::Ink, 3.0)
    },
};

/// The curves of two parts of it.
pub const PARTS: [CurveStyle; 2] = [
    part("curve projections", &[6.0, 3.0]),
    part("curve attention", &[1.5, 3.0]),
];

const fn part(class: &'static str, dashes: &'static [f64]) -> CurveStyle {
    CurveStyle {
        class,
        stroke: Stroke {
            opacity: 0.6,
            ..Stroke::new(Tone::Ink, 2.0).dashed(dashes)
        },
    }
}

/// Definition of `P(g)`: multiply-adds of the projections with g key/value heads.
pub const PROJECTIONS: &str = "n d (h + 2g) d_k + n h d_k d";
/// Definition of `M(g)`: numbers held besides the scores with g key/value heads.
pub const HELD: &str = "2d (h + g) d_k + n (3d + (3h + 2g) d_k)";

/// All of them, in the order of [`Layer::ALL`]. [`PROJECTIONS`] and [`HELD`] are said below the table.
pub const CARDS: [Card; 9] = [
    Card {
        layer: Layer::Full,
        id: "full",
        name: Key::CostFull,
        curve: CurveStyle::dashed("curve full", &[]),
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
        curve: CurveStyle::dashed("curve causal", &[8.0, 3.0]),
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
        curve: CurveStyle::dashed("curve local", &[2.0, 3.0]),
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
        curve: CurveStyle::dashed("curve strided", &[8.0, 3.0, 2.0, 3.0]),
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
        curve: CurveStyle::dashed("curve linformer", &[12.0, 4.0]),
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
        curve: CurveStyle::dashed("curve multi-query", &[5.0, 5.0]),
        flops: "2P(1) + h n^2 (4d_k + 6)",
        leading: "n^2·h d_k",
        memory: "M(1) + h n^2",
        sequential: "O(1)",
        path: "O(1)",
        source: "Shazeer 2019",
        is_shown: false,
    },
    Card {
        layer: Layer::Linear,
        id: "linear",
        name: Key::CostLinear,
        curve: CurveStyle::dashed("curve linear", &[2.0, 8.0]),
        flops: "2n d^2",
        leading: "n d^2",
        memory: "d^2 + 3n d",
        sequential: "O(1)",
        path: "∞",
        source: "Vaswani et al. 2017",
        is_shown: false,
    },
    Card {
        layer: Layer::Recurrent,
        id: "recurrent",
        name: Key::CostRecurrent,
        curve: CurveStyle {
            class: "curve recurrent",
            stroke: Stroke {
                is_round: true,
                ..Stroke::new(Tone::Soft, 2.0).dashed(&[1.0, 4.0])
            },
        },
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
        curve: CurveStyle::dashed("curve convolutional", &[12.0, 3.0, 2.0, 3.0, 2.0, 3.0]),
        flops: "2κ n d^2",
        leading: "κ n d^2",
        memory: "κ d^2 + 3n d",
        sequential: "O(1)",
        path: "O(n/κ)",
        source: "Vaswani et al. 2017",
        is_shown: true,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use attention::complexity::Dims;

    const DIMS: Dims = Dims {
        d_model: 24.0,
        heads: 6.0,
        d_k: 5.0,
        d_out: 24.0,
        window: 9.0,
        stride: 7.0,
        projected: 3.0,
        kernel: 4.0,
    };

    /// Works out a formula as it is shown, so that what is read is what is drawn.
    struct Sum<'a> {
        rest: &'a str,
        n: f64,
        /// Value of `g`.
        shared: f64,
    }

    fn worked_out(formula: &str, n: f64, shared: f64) -> f64 {
        let mut sum = Sum {
            rest: formula,
            n,
            shared,
        };
        let value = sum.value();
        assert_eq!(sum.rest, "", "the end of {formula}");
        value
    }

    impl Sum<'_> {
        fn takes(&mut self, sign: char) -> bool {
            let after = self.rest.trim_start().strip_prefix(sign);
            self.rest = after.unwrap_or(self.rest);
            after.is_some()
        }

        fn value(&mut self) -> f64 {
            let mut sum = self.product();
            loop {
                if self.takes('+') {
                    sum += self.product();
                } else if self.takes('−') {
                    sum -= self.product();
                } else {
                    return sum;
                }
            }
        }

        fn product(&mut self) -> f64 {
            let mut product = self.power();
            loop {
                let next = self.rest.trim_start().chars().next();
                if self.takes('/') {
                    product /= self.power();
                } else if self.takes('·')
                    || next.is_some_and(|next| next.is_alphanumeric() || next == '(')
                {
                    product *= self.power();
                } else {
                    return product;
                }
            }
        }

        fn power(&mut self) -> f64 {
            let base = self.atom();
            if self.takes('^') {
                base.powf(self.atom())
            } else {
                base
            }
        }

        fn atom(&mut self) -> f64 {
            if self.takes('(') {
                let value = self.value();
                assert!(self.takes(')'));
                return value;
            }
            for (name, value) in [
                ("d_k", DIMS.d_k),
                ("d", DIMS.d_model),
                ("n", self.n),
                ("h", DIMS.heads),
                ("g", self.shared),
                ("w", DIMS.window),
                ("s", DIMS.stride),
                ("k", DIMS.projected),
                ("κ", DIMS.kernel),
            ] {
                if let Some(after) = self.rest.trim_start().strip_prefix(name) {
                    self.rest = after;
                    return value;
                }
            }
            for (name, formula) in [('P', PROJECTIONS), ('M', HELD)] {
                if self.takes(name) {
                    let shared = self.atom();
                    return worked_out(formula, self.n, shared);
                }
            }
            let text = self.rest.trim_start();
            let end = text.find(|c: char| !c.is_ascii_digit());
            let (digits, after) = text.split_at(end.unwrap_or(text.len()));
            self.rest = after;
            digits.parse().expect("a number")
        }
    }

    #[test]
    fn formulas_as_they_are_read_give_the_curves_as_they_are_drawn() {
        // Lengths that the stride divides: n²/s is the number of its cells there.
        for (card, n) in CARDS.iter().flat_map(|card| [70.0, 7e3].map(|n| (card, n))) {
            let read = |measure| worked_out(card.formula(measure), n, f64::NAN);
            for measure in [Measure::Flops, Measure::Leading] {
                let drawn = card.layer.amount(measure, n, &DIMS);
                assert_eq!(read(measure), drawn, "{:?} {measure:?}", card.layer);
            }
            let bytes = card.layer.amount(Measure::Memory, n, &DIMS);
            assert_eq!(4.0 * read(Measure::Memory), bytes, "{:?}", card.layer);
        }
    }

    #[test]
    fn every_layer_has_its_card() {
        for (layer, card) in Layer::ALL.into_iter().zip(&CARDS) {
            assert_eq!(card.layer, layer);
            assert_eq!(Card::for_layer(layer), card);
        }
    }
}
