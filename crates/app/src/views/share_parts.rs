//! The parts of the page that can be shown or locked.

wasm_chunks::chunk!("more");

use super::{Markup, html, symbols};
use crate::i18n::{Key, Language};
use crate::share::{GROUPS, ShareDialog, label};
use crate::state::Part;

/// Every group with its parts.
pub fn share_parts(dialog: &ShareDialog, language: Language) -> Markup {
    html! {
        @for (name, parts) in GROUPS {
            section {
                h3 { (name.text(language)) }
                @for part in parts { @if let Some(name) = label(*part) { (line(*part, name, dialog, language)) } }
            }
        }
    }
}

fn line(part: Part, name: Key, dialog: &ShareDialog, language: Language) -> Markup {
    let id = format!("share-part-{}", part.name());
    let options = &dialog.options;
    let tick = |class: &str, word: Key, is_ticked: bool, is_disabled: bool| {
        html! {
            label class=(class) {
                input type="checkbox" autocomplete="off" value=(part.name()) data-field={ (class) " " (part.name()) } data-value=(is_ticked)
                    disabled[is_disabled];
                span { (word.text(language)) }
            }
        }
    };
    html! {
        div role="group" aria-labelledby=(id) data-compact[Part::COMPACT.contains(&part)] {
            span id=(id) { (symbols(name.text(language))) }
            (tick("shown", Key::ShareShown, options.parts.contains(part), false))
            @if part.is_control() { (tick("locked", Key::ShareLocked, options.lock.contains(part), dialog.locks_all)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::State;

    #[test]
    fn every_part_can_be_shown_and_controls_alone_can_be_locked() {
        let dialog = ShareDialog::new(&State::default());
        let markup = share_parts(&dialog, Language::En).into_string();
        let lines: Vec<&str> = markup.split("<div ").skip(1).collect();
        let parts = GROUPS.iter().flat_map(|(_, parts)| *parts);
        assert_eq!(lines.len(), parts.clone().count());
        for (part, line) in parts.zip(lines) {
            let boxes = line.matches(&format!(" value=\"{}\"", part.name())).count();
            assert_eq!(boxes, 1 + usize::from(part.is_control()), "{line}");
            assert!(line.contains("class=\"shown\""), "{line}");
            let is_compact = line.contains("data-compact");
            assert_eq!(is_compact, Part::COMPACT.contains(part), "{line}");
        }
    }
}
