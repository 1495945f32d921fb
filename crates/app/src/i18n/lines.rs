//! Every text in the file of its language that the build has written (`build/lines.rs`).
//!
//! A file is one piece of data which one function names. The release build takes that of a language which is seldom read out of the module,
//! with its function (`chunk!`): it is loaded when a text in that language is wanted.

wasm_chunks::chunk!("zh": zh);

use std::sync::OnceLock;

use super::Language;

/// Called through this table, each stays a function of its own.
static FILES: [fn() -> &'static str; Language::ALL.len()] = [en, zh];

fn en() -> &'static str {
    include_str!(concat!(env!("OUT_DIR"), "/en.txt"))
}

fn zh() -> &'static str {
    include_str!(concat!(env!("OUT_DIR"), "/zh.txt"))
}

/// The text at a place of the language's file.
pub(super) fn text(language: Language, place: usize) -> &'static str {
    static LINES: [OnceLock<Vec<&'static str>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    let read = || FILES[language as usize]().split('\n').collect();
    LINES[language as usize].get_or_init(read)[place]
}
