//! The lessons of each language, which the build has read, refused where they are none, and put into one piece of data each (`build.rs`). The
//! release build takes it out of the module with the function that names it (`chunk!`).

wasm_chunks::chunk!("lessons_en": en);
wasm_chunks::chunk!("lessons_zh": zh);
wasm_chunks::chunk!("lesson_writing": source, source_en, source_zh);

use crate::i18n::Language;
use lessons::Lesson;

/// Called through this table, each stays a function of its own.
static FILES: [fn() -> &'static str; Language::ALL.len()] = [en, zh];

/// As they were written, for whoever changes one.
static SOURCES: [fn() -> &'static str; Language::ALL.len()] = [source_en, source_zh];

/// Separator before the name of each file.
const SIGN: char = '\u{1e}';

fn en() -> &'static str {
    include_str!(concat!(env!("OUT_DIR"), "/lessons_en.txt"))
}

fn zh() -> &'static str {
    include_str!(concat!(env!("OUT_DIR"), "/lessons_zh.txt"))
}

fn source_en() -> &'static str {
    include_str!(concat!(env!("OUT_DIR"), "/lesson_sources_en.txt"))
}

fn source_zh() -> &'static str {
    include_str!(concat!(env!("OUT_DIR"), "/lesson_sources_zh.txt"))
}

/// The chunks of the engine that hold them, and what takes them.
pub const fn chunks(language: Language) -> [&'static str; 2] {
    match language {
        Language::En => ["lessons", "lessons_en"],
        Language::Zh => ["lessons", "lessons_zh"],
    }
}

/// Every file: its name, and what stands in it.
fn files(all: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    all.split(SIGN)
        .skip(1)
        .filter_map(|file| file.split_once('\n'))
}

/// The lesson with a name.
pub fn lesson(name: &str, language: Language) -> Option<Lesson> {
    let (_, source) = files(FILES[language as usize]()).find(|(own, _)| *own == name)?;
    Lesson::parse(source).ok()
}

/// All lessons in their order, each with its name.
pub fn all(language: Language) -> Vec<(&'static str, Lesson)> {
    let all = files(FILES[language as usize]());
    let lessons = all.map(|(name, source)| Some((name, Lesson::parse(source).ok()?)));
    lessons.flatten().collect()
}

/// A lesson as it was written, which a chunk of its own holds.
pub fn source(name: &str, language: Language) -> Option<&'static str> {
    let mut all = files(SOURCES[language as usize]());
    all.find(|(own, _)| *own == name).map(|(_, source)| source)
}
