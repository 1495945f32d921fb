//! Build-time checks of `content/`, and the table of words made from it.
//!
//! The build fails, naming every problem at once, when the languages do not say the same things, when
//! a key is used that does not exist or exists without being used, or when the English text that stands
//! in `index.html` is not the text of `content/en/ui.toml`.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

#[path = "build/html.rs"]
mod html;
#[path = "build/shaders.rs"]
mod shaders;
#[path = "build/tables.rs"]
mod tables;
#[path = "build/text.rs"]
mod text;
#[path = "build/usage.rs"]
mod usage;

use tables::Table;

const LANGUAGES: [&str; 2] = ["en", "zh"];

fn main() {
    for path in ["content", "index.html", "src", "build"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let all = generate().and_then(|()| generate_text());
    match all.and_then(|()| ship_shaders()) {
        Ok(()) => {}
        Err(problems) => {
            for problem in &problems {
                println!("cargo::error={problem}");
            }
            process::exit(1);
        }
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
    let used = usage::keys_of_page(&elements)
        .chain(usage::keys_of_rust(&sources))
        .collect();
    problems.extend(usage::problems(&used, &languages));
    if !problems.is_empty() {
        return Err(problems);
    }
    write("words.rs", &tables::rust(&languages))
}

/// The shaders that `src/gpu/kernels.rs` includes.
fn ship_shaders() -> Result<(), Vec<String>> {
    let folder = "src/gpu/shaders";
    let entries = fs::read_dir(folder).map_err(|error| vec![format!("{folder}: {error}")])?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        write(&name, &shaders::shipped(&read(&path)?))?;
    }
    Ok(())
}

/// The lexicon and the presets that `src/text/` includes.
fn generate_text() -> Result<(), Vec<String>> {
    let named = |path: &str, problems: Vec<String>| {
        problems
            .iter()
            .map(|p| format!("{path}: {p}"))
            .collect::<Vec<_>>()
    };
    let path = "content/lexicon.toml";
    write(
        "lexicon.rs",
        &text::lexicon(&read(Path::new(path))?).map_err(|problems| named(path, problems))?,
    )?;
    let path = "content/presets.toml";
    write(
        "presets.rs",
        &text::presets(&read(Path::new(path))?, &LANGUAGES)
            .map_err(|problems| named(path, problems))?,
    )
}

fn write(name: &str, rust: &str) -> Result<(), Vec<String>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(name);
    fs::write(&out, rust).map_err(|e| vec![format!("{}: {e}", out.display())])
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
