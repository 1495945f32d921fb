//! The lessons of each language, which the build has read, refused where they are none, and put into one piece of data each (`build.rs`).

use crate::i18n::Language;
use lessons::Lesson;

/// What stands before the name of each file.
const SIGN: char = '\u{1e}';

/// Every file of a language: its name, and what stands in it.
fn files(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = match language {
        Language::En => include_str!(concat!(env!("OUT_DIR"), "/lessons_en.txt")),
        Language::Zh => include_str!(concat!(env!("OUT_DIR"), "/lessons_zh.txt")),
    };
    all.split(SIGN)
        .skip(1)
        .filter_map(|file| file.split_once('\n'))
}

/// The lesson with a name.
pub fn lesson(name: &str, language: Language) -> Option<Lesson> {
    let (_, source) = files(language).find(|(own, _)| *own == name)?;
    Lesson::parse(source).ok()
}

/// All lessons in their order, each with its name.
pub fn all(language: Language) -> Vec<(&'static str, Lesson)> {
    let lessons = files(language).map(|(name, source)| Some((name, Lesson::parse(source).ok()?)));
    lessons.flatten().collect()
}
