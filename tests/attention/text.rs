//! Text to tokens, embeddings and random weights; the lexicon and the presets.

use app::state::presets;
use attention::text::embedding::embeddings;
use attention::text::lexicon::{Class, Entry};
use attention::text::tagger::tag;
use attention::text::{MAX_TOKENS, Sizes, tokenize, xavier};
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

fn tagged(text: &str) -> Vec<Entry> {
    tag(&words(text))
}

fn classes(text: &str) -> Vec<Class> {
    tagged(text).into_iter().map(|entry| entry.class).collect()
}

fn concepts(text: &str) -> Vec<String> {
    let entries = tagged(text).into_iter();
    entries.map(|entry| entry.concept).collect()
}

#[test]
fn the_lexicon_knows_classes_and_translations() {
    use Class::{Living, Noun, Other, Pronoun, Unknown, Verb};
    assert_eq!(classes("Animal 它"), [Living, Pronoun]);
    assert_eq!(concepts("J’adore")[..], concepts("I love")[..]);
    assert_eq!(concepts("我爱")[..], concepts("I love")[..]);
    assert_ne!(concepts("は"), concepts("が"));
    assert_eq!(classes("zyzzyva 7 。"), [Unknown, Other, Other]);
    assert_eq!(
        classes("Mary kicked the ball")[..2],
        [Living, Verb],
        "{:?}",
        tagged("Mary kicked the ball")
    );
    assert_eq!(classes("Mary kicked the ball")[3], Noun);
}

#[test]
fn endings_after_an_apostrophe_are_no_words() {
    let text = "It's raining and I'm sure that he’s not coming, they'll say John's dog didn't";
    let found = tagged(text);
    let of = |word: &str| {
        let at = words(text).iter().position(|own| own == word);
        found[at.expect("a word of the text")].clone()
    };
    for (word, concept) in [
        ("It's", "it"),
        ("I'm", "i"),
        ("he’s", "he"),
        ("they'll", "they"),
    ] {
        assert_eq!(of(word).class, Class::Pronoun, "{word}");
        assert_eq!(of(word).concept, concept);
    }
    assert_eq!(of("John's").class, Class::Living);
    assert_eq!(of("didn't").concept, "not");
}

#[test]
fn a_text_is_read_in_one_language() {
    use Class::{Function, Living, Modifier, Noun, Verb};
    let english = "The court was in pain because the main comment about the chat was as bad";
    let of = |text: &str, at: usize| classes(text)[at];
    assert_eq!(
        [1, 4, 7, 8, 13].map(|at| of(english, at)),
        [Noun, Noun, Modifier, Noun, Function]
    );
    let french = "Comment le chat a la main sur le pain court";
    assert_eq!(
        [0, 2, 3, 5, 8, 9].map(|at| of(french, at)),
        [Function, Living, Verb, Noun, Noun, Modifier]
    );
    let books = concepts("She has as many books as her brother has");
    assert_ne!(books[2], books[1]);
    assert_eq!((&books[2], &books[1]), (&books[5], &books[8]));
}

#[test]
fn unknown_words_have_a_class_only_by_their_place() {
    use Class::{Living, Noun, Unknown};
    let text = "Yesterday Zorblax met Zyrion. Blorping, the zyzzyva and the big quux fell";
    let of = |word: &str| {
        let at = words(text).iter().position(|own| own == word);
        classes(text)[at.expect("a word of the text")]
    };
    assert_eq!(["Zorblax", "Zyrion"].map(of), [Living, Living], "names");
    assert_eq!(of("Blorping"), Unknown, "begins a sentence");
    assert_eq!(["zyzzyva", "quux"].map(of), [Noun, Noun]);
    assert_eq!(classes("she zorked the frobly cat")[1], Unknown);
    assert_eq!(classes("she zorked the frobly cat")[3], Unknown);
}

#[test]
fn her_before_a_noun_is_a_possessive() {
    let text = "her old brother saw her";
    assert_eq!(classes(text)[0], Class::Modifier);
    assert_eq!(classes(text)[4], Class::Pronoun);
}

#[test]
fn ideographs_are_read_as_the_words_they_make() {
    use Class::{Living, Modifier, Pronoun, Unknown};
    assert_eq!(
        classes("老师和学生"),
        [Unknown, Living, Class::Function, Unknown, Living]
    );
    assert_eq!(classes("我们他们"), [Pronoun, Unknown, Pronoun, Unknown]);
    assert_eq!(concepts("我们"), ["we", "we"]);
    assert_ne!(concepts("我们他们")[1], concepts("我们他们")[3]);
    assert_eq!(classes("小明和小红")[..2], [Unknown, Living]);
    assert_eq!(classes("小明和小红")[3..], [Unknown, Living]);
    assert_eq!(classes("红花")[0], Modifier);
    assert_eq!(classes("小猫"), [Modifier, Living]);
    assert_eq!(classes("彼女")[0], Pronoun);
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
