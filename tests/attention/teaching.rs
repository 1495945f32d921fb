//! The story that the teaching heads tell, through the 64-bit reference.

use std::sync::Arc;

use attention::text::{Sizes, teaching, tokenize};
use attention::{CallOptions, Layer, LayerOptions, Position, Request, reference};
use ndarray::{Array2, Array4, Axis, s};

const ANIMAL: &str = "The animal didn't cross the street because it was too tired";

fn words(text: &str) -> Vec<String> {
    tokenize(text).words
}

/// One run of the teaching heads.
struct Run<'a> {
    text: &'a str,
    source: Option<&'a str>,
    sizes: Sizes,
    positions: bool,
    scaled: bool,
    seed: u32,
}

const OPENING: Sizes = Sizes {
    d_model: 64,
    d_k: 16,
    heads: 8,
    kv_heads: 8,
};

impl<'a> Run<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            text,
            source: None,
            sizes: OPENING,
            positions: true,
            scaled: true,
            seed: 42,
        }
    }

    /// `[1, heads, n, m]`.
    fn weights(&self) -> Array4<f64> {
        let Sizes {
            d_model,
            heads,
            kv_heads,
            ..
        } = self.sizes;
        let options = LayerOptions {
            heads,
            kv_heads: Some(kv_heads),
            scale: (!self.scaled).then_some(1.0),
            position: if self.positions {
                Position::Sinusoidal
            } else {
                Position::None
            },
            ..LayerOptions::default()
        };
        let layer = Layer::new(teaching::weights(self.sizes, self.positions), options)
            .expect("a good layer");
        let rows =
            |text| teaching::embeddings(&words(text), d_model, self.seed).insert_axis(Axis(0));
        let request = Request::new(
            Arc::new(layer),
            rows(self.text),
            self.source.map(rows),
            CallOptions::default(),
        );
        reference::compute(&request.expect("a good request"))
            .weights
            .expect("weights")
    }

    fn head(&self, head: usize) -> Array2<f64> {
        self.weights().slice(s![0, head, .., ..]).to_owned()
    }
}

#[test]
fn it_means_the_animal() {
    for seed in [42, 1, 7, 4_000_000_000] {
        let row = Run {
            seed,
            ..Run::of(ANIMAL)
        }
        .head(0)
        .row(7)
        .to_owned();
        assert!((0.5..0.7).contains(&row[1]), "animal {row:.3}");
        assert!(row[1] + row[5] > 0.8, "animal and street {row:.3}");
        assert!(row[5] > 0.15, "street {row:.3}");
    }
    let chinese = Run::of("小猫没有过街，因为它太累了。")
        .head(0)
        .row(9)
        .to_owned();
    assert!(
        chinese[1] > 0.5 && chinese[1] + chinese[5] > 0.7,
        "{chinese:.3}"
    );
}

#[test]
fn other_queries_of_the_first_head_spread_evenly() {
    let weights = Run::of(ANIMAL).head(0);
    for (i, row) in weights.outer_iter().enumerate().filter(|(i, _)| *i != 7) {
        assert!(
            row.iter().all(|w| (w - 1.0 / 11.0).abs() < 0.05),
            "row {i}: {row:.3}"
        );
    }
}

fn forty_words() -> String {
    (0..40).map(|i| format!("word{i} ")).collect()
}

#[test]
fn heads_of_position_find_their_place() {
    let text = forty_words();
    let run = Run::of(&text).weights();
    for i in 1..40 {
        assert!(
            run[[0, 1, i, i - 1]] > 0.8,
            "previous of {i}: {:.3}",
            run[[0, 1, i, i - 1]]
        );
        assert!(
            run[[0, 3, i, 0]] > 0.8,
            "first from {i}: {:.3}",
            run[[0, 3, i, 0]]
        );
        assert!(
            run[[0, 4, i - 1, i]] > 0.8,
            "next of {}: {:.3}",
            i - 1,
            run[[0, 4, i - 1, i]]
        );
        assert!(
            run[[0, 6, i, i]] > 0.8,
            "itself {i}: {:.3}",
            run[[0, 6, i, i]]
        );
    }
}

#[test]
fn without_positions_their_heads_see_nothing() {
    let run = Run {
        positions: false,
        ..Run::of(ANIMAL)
    }
    .weights();
    for head in [1, 3, 4, 6] {
        assert!(
            run.slice(s![0, head, .., ..])
                .iter()
                .all(|w| (w - 1.0 / 11.0).abs() < 1e-6),
            "head {head}"
        );
    }
    assert!((0.5..0.7).contains(&run[[0, 0, 7, 1]]));
}

#[test]
fn same_word_finds_repetitions_and_translations() {
    let rose = Run::of("a rose is a rose is a rose").head(2);
    assert!(
        (rose[[1, 1]] - 1.0 / 3.0).abs() < 0.05 && (rose[[1, 4]] - 1.0 / 3.0).abs() < 0.05,
        "{rose:.3}"
    );
    for (text, pairs) in [
        (
            "J'adore l'apprentissage automatique",
            &[(0, 0), (1, 1), (3, 3), (4, 2)][..],
        ),
        (
            "我爱机器学习",
            &[(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (5, 3)][..],
        ),
    ] {
        for seed in [42, 3, 99] {
            let run = Run {
                source: Some("I love machine learning"),
                seed,
                ..Run::of(text)
            }
            .head(2);
            for (i, j) in pairs {
                assert!(run[[*i, *j]] > 0.8, "seed {seed}, {i} → {j}: {run:.3}");
            }
        }
    }
}

#[test]
fn classes_of_words_draw_attention() {
    let run = Run::of("the big cat sat on the small mat").weights();
    for i in 0..8 {
        assert!(
            run[[0, 5, i, 2]] + run[[0, 5, i, 7]] > 0.8,
            "nouns from {i}"
        );
    }
    for (modifier, noun) in [(0, 2), (1, 2), (5, 7), (6, 7)] {
        assert!(
            run[[0, 7, modifier, noun]] > 0.7,
            "{modifier} → {noun}: {:.3}",
            run[[0, 7, modifier, noun]]
        );
    }
}

/// Mean entropy in nats of one head.
fn entropy(weights: &Array2<f64>) -> f64 {
    let total: f64 = weights
        .iter()
        .filter(|w| **w > 0.0)
        .map(|w| -w * w.ln())
        .sum();
    total / weights.nrows() as f64
}

#[test]
fn fewer_numbers_per_head_blur_the_picture() {
    for head in [1, 2, 3, 6] {
        let entropies: Vec<f64> = [1, 2, 4, 8, 16, 32]
            .map(|d_k| {
                entropy(
                    &Run {
                        sizes: Sizes { d_k, ..OPENING },
                        ..Run::of(ANIMAL)
                    }
                    .head(head),
                )
            })
            .to_vec();
        assert!(
            entropies.windows(2).all(|pair| pair[0] > pair[1] - 0.05),
            "head {head}: {entropies:.3?}"
        );
        assert!(
            entropies[0] > 2.0 * entropies[4],
            "head {head}: {entropies:.3?}"
        );
    }
}

#[test]
fn without_the_scale_rows_saturate() {
    let it = Run {
        scaled: false,
        ..Run::of(ANIMAL)
    }
    .head(0)
    .row(7)
    .to_owned();
    assert!(it[1] > 0.95, "{it:.3}");
}

#[test]
fn every_size_works() {
    for d_model in [4, 5, 7, 8, 16, 33, 64, 511, 512] {
        for d_k in [1, 2, 3, 16, 128] {
            for (heads, kv_heads) in [(1, 1), (6, 2), (7, 7), (8, 1), (8, 4)] {
                let sizes = Sizes {
                    d_model,
                    d_k,
                    heads,
                    kv_heads,
                };
                let weights = teaching::weights(sizes, true);
                assert_eq!(weights.query.w.dim(), (d_model, heads * d_k));
                assert_eq!(weights.key.w.dim(), (d_model, kv_heads * d_k));
                let finite = |w: &Array2<f32>| w.iter().all(|x| x.is_finite());
                assert!(
                    finite(&weights.query.w) && finite(&weights.key.w) && finite(&weights.value.w),
                    "{sizes:?}"
                );
            }
        }
    }
    let run = Run {
        sizes: Sizes {
            d_model: 4,
            d_k: 1,
            heads: 3,
            kv_heads: 1,
        },
        ..Run::of(ANIMAL)
    };
    assert!(run.weights().iter().all(|w| w.is_finite()));
}
