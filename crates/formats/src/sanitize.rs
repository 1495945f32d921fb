//! Sanitizes names and values from files for display: a file's author is not trusted.

/// Most characters, including the ellipsis.
const MOST: usize = 60;

/// Characters kept of the beginning. The end is more informative:
/// `….layers.31.self_attn.q_proj.weight`.
const HEAD: usize = 20;

/// A text of at most 60 characters: its beginning and its end, without what would not be seen or would turn the line around.
pub fn sanitize(text: &str) -> String {
    let plain = || text.chars().filter(is_plain);
    // Nothing is held of what is left out: it may be as long as a file.
    if plain().take(MOST + 1).count() <= MOST {
        return plain().collect();
    }
    let mut tail: Vec<char> = plain().rev().take(MOST - HEAD - 1).collect();
    tail.reverse();
    plain().take(HEAD).chain(['…']).chain(tail).collect()
}

fn is_plain(c: &char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{61c}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_short_plain_and_tells_the_end() {
        assert_eq!(sanitize("w_q\u{202e}\n"), "w_q");
        assert_eq!(sanitize(&"字".repeat(60)), "字".repeat(60));
        let name = format!("model.{}self_attn.q_proj.weight", "layers.".repeat(1000));
        let short = sanitize(&name);
        assert_eq!(short.chars().count(), 60);
        assert!(short.starts_with("model.layers.") && short.ends_with("self_attn.q_proj.weight"));
        assert_eq!(sanitize(&short), short);
    }
}
