//! A generated program with the hues of queries and keys.

wasm_chunks::chunk!("more");

use super::{Markup, html};
use crate::export::codegen::{Mark, Program, marked};

/// Its text, as it is copied.
pub fn program(program: &Program) -> Markup {
    html! {
        @for stretch in marked(&program.text()) { span class=[class(stretch.mark)] { (stretch.text) } }
    }
}

fn class(mark: Mark) -> Option<&'static str> {
    Some(match mark {
        Mark::Plain => return None,
        Mark::Keyword => "is-keyword",
        Mark::Query => "is-query-text",
        Mark::Key => "is-key-text",
        Mark::Text => "is-text",
        Mark::Data => "is-data",
        Mark::Remark => "is-remark",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_is_the_program_and_names_have_the_hue_of_their_side() {
        let text = "Q = K if \"<b> & c\" else Q  # a < b";
        let written = program(&Program {
            cells: vec![text.to_owned()],
            beside: Vec::new(),
        })
        .into_string();
        let tags = written.split('<').skip(1);
        let seen: String = tags
            .filter_map(|tag| Some(tag.split_once('>')?.1))
            .collect();
        let seen = seen
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"");
        assert_eq!(seen.replace("&amp;", "&"), format!("{text}\n"));
        for part in [
            "<span class=\"is-query-text\">Q</span>",
            "<span class=\"is-key-text\">K</span>",
            "<span class=\"is-keyword\">if</span>",
            "<span>",
        ] {
            assert!(written.contains(part), "{part}: {written}");
        }
    }
}
