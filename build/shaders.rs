//! Shaders as they are shipped: without comments and indentation, which say nothing to a compiler.

/// Drops comments, indentation and empty lines. WGSL has no strings in which `//` could stand for itself; comments
/// between `/*` and `*/` are not used here.
pub fn shipped(source: &str) -> String {
    source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty())
        .flat_map(|line| [line, "\n"])
        .collect()
}
