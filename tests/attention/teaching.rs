//! The story that the hand-built heads tell, through the 64-bit reference.

use std::sync::Arc;

use attention::text::{Sizes, teaching, tokenize};
use attention::{CallOptions, Layer, LayerOptions, Position, Request, reference};
use ndarray::{Array2, Array4, Axis, s};

const ANIMAL: &str = "The animal didn't cross the street because it was too tired";

fn words(text: &str) -> Vec<String> {
    tokenize(text).words
}

/// One run of the hand-built heads.
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
        let (text, source) = (words(self.text), self.source.map(words));
        let rows = |own: &[String], other: Option<&[String]>| {
            teaching::embeddings(own, other, d_model, self.seed).insert_axis(Axis(0))
        };
        let request = Request::new(
            Arc::new(layer),
            rows(&text, source.as_deref()),
            source.as_ref().map(|source| rows(source, Some(&text))),
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
fn a_word_without_a_counterpart_is_even() {
    for seed in [42, 3, 4] {
        let run = Run {
            source: Some("I love machine learning"),
            seed,
            ..Run::of("J'adore l'apprentissage automatique")
        };
        let article = run.head(2).row(2).to_owned();
        assert!(
            article.iter().all(|w| (w - 0.25).abs() < 0.01),
            "seed {seed}: {article:.3}"
        );
    }
}

#[test]
fn pronouns_look_at_those_mentioned_before() {
    let weights = |text: &str, row: usize| Run::of(text).head(0).row(row).to_vec();
    let is_even = |row: &[f64]| row.iter().all(|w| (w * row.len() as f64 - 1.0).abs() < 0.3);
    let books = "She has as many books as her brother has";
    assert!(is_even(&weights(books, 0)), "{:.2?}", weights(books, 0));
    let bone = "She gave the dog a bone because it was hungry";
    assert!(is_even(&weights(bone, 0)));
    let it = weights(bone, 7);
    assert!(it[3] > 0.5 && it[3] + it[5] > 0.8, "{it:.2?}");
    let mary = weights("Mary kicked the ball because she was angry", 5);
    assert!(mary[0] > 0.5 && mary[3] > 0.15, "{mary:.2?}");
    let called = weights("The nurse called because she was late for John", 4);
    assert!(called[1] > 0.6 && called[8] < 0.1, "{called:.2?}");
    let speaker = weights("The cat and I love Mary", 3);
    assert!(is_even(&speaker), "nobody stands for I: {speaker:.2?}");
    // 小明把书给了小红，因为他很喜欢她
    let chinese = "小明把书给了小红，因为他很喜欢她";
    for row in [11, 15] {
        let row = weights(chinese, row);
        assert!(row[1] > 0.3 && row[7] > 0.3 && row[3] < 0.2, "{row:.2?}");
    }
}

#[test]
fn other_words_of_the_head_of_modifiers_rest_on_the_first_token() {
    for text in ["the big cat sat on the small mat", ANIMAL] {
        let run = Run::of(text).head(7);
        let modifiers = [0, 1, 4, 5, 6];
        for row in (0..run.nrows()).filter(|row| !modifiers.contains(row)) {
            assert!(run[[row, 0]] > 0.8, "{text}, {row}: {:.2}", run.row(row));
        }
    }
    let bone = Run::of("the dog gave the cat a big old bone").head(7);
    for (modifier, noun) in [(0, 1), (3, 4), (5, 8), (6, 8), (7, 8)] {
        assert!(
            bone[[modifier, noun]] > 0.7,
            "{modifier} → {noun}: {:.2}",
            bone.row(modifier)
        );
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

/// Mean entropies of a head for each `d_k`.
fn entropies<const N: usize>(head: usize, scaled: bool, d_k: [usize; N]) -> [f64; N] {
    d_k.map(|d_k| {
        let run = Run {
            sizes: Sizes { d_k, ..OPENING },
            scaled,
            ..Run::of(ANIMAL)
        };
        entropy(&run.head(head))
    })
}

/// All sizes in exact arithmetic; what is left is the rounding of 32-bit weights, some 1e-7 of scores of at most 12.
const ROUNDING: f64 = 1e-4;

#[test]
fn scaled_heads_are_as_sharp_at_every_size_that_has_room_for_them() {
    for (head, d_k) in [
        (0, [1, 2, 3, 4, 7, 8, 16, 31, 64, 128]),
        (5, [1, 2, 3, 4, 7, 8, 16, 31, 64, 128]),
        (1, [8, 9, 10, 11, 13, 16, 29, 32, 64, 128]),
        (6, [8, 9, 10, 11, 13, 16, 29, 32, 64, 128]),
    ] {
        let found = entropies(head, true, d_k);
        let apart = found.map(|entropy| (entropy - found[0]).abs());
        assert!(
            apart.iter().all(|apart| *apart < ROUNDING),
            "head {head}: {found:.6?}"
        );
    }
}

#[test]
fn unscaled_heads_saturate_as_they_grow() {
    for head in [0, 1, 5] {
        let found = entropies(head, false, [8, 16, 32, 64, 128]);
        assert!(
            found.windows(2).all(|pair| pair[0] > pair[1]),
            "head {head}: {found:.3?}"
        );
    }
    let it = |d_k| {
        let run = Run {
            sizes: Sizes { d_k, ..OPENING },
            scaled: false,
            ..Run::of(ANIMAL)
        };
        run.head(0)[[7, 1]]
    };
    assert!((0.5..0.7).contains(&it(1)) && it(4) > 0.8 && it(16) > 0.95 && it(128) > 0.999);
}

#[test]
fn every_component_carries_its_share_of_the_score() {
    for d_k in [1, 2, 4, 16, 100, 128] {
        let weights = teaching::weights(Sizes { d_k, ..OPENING }, true);
        for (name, w) in [("query", &weights.query.w), ("key", &weights.key.w)] {
            let columns = w.slice(s![.., ..d_k]);
            let sizes = columns.map_axis(Axis(0), |column| column.dot(&column));
            assert!(
                sizes.iter().all(|size| *size > 0.0 && *size == sizes[0]),
                "{name}, d_k {d_k}: {sizes}"
            );
        }
    }
}

#[test]
fn a_head_of_position_without_room_for_a_place_spreads_evenly() {
    for head in [1, 4, 6] {
        let run = Run {
            sizes: Sizes { d_k: 1, ..OPENING },
            ..Run::of(ANIMAL)
        };
        assert!(run.head(head).iter().all(|w| (w - 1.0 / 11.0).abs() < 1e-6));
    }
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
