//! Holds `index.html` and the Rust code to the texts of `content/`.
//!
//! The build fails and lists every problem when a text is unused, when `index.html` names a key that does not exist or whose text
//! has placeholders, or when its English text differs from `content/en/ui.toml`.

use std::env;
use std::path::Path;

use texts::{html, usage};

fn main() {
    // What the linker knows of the engine's data, for those who split it (`scripts/dist/linking.mjs`).
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
    for path in ["content", "index.html", "src", "crates/app/src"] {
        println!("cargo::rerun-if-changed={path}");
    }
    texts::report(check());
}

fn check() -> Result<(), Vec<String>> {
    let languages = texts::tables(Path::new("content"))?;
    let page = texts::read(Path::new("index.html"))?;
    let elements =
        html::elements(&page).map_err(|problem| vec![format!("index.html: {problem}")])?;
    let mut sources = String::new();
    for folder in ["src", "crates/app/src"] {
        for file in texts::files(Path::new(folder), "rs")? {
            sources += &texts::read(&file)?;
            sources.push('\n');
        }
    }
    let of_page = usage::keys_of_page(&elements).collect();
    let of_rust = usage::texts_of_rust(&sources).collect();
    let mut problems = usage::page_problems(&elements, &languages);
    problems.extend(usage::problems(&of_page, &of_rust, &languages));
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}
