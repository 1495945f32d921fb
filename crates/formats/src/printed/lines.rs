//! Classifies the lines that R and pandas print.

/// Before the names of a slice of an array of R.
pub(super) const SLICE: &str = ", , ";
/// Text of a hidden cell in this page's tables.
const HIDDEN: &str = "·";

/// Whether a text is such a table, by its first lines: R's brackets, or a row of names above a row
/// with one number more.
pub(crate) fn is_aligned(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (first, second, third) = (lines.next(), lines.next(), lines.next());
    let (Some(first), second) = (first, second.unwrap_or_default()) else {
        return false;
    };
    let third = third.unwrap_or_default();
    if first.starts_with(SLICE) || first.trim_start().starts_with("[,1]") || vector(first).is_some()
    {
        return true;
    }
    if is_rule(second) || [second, third].iter().any(|line| index(line).is_some()) {
        return true;
    }
    let has_mark = |line: &str| line.contains([',', ';', '\t', '"', '[', '#']);
    if [first, second].into_iter().any(has_mark) {
        return false;
    }
    let count = |line: &str| line.split_whitespace().count();
    let is_names = |line: &str| !ends_in_number(line);
    match (first.starts_with(' '), second.starts_with(' ')) {
        // Names begin behind those of the rows, which begin the line.
        (true, false) => {
            let is_below = count(second) > count(first) || is_names(first);
            let is_titled = count(first) == 1 && is_names(second) && ends_in_number(third);
            is_titled || (ends_in_number(second) && count(second) > 1 && is_below)
        }
        // pandas names the rows in a line of its own.
        (false, false) => {
            let is_title = count(second) == 1 && is_names(second);
            is_title && is_names(first) && count(first) > 1 && count(third) == count(first)
        }
        _ => false,
    }
}

/// The parts of a line that end where columns do.
pub(super) fn cut(line: &str, ends: &[usize]) -> Vec<String> {
    let mut letters = line.chars();
    let mut from = 0;
    let part = |end: &usize| {
        let part: String = letters.by_ref().take(end - from).collect();
        from = *end;
        part.trim().to_owned()
    };
    ends.iter().map(part).collect()
}

/// The words of a line with the bytes where they begin.
pub(super) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split_whitespace().map(move |word| {
        let found = line[at..].find(word).unwrap_or_default();
        let start = at + found;
        at = start + word.len();
        (start, word)
    })
}

/// How many characters stand before the ends of words, from the word `first` on.
pub(super) fn ends(line: &str, first: usize) -> Vec<usize> {
    let (mut at, mut letters) = (0, 0);
    let end = |(start, word): (usize, &str)| {
        let end = start + word.len();
        letters += line[at..end].chars().count();
        at = end;
        letters
    };
    words(line).map(end).skip(first).collect()
}

/// Rest of the line after the name that R gives an unnamed row: `[12,]`.
pub(super) fn index(line: &str) -> Option<&str> {
    let inside = line.trim_start().strip_prefix('[')?;
    let after = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_counted = after.len() < inside.len();
    after.strip_prefix(",]").filter(|_| is_counted)
}

/// The numbers of a line of a vector of R: `[8] 0.7 0.3`.
pub(super) fn vector(line: &str) -> Option<&str> {
    let inside = line.trim_start().strip_prefix('[')?;
    let after = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_counted = after.len() < inside.len();
    let numbers = after.strip_prefix("] ").filter(|_| is_counted)?;
    numbers.split_whitespace().all(is_number).then_some(numbers)
}

pub(super) fn ends_in_number(line: &str) -> bool {
    line.split_whitespace().next_back().is_some_and(is_number)
}

/// Whether R or pandas print a word for a number, with a point or a comma, or for NaN and infinity.
pub(super) fn is_number(word: &str) -> bool {
    matches!(word, HIDDEN | "NA" | "TRUE" | "FALSE" | "True" | "False")
        || word.replace(',', ".").parse::<f32>().is_ok()
}

/// Whether a line is what this page draws below names.
pub(super) fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.bytes().all(|byte| byte == b'-')
}

/// The parts of a line between which two spaces stand.
pub(super) fn parts(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split("  ").map(str::trim);
    parts.filter(|part| !part.is_empty())
}

/// The value of a word: a truth, a hidden cell, or none.
pub(super) fn value(word: &str) -> Option<f32> {
    match word {
        "TRUE" | "True" => Some(1.0),
        "FALSE" | "False" | HIDDEN => Some(0.0),
        "NA" | "NaN" | "nan" => Some(f32::NAN),
        _ => None,
    }
}
