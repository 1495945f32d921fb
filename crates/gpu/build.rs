//! Writes the shaders without comments and indentation, to save bytes in the module.

use std::path::Path;
use std::{env, fs, io};

const SHADERS: &str = "shaders";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={SHADERS}");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for entry in fs::read_dir(SHADERS)? {
        let path = entry?.path();
        if let Some(name) = path.file_name() {
            fs::write(
                Path::new(&out).join(name),
                stripped(&fs::read_to_string(&path)?),
            )?;
        }
    }
    Ok(())
}

/// Drops comments, indentation and empty lines. WGSL has no strings in which `//` could stand for itself; comments
/// between `/*` and `*/` are not used here.
fn stripped(source: &str) -> String {
    source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty())
        .flat_map(|line| [line, "\n"])
        .collect()
}
