//! Writes the texts, presets and lessons of `content/` as Rust code and tables.
//!
//! The build fails and lists every problem when languages have different keys or placeholders, or a preset or a lesson is invalid.

use std::path::{Path, PathBuf};
use std::{env, fs};

use texts::{LANGUAGES, conventions, functions, presets, tables};

const CONTENT: &str = "../../content";

fn main() {
    println!("cargo::rerun-if-changed={CONTENT}");
    let all = write_texts()
        .and_then(|()| write_presets())
        .and_then(|()| write_conventions())
        .and_then(|()| write_lessons());
    texts::report(all);
}

fn write_texts() -> Result<(), Vec<String>> {
    let languages = texts::tables(Path::new(CONTENT))?;
    write("keys.rs", &tables::rust(&languages))?;
    write("text.rs", &functions::rust(&languages))?;
    for table in &languages {
        let name = format!("{}.txt", table.language);
        write(&name, &functions::file(table, &languages[0]))?;
    }
    Ok(())
}

/// The presets that `state/presets.rs` includes.
fn write_presets() -> Result<(), Vec<String>> {
    let path = Path::new(CONTENT).join("presets.toml");
    let table = presets::presets(&texts::read(&path)?, &LANGUAGES);
    let named = |problems: Vec<String>| {
        let problems = problems.iter();
        problems
            .map(|problem| format!("{}: {problem}", path.display()))
            .collect::<Vec<_>>()
    };
    write("presets.rs", &table.map_err(named)?)
}

/// The table of conventions that `present/conventions.rs` includes.
fn write_conventions() -> Result<(), Vec<String>> {
    let path = Path::new(CONTENT).join("conventions.toml");
    write("conventions.rs", &conventions::rust(&texts::read(&path)?)?)
}

/// The lessons of each language in one file with their texts as HTML, and in one as they were written, which
/// `present/lesson/files.rs` includes. A file that is no lesson stops the build.
fn write_lessons() -> Result<(), Vec<String>> {
    for language in LANGUAGES {
        let folder = Path::new(CONTENT).join(language).join("lessons");
        let (mut all, mut sources) = (String::new(), String::new());
        for file in texts::files(&folder, "md")? {
            let source = texts::read(&file)?;
            let compiled = lesson_markup::compile(&source)
                .map_err(|problem| vec![format!("{}:{problem}", file.display())])?;
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            all += &format!("\u{1e}{name}\n{compiled}");
            sources += &format!("\u{1e}{name}\n{source}");
        }
        write(&format!("lessons_{language}.txt"), &all)?;
        write(&format!("lesson_sources_{language}.txt"), &sources)?;
    }
    Ok(())
}

fn write(name: &str, content: &str) -> Result<(), Vec<String>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(name);
    fs::write(&out, content).map_err(|error| vec![format!("{}: {error}", out.display())])
}
