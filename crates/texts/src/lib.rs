//! Texts and presets of `content/`: their checks, and the Rust code that the build makes of them.

pub mod conventions;
pub mod functions;
pub mod html;
pub mod presets;
pub mod tables;
pub mod usage;

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

/// Languages of the page; the first is the one that others are compared with.
pub const LANGUAGES: [&str; 2] = ["en", "zh"];

/// Texts of every language, read from `content/LANGUAGE/ui.toml`.
///
/// # Errors
/// A sentence per problem: a file cannot be read or is not a table of texts, languages have different keys or placeholders.
pub fn tables(content: &Path) -> Result<Vec<tables::Table>, Vec<String>> {
    let load = |language| {
        let path = content.join(language).join("ui.toml");
        let table = tables::Table::parse(language, &read(&path)?);
        table.map_err(|problem| vec![format!("{}: {problem}", path.display())])
    };
    let languages: Vec<_> = LANGUAGES.into_iter().map(load).collect::<Result<_, _>>()?;
    let problems = tables::disagreements(&languages);
    if problems.is_empty() {
        Ok(languages)
    } else {
        Err(problems)
    }
}

/// Text of a file.
///
/// # Errors
/// A sentence with the file's path.
pub fn read(path: &Path) -> Result<String, Vec<String>> {
    fs::read_to_string(path).map_err(|error| vec![format!("{}: {error}", path.display())])
}

/// Files of a folder with this extension, subfolders included, in the order of their paths.
///
/// # Errors
/// A sentence with the folder's path.
pub fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Vec<String>> {
    let fail = |error: std::io::Error| vec![format!("{}: {error}", folder.display())];
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_dir() {
            all.extend(files(&path, extension)?);
        } else if path.extension().is_some_and(|e| e == extension) {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// Reports every problem to Cargo and fails the build if there is one.
pub fn report(result: Result<(), Vec<String>>) {
    if let Err(problems) = result {
        for problem in &problems {
            println!("cargo::error={problem}");
        }
        std::process::exit(1);
    }
}
