//! Writes `content/lexicon.toml` as a Rust table; the build fails if the file is invalid.

use std::path::Path;
use std::{env, fs, process};

#[path = "build/lexicon.rs"]
mod lexicon;

const LEXICON: &str = "../../content/lexicon.toml";

fn main() {
    println!("cargo::rerun-if-changed={LEXICON}");
    println!("cargo::rerun-if-changed=build");
    if let Err(problems) = generate() {
        for problem in &problems {
            println!("cargo::error={LEXICON}: {problem}");
        }
        process::exit(1);
    }
}

fn generate() -> Result<(), Vec<String>> {
    let fail = |error: std::io::Error| vec![error.to_string()];
    let table = lexicon::lexicon(&fs::read_to_string(LEXICON).map_err(fail)?)?;
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("lexicon.rs"), table).map_err(fail)
}
