//! Texts from outside, as long as they are shown.

/// A text of at most so many characters, or its beginning and "…".
pub fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_ends_after_so_many_characters() {
        assert_eq!(beginning("字字字", 3), "字字字");
        assert_eq!(beginning("字字字字", 3), "字字字…");
        assert_eq!(
            (beginning("", 0), beginning("a", 0)),
            (String::new(), "…".to_owned())
        );
    }
}
