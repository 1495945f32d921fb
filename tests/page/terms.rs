//! Words of the texts: one thing has one name, controls are called as they are labelled, and no text says what only one theme shows.

use std::fs;
use std::path::{Path, PathBuf};

use app::i18n::{Key, Language, text};

/// Terms that are not to be used, with the one that stands for the thing.
const INSTEAD: [(&str, &str); 11] = [
    // In the dark theme the largest weights are the lightest.
    ("darker the cell", "the stronger the colour"),
    ("darkest cell", "strongest colour"),
    ("dark cell", "strong colour"),
    ("深色的格子", "醒目的格子"),
    ("颜色最深", "颜色最醒目"),
    ("格子越深", "格子的颜色越醒目"),
    // d2l's word for attention pooling.
    ("注意力汇聚", "注意力汇点"),
    ("的偏差", "标准差"),
    ("除以偏差", "标准差"),
    ("层，头", "第 2 层第 2 头"),
    ("层的头 ", "第 2 层第 2 头"),
];

/// Files below a folder that people read.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let found = paths.flat_map(|path| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    });
    let is_text = |path: &PathBuf| {
        path.extension().is_some_and(|own| {
            ["md", "toml", "html"]
                .map(Into::into)
                .contains(&own.to_os_string())
        })
    };
    found.filter(is_text).collect()
}

#[test]
fn one_thing_has_one_name_in_all_texts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all: Vec<_> = ["content", "docs"]
        .map(|own| files(&root.join(own)))
        .concat();
    all.extend(["index.html", "README.md"].map(|own| root.join(own)));
    assert!(all.len() > 40, "{all:?}");
    let mut found = Vec::new();
    for path in all {
        let text = fs::read_to_string(&path).expect("a text");
        for (term, instead) in INSTEAD.iter().filter(|(term, _)| text.contains(term)) {
            found.push(format!("{}: {term} for {instead}", path.display()));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_readme_asks_for_the_rust_that_the_package_needs() {
    let asked = format!(
        "You need [Rust](https://rustup.rs) {} or newer",
        env!("CARGO_PKG_RUST_VERSION")
    );
    assert!(include_str!("../../README.md").contains(&asked), "{asked}");
}

#[test]
fn a_head_of_a_layer_is_named_alike_everywhere() {
    for language in Language::ALL {
        let named = text::learned_head(language, &2, &3);
        assert_eq!(text::training_head(language, &2, &3), named);
    }
}

/// Texts that name something on the page, and its label there.
const NAMED: [(Key, Key); 8] = [
    (Key::Lecturers1, Key::ShareWishes),
    (Key::HelpHiding, Key::HideOut),
    (Key::HelpHiding, Key::HideWritten),
    (Key::HelpMask, Key::MaskFirstShort),
    (Key::HelpMask, Key::MaskStrided),
    (Key::TrainingOnMapTitle, Key::PanelCost),
    (Key::TrainingOnMapTitle, Key::PanelAnalysis),
    (Key::HelpKvHeads, Key::PanelCost),
];

#[test]
fn what_is_on_the_page_is_called_as_it_is_labelled() {
    for language in Language::ALL {
        for (text, label) in NAMED {
            let [text, label] = [text, label].map(|key| key.text(language).to_lowercase());
            assert!(text.contains(&label), "“{label}” is not in: {text}");
        }
    }
}

#[test]
fn the_size_of_queries_and_keys_is_no_length() {
    for key in [
        Key::DKNoteScaled,
        Key::DKNoteUnscaled,
        Key::HelpDK,
        Key::HelpScaled,
        Key::TermScoreMeaning,
        Key::SeedNoteTeaching,
    ] {
        let text = key.text(Language::Zh);
        assert!(text.contains("维数") && !text.contains('长'), "{text}");
    }
}
