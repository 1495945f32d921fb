//! Finds symbols with subscripts in a text, such as `d_k`, so that they can be set as mathematics.

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Words.
    Words(&'a str),
    /// A letter, under a root or not, with what stands below it.
    Symbol(&'a str, &'a str),
}

/// The pieces of `text`, in order. A symbol is a single letter before `_`, as in `W_Q`; names such as `kv_heads` are words,
/// and so is whatever stands in quotation marks, where it is somebody's name for something.
///
/// ```
/// use app::scene::math_symbols::{Piece, pieces};
/// assert_eq!(pieces("by √d_k"), [Piece::Words("by "), Piece::Symbol("√d", "k")]);
/// ```
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut words, mut from) = (0, 0);
    while let Some(at) = text[from..].find('_').map(|at| from + at) {
        from = at + 1;
        let Some((start, end)) = around(text, at).filter(|_| !is_quoted(text, at)) else {
            continue;
        };
        if words < start {
            pieces.push(Piece::Words(&text[words..start]));
        }
        pieces.push(Piece::Symbol(&text[start..at], &text[at + 1..end]));
        (words, from) = (end, end);
    }
    if words < text.len() {
        pieces.push(Piece::Words(&text[words..]));
    }
    pieces
}

/// Whether a quotation begins before `at` and does not end there.
fn is_quoted(text: &str, at: usize) -> bool {
    text[..at].rfind('“') > text[..at].rfind('”')
}

/// Where the symbol around the `_` at `at` begins and ends.
fn around(text: &str, at: usize) -> Option<(usize, usize)> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut before = text[..at].chars().rev();
    before.next().filter(char::is_ascii_alphabetic)?;
    let start = match before.next() {
        Some(letter) if is_name(letter) => return None,
        Some('√') => at - 1 - '√'.len_utf8(),
        _ => at - 1,
    };
    let below = &text[at + 1..];
    let long = below.find(|letter: char| !is_name(letter));
    let below = &below[..long.unwrap_or(below.len())];
    let is_plain = !below.is_empty() && below.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_plain.then(|| (start, at + 1 + below.len()))
}

#[cfg(test)]
mod tests {
    use super::Piece::{Symbol, Words};
    use super::pieces;

    #[test]
    fn symbols_are_found_and_nothing_is_lost() {
        assert_eq!(pieces("words"), [Words("words")]);
        assert!(pieces("").is_empty());
        assert_eq!(pieces("d_model"), [Symbol("d", "model")]);
        assert_eq!(
            pieces("kv_heads·d_k × d_v"),
            [
                Words("kv_heads·"),
                Symbol("d", "k"),
                Words(" × "),
                Symbol("d", "v")
            ]
        );
        assert_eq!(
            pieces("嵌入维数 d_model。"),
            [Words("嵌入维数 "), Symbol("d", "model"), Words("。")]
        );
        assert_eq!(pieces("除以√d_k"), [Words("除以"), Symbol("√d", "k")]);
        assert_eq!(
            pieces("“w_q” is d_k long, “w_k” 长 d_v"),
            [
                Words("“w_q” is "),
                Symbol("d", "k"),
                Words(" long, “w_k” 长 "),
                Symbol("d", "v")
            ]
        );
        for plain in ["_", "d_", "_k", "w_q_x", "_d_k", "d__k", "猫_k", "d_4"] {
            assert_eq!(pieces(plain), [Words(plain)], "{plain}");
        }
    }
}
