//! All heads with a small map each; a button chooses its head (`data-head`).

use super::{Markup, html};
use crate::i18n::{Language, text};
use crate::present::names;
use crate::present::run::Run;
use crate::present::thumbnails::{Thumbnail, thumbnails};

/// A canvas for each head with its number and its role, if known; nothing if there are no cells.
/// Heads of several layers include the layer.
pub fn head_thumbnails(run: &Run, chosen: usize, language: Language) -> Markup {
    let chosen = run.thumbnail(chosen);
    html! {
        @for (at, own) in thumbnails(run).into_iter().enumerate() {
            li {
                button type="button" data-head=(own.at) aria-pressed=(own.at == chosen)
                    tabindex=(if own.at == chosen { "0" } else { "-1" }) {
                    canvas aria-hidden="true" data-heatmap=(at) {}
                    span {
                        span class="which" { (name(own, language)) }
                        @let role = own.role(run, language);
                        // What is read aloud between them.
                        span class="unseen" { @if role.is_some() { " · " } }
                        span class="role" { (role.as_deref().map(names::unparted).unwrap_or_default()) }
                    }
                }
            }
        }
    }
}

fn name(own: Thumbnail, language: Language) -> String {
    match own.layers {
        1 => names::number(own.head, language),
        _ => text::learned_head(language, &(own.layer + 1), &(own.head + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;

    #[test]
    fn each_head_has_a_canvas_and_its_role_on_a_line_of_its_own() {
        let with_roles = head_thumbnails(&computed("text=a+b&heads=2"), 1, Language::En).0;
        assert_eq!(with_roles.matches("<canvas").count(), 2);
        assert!(with_roles.contains("data-head=\"1\" aria-pressed=\"true\""));
        assert_eq!(with_roles.matches("aria-pressed=\"true\"").count(), 1);
        assert_eq!(with_roles.matches("tabindex=\"0\"").count(), 1);
        assert!(with_roles.contains("> · </span>"), "{with_roles}");
        assert!(
            with_roles.contains(">spread evenly</span>"),
            "no pronoun: {with_roles}"
        );
        let random = computed("text=a+b&heads=2&weights=random");
        let without = head_thumbnails(&random, 0, Language::En).0;
        assert!(
            without.contains("<span class=\"role\"></span>"),
            "{without}"
        );
        assert!(!without.contains("·"), "{without}");
    }

    #[test]
    fn there_is_nothing_to_choose_from_without_cells() {
        assert_eq!(head_thumbnails(&computed("text="), 0, Language::En).0, "");
    }
}
