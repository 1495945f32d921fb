//! Text to tokens, embeddings and random weights; the lexicon and the presets.

use attention::text::embedding::embeddings;
use attention::text::lexicon::{Class, look_up};
use attention::text::{MAX_TOKENS, Sizes, tokenize, xavier};
use attention_playground::state::presets;
use ndarray::s;
use proptest::prelude::*;

const ANIMAL: &str = "The animal didn't cross the street because it was too tired";

fn words(text: &str) -> Vec<String> {
    tokenize(text).words
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
