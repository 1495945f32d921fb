//! Words of any width for pictures, and a face to measure them in.

/// Text as in a proportional face: an ideograph is as wide as it is high, other characters about half as wide.
pub(crate) fn measure(text: &str, size: f64) -> f64 {
    let em = |c: char| if c >= '\u{2e80}' { 1.0 } else { 0.55 };
    size * text.chars().map(em).sum::<f64>()
}

/// `count` tokens of different lengths, one of them far too long for any label.
pub(crate) fn tokens(count: usize) -> Vec<String> {
    let words = [
        "The",
        "animal",
        "didn't",
        "cross",
        "街",
        "Donaudampfschifffahrtsgesellschaft",
        "it",
        ".",
    ];
    words
        .into_iter()
        .cycle()
        .take(count)
        .map(str::to_owned)
        .collect()
}
