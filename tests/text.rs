//! Text to tokens, embeddings and weights; and the story that the teaching heads tell, through the 64-bit reference.

use std::sync::Arc;

use attention_playground::attention::{Call, Layer, LayerOptions, Position, Request, reference};
use attention_playground::text::embedding::embeddings;
use attention_playground::text::lexicon::{Class, look_up};
use attention_playground::text::{MAX_TOKENS, Sizes, presets, teaching, tokenize, xavier};
use ndarray::{Array2, Array4, Axis, s};
use proptest::prelude::*;

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
            Call::default(),
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
fn english_and_french_split_into_words() {
    assert_eq!(
        words("The cat didn’t sit."),
        ["The", "cat", "didn’t", "sit", "."]
    );
    assert_eq!(
        words("J'adore l’apprentissage"),
        ["J'", "adore", "l’", "apprentissage"]
    );
    assert_eq!(
        words("qu'il aujourd'hui o'clock I'm"),
        ["qu'", "il", "aujourd'hui", "o'clock", "I'm"]
    );
    assert_eq!(words("3.14, l' d'"), ["3.14", ",", "l", "'", "d", "'"]);
    assert_eq!(
        words("Übergröße Привет नमस्ते"),
        ["Übergröße", "Привет", "नमस्ते"]
    );
}

#[test]
fn ideographs_and_kana_stand_alone() {
    assert_eq!(words("小猫，没有。"), ["小", "猫", "，", "没", "有", "。"]);
    assert_eq!(
        words("カタカナとねこ"),
        ["カ", "タ", "カ", "ナ", "と", "ね", "こ"]
    );
    assert_eq!(words("Rust语言"), ["Rust", "语", "言"]);
    assert_eq!(words("𠀀𠀁"), ["𠀀", "𠀁"]);
}

#[test]
fn emoji_stay_whole_and_blanks_vanish() {
    assert_eq!(words("👩‍👩‍👧 👍🏽🇨🇭 1️⃣"), ["👩‍👩‍👧", "👍🏽", "🇨🇭", "1️⃣"]);
    assert_eq!(
        words(" \u{3000}\u{200B}\t\n\u{FEFF}\u{1}"),
        Vec::<String>::new()
    );
    assert_eq!(words("...?!"), [".", ".", ".", "?", "!"]);
}

#[test]
fn tokens_beyond_the_limit_are_counted() {
    let tokens = tokenize(&"ha ".repeat(MAX_TOKENS + 7));
    assert_eq!(
        (tokens.words.len(), tokens.total, tokens.cut()),
        (MAX_TOKENS, MAX_TOKENS + 7, 7)
    );
}

proptest! {
    #[test]
    fn tokens_keep_every_visible_character(text in any::<String>()) {
        let kept: usize = words(&text).iter().map(|word| word.chars().count()).sum();
        prop_assert!(kept <= text.chars().count());
        prop_assert!(words(&text).iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace)));
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        prop_assert_eq!(letters(&words(&text).concat()), letters(&text));
    }
}

#[test]
fn equal_words_get_equal_rows_whatever_their_case() {
    let rows = embeddings(&["The", "cat", "the", "Don’t", "don't"], 37, 5);
    assert_eq!(rows.row(0), rows.row(2));
    assert_eq!(rows.row(3), rows.row(4));
    assert_ne!(rows.row(0), rows.row(1));
    let wider = embeddings(&["the"], 61, 5);
    assert_eq!(wider.slice(s![0, ..37]), rows.row(0));
    assert_ne!(embeddings(&["the"], 37, 6), embeddings(&["the"], 37, 5));
}

/// Pins the bits, so that a change of library or platform that would change shared links is seen.
#[test]
fn seeded_numbers_never_change() {
    let bits = |values: Vec<f32>| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let rows = embeddings(&["cat"], 3, 42);
    let sizes = Sizes {
        d_model: 5,
        d_k: 3,
        heads: 2,
        kv_heads: 1,
    };
    let weights = xavier::weights(sizes, 42);
    assert_eq!(bits(rows.into_raw_vec_and_offset().0), EMBEDDING_BITS);
    assert_eq!(bits(weights.query.w.row(0).to_vec()), QUERY_BITS);
}

const EMBEDDING_BITS: [u32; 3] = [3178277132, 1049604919, 3206472089];
const QUERY_BITS: [u32; 6] = [
    3210092337, 3193500047, 1048432894, 1042492029, 3208485230, 3201765288,
];

#[test]
fn xavier_has_its_bound_and_variance() {
    let sizes = Sizes {
        d_model: 96,
        d_k: 24,
        heads: 6,
        kv_heads: 3,
    };
    let weights = xavier::weights(sizes, 9);
    let output = weights.output.expect("an output");
    for (w, shape, fans) in [
        (&weights.query.w, (96, 144), 96 + 24),
        (&weights.key.w, (96, 72), 96 + 24),
        (&weights.value.w, (96, 72), 96 + 24),
        (&output.w, (144, 96), 144 + 96),
    ] {
        let bound = (6.0 / fans as f32).sqrt();
        let variance = w.iter().map(|x| x * x).sum::<f32>() / w.len() as f32;
        assert_eq!(w.dim(), shape);
        assert!(w.iter().all(|x| x.abs() <= bound));
        assert!(
            (variance / (bound * bound / 3.0) - 1.0).abs() < 0.05,
            "variance {variance}, bound {bound}"
        );
    }
    assert_ne!(weights.key.w, weights.value.w);
}

#[test]
fn another_head_leaves_the_others_as_they_were() {
    let sizes = Sizes {
        d_model: 11,
        d_k: 3,
        heads: 2,
        kv_heads: 2,
    };
    let few = xavier::weights(sizes, 1);
    let more = xavier::weights(
        Sizes {
            heads: 5,
            kv_heads: 5,
            ..sizes
        },
        1,
    );
    assert_eq!(few.query.w, more.query.w.slice(s![.., ..6]));
    assert_eq!(few.key.w, more.key.w.slice(s![.., ..6]));
}

#[test]
fn the_lexicon_knows_classes_and_translations() {
    assert_eq!(look_up("Animal").class, Class::Living);
    assert_eq!(look_up("它").class, Class::Pronoun);
    assert_eq!(look_up("J’").concept, look_up("I").concept);
    assert_eq!(look_up("爱").concept, look_up("adore").concept);
    assert_ne!(look_up("は").concept, look_up("が").concept);
    assert_eq!(look_up("zyzzyva").class, Class::Noun);
    assert_eq!(look_up("7").class, Class::Other);
    assert_eq!(look_up("。").class, Class::Other);
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

#[test]
fn presets_are_complete() {
    assert_eq!(presets::all()[0].text, ANIMAL);
    for preset in presets::all() {
        assert_eq!(presets::by_id(preset.id), Some(preset));
        assert_ne!(preset.name("en"), preset.name("zh"), "{}", preset.id);
        assert!(
            !words(preset.text).is_empty()
                && preset.source.is_none_or(|source| !words(source).is_empty())
        );
    }
    assert_eq!(
        presets::by_id("translation").and_then(|preset| preset.source),
        Some("I love machine learning")
    );
    assert_eq!(presets::by_id("none"), None);
}

/// Prints the numbers that the documents quote; run with `--ignored --nocapture`.
#[test]
#[ignore = "prints, proves nothing"]
fn print_the_story() {
    let run = Run::of(ANIMAL).weights();
    println!("it → {:.3}", run.slice(s![0, 0, 7, ..]));
    let text = forty_words();
    let long = Run::of(&text).weights();
    for head in [1, 3, 4, 6] {
        let worst = (1..40)
            .map(|i| match head {
                1 => long[[0, 1, i, i - 1]],
                3 => long[[0, 3, i, 0]],
                4 => long[[0, 4, i - 1, i]],
                _ => long[[0, 6, i, i]],
            })
            .fold(1.0, f64::min);
        println!("head {head} worst of 40: {worst:.3}");
    }
    for text in ["J'adore l'apprentissage automatique", "我爱机器学习"] {
        println!(
            "{:.3}",
            Run {
                source: Some("I love machine learning"),
                ..Run::of(text)
            }
            .head(2)
        );
    }
    println!("{:.2}", Run::of("the big cat sat on the small mat").head(7));
    for head in 0..8 {
        let by_d_k = [1, 2, 4, 8, 16, 32, 64, 128].map(|d_k| {
            entropy(
                &Run {
                    sizes: Sizes { d_k, ..OPENING },
                    ..Run::of(ANIMAL)
                }
                .head(head),
            )
        });
        let by_d_model = [4, 8, 16, 32, 64, 128, 256, 512].map(|d_model| {
            entropy(
                &Run {
                    sizes: Sizes { d_model, ..OPENING },
                    ..Run::of(ANIMAL)
                }
                .head(head),
            )
        });
        println!("head {head} entropy by d_k {by_d_k:.2?} by d_model {by_d_model:.2?}");
    }
}
