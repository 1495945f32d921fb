//! Checks `content/` at build time and generates the keys and functions of the texts.
//!
//! The build fails and lists every problem when the languages have different keys or placeholders, when a text is unused, when
//! `index.html` names a key that does not exist or whose text has placeholders, or when its English text differs from
//! `content/en/ui.toml`.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

#[path = "build/functions.rs"]
mod functions;
#[path = "build/html.rs"]
mod html;
#[path = "build/lines.rs"]
mod lines;
#[path = "build/presets.rs"]
mod presets;
#[path = "build/tables.rs"]
mod tables;
#[path = "build/usage.rs"]
mod usage;

use tables::Table;

const LANGUAGES: [&str; 2] = ["en", "zh"];

fn main() {
    // What the linker knows of the engine's data, for those who split it (`scripts/dist/linking.mjs`).
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
    for path in ["content", "index.html", "src", "build"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let all = generate()
        .and_then(|()| generate_presets())
        .and_then(|()| generate_lessons());
    if let Err(problems) = all {
        for problem in &problems {
            println!("cargo::error={problem}");
        }
        process::exit(1);
    }
}

fn generate() -> Result<(), Vec<String>> {
    let languages = LANGUAGES
        .map(load)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let page = read(Path::new("index.html"))?;
    let elements =
        html::elements(&page).map_err(|problem| vec![format!("index.html: {problem}")])?;
    let sources = rust_sources(Path::new("src"))?;

    let mut problems = tables::disagreements(&languages);
    problems.extend(usage::page_problems(&elements, &languages));
    let of_page = usage::keys_of_page(&elements).collect();
    let of_rust = usage::texts_of_rust(&sources).collect();
    problems.extend(usage::problems(&of_page, &of_rust, &languages));
    if !problems.is_empty() {
        return Err(problems);
    }
    write("keys.rs", &tables::rust(&languages))?;
    write("text.rs", &functions::rust(&languages))?;
    for table in &languages {
        write(
            &format!("{}.txt", table.language),
            &lines::file(table, &languages[0]),
        )?;
    }
    Ok(())
}

/// The lessons of each language in one file with their texts as HTML, and in one as they were written, which
/// `src/present/lesson/files.rs` includes. A file that is no lesson stops the build.
fn generate_lessons() -> Result<(), Vec<String>> {
    for language in LANGUAGES {
        let folder = Path::new("content").join(language).join("lessons");
        let entries = fs::read_dir(&folder)
            .map_err(|error| vec![format!("{}: {error}", folder.display())])?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        let (mut all, mut sources) = (String::new(), String::new());
        for file in files {
            let source = read(&file)?;
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

/// The presets that `src/state/presets.rs` includes.
fn generate_presets() -> Result<(), Vec<String>> {
    let path = "content/presets.toml";
    let named = |problems: Vec<String>| {
        problems
            .iter()
            .map(|problem| format!("{path}: {problem}"))
            .collect::<Vec<_>>()
    };
    let table = presets::presets(&read(Path::new(path))?, &LANGUAGES).map_err(named)?;
    write("presets.rs", &table)
}

fn write(name: &str, content: &str) -> Result<(), Vec<String>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(name);
    fs::write(&out, content).map_err(|e| vec![format!("{}: {e}", out.display())])
}

fn load(language: &str) -> Result<Table, Vec<String>> {
    let path = format!("content/{language}/ui.toml");
    Table::parse(language, &read(Path::new(&path))?).map_err(|e| vec![format!("{path}: {e}")])
}

fn read(path: &Path) -> Result<String, Vec<String>> {
    fs::read_to_string(path).map_err(|e| vec![format!("{}: {e}", path.display())])
}

/// The text of every Rust file under `folder`, one after the other.
fn rust_sources(folder: &Path) -> Result<String, Vec<String>> {
    let fail = |e: std::io::Error| vec![format!("{}: {e}", folder.display())];
    let mut all = String::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_dir() {
            all.push_str(&rust_sources(&path)?);
        } else if path.extension().is_some_and(|e| e == "rs") {
            all.push_str(&read(&path)?);
            all.push('\n');
        }
    }
    Ok(all)
}
