//! The parts of the page that can be shown or locked. What is ticked is not markup; a box's `value` is its part.

wasm_chunks::chunk!("more");

use super::{Markup, html, symbols};
use crate::i18n::{Key, Language};
use crate::share::{GROUPS, label};
use crate::state::Part;

/// Every group with its parts.
pub fn share_parts(language: Language) -> Markup {
    html! {
        @for (name, parts) in GROUPS {
            section {
                h3 data-t=(name.name()) { (name.text(language)) }
                @for part in parts { @if let Some(name) = label(*part) { (line(*part, name, language)) } }
            }
        }
    }
}

fn line(part: Part, name: Key, language: Language) -> Markup {
    let id = format!("share-part-{}", part.name());
    html! {
        div role="group" aria-labelledby=(id) data-compact[Part::COMPACT.contains(&part)] {
            span id=(id) { (symbols(name.text(language))) }
            (tick(part, "shown", Key::ShareShown, language))
            @if part.is_control() { (tick(part, "locked", Key::ShareLocked, language)) }
        }
    }
}

fn tick(part: Part, class: &str, word: Key, language: Language) -> Markup {
    html! {
        label class=(class) {
            input type="checkbox" autocomplete="off" value=(part.name());
            span data-t=(word.name()) { (word.text(language)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_can_be_shown_and_controls_alone_can_be_locked() {
        let markup = share_parts(Language::En).into_string();
        let lines: Vec<&str> = markup.split("<div ").skip(1).collect();
        let parts = GROUPS.iter().flat_map(|(_, parts)| *parts);
        assert_eq!(lines.len(), parts.clone().count());
        for (part, line) in parts.zip(lines) {
            let boxes = line.matches(&format!("value=\"{}\"", part.name())).count();
            assert_eq!(boxes, 1 + usize::from(part.is_control()), "{line}");
            assert!(line.contains("class=\"shown\""), "{line}");
            let is_compact = line.contains("data-compact");
            assert_eq!(is_compact, Part::COMPACT.contains(part), "{line}");
        }
    }
}
