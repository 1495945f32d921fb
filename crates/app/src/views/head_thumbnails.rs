//! All heads with a small map each; a button chooses its head (`data-head`).

use super::{Markup, html};
use crate::i18n::{Language, text};
use crate::present::names;
use crate::present::run::Run;
use crate::present::thumbnails::{Thumbnail, thumbnails};

/// A canvas for each head with its number and its role, if known, and what the query of `row` looks
/// at; nothing if there are no cells. Heads of several layers stand below the name of theirs.
pub fn head_thumbnails(run: &Run, chosen: usize, row: usize, language: Language) -> Markup {
    let chosen = run.thumbnail(chosen);
    let all = thumbnails(run);
    html! {
        @for layer in all.chunk_by(|one, other| one.layer == other.layer) {
            li class=(if layer[0].layers > 1 { "layer" } else { "" }) {
                @if layer[0].layers > 1 {
                    p aria-hidden="true" { (text::layer_name(language, &(layer[0].layer + 1))) }
                }
                ul {
                    @for own in layer { li { (thumbnail(run, *own, own.at == chosen, row, language)) } }
                }
            }
        }
    }
}

fn thumbnail(run: &Run, own: Thumbnail, is_chosen: bool, row: usize, language: Language) -> Markup {
    let role = own.role(run, language).unwrap_or_default();
    // What is read aloud between the lines.
    let pause = |is_there: bool| html! { span class="unseen" { @if is_there { " · " } } };
    html! {
        button type="button" data-head=(own.at) aria-pressed=(is_chosen) tabindex=(if is_chosen { "0" } else { "-1" }) {
            canvas aria-hidden="true" data-heatmap=(own.at) {}
            @if own.layers > 1 {
                @let link = own.link(run, row);
                span class="which" {
                    span class="unseen" { (text::learned_head(language, &(own.layer + 1), &(own.head + 1))) }
                    @if role.is_empty() {
                        span aria-hidden="true" { (names::number(own.head, language)) }
                    } @else {
                        span aria-hidden="true" { (own.head + 1) }
                        " · " (names::unparted(&role))
                    }
                }
                (pause(link.is_some()))
                span class="link" {
                    @if let Some(link) = link {
                        span class="query" { (run.query(row)) " " }
                        (names::unparted(&link))
                    }
                }
            } @else {
                span class="which" { (names::number(own.head, language)) }
                (pause(!role.is_empty()))
                span class="role" { (names::unparted(&role)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::views::tests::between;

    #[test]
    fn each_head_has_a_canvas_and_its_role_on_a_line_of_its_own() {
        let markup = |link| head_thumbnails(&computed(link), 1, 0, Language::En).0;
        let with_roles = markup("text=a+b&heads=2");
        assert_eq!(with_roles.matches("<canvas").count(), 2);
        assert!(with_roles.contains("data-head=\"1\" aria-pressed=\"true\""));
        assert_eq!(with_roles.matches("aria-pressed=\"true\"").count(), 1);
        assert_eq!(with_roles.matches("tabindex=\"0\"").count(), 1);
        assert!(with_roles.contains("> · </span>"), "{with_roles}");
        assert!(
            with_roles.contains(">spread evenly</span>"),
            "no pronoun: {with_roles}"
        );
        let without = markup("text=a+b&heads=2&weights=random");
        assert!(
            without.contains("<span class=\"role\"></span>"),
            "{without}"
        );
        assert!(!without.contains("·"), "{without}");
    }

    #[test]
    fn heads_of_several_layers_stand_below_their_layer_with_what_the_row_looks_at() {
        let run = computed("weights=learned&trained=2&d_model=8&heads=2&text=the+fox+was+ill");
        let markup = head_thumbnails(&run, 0, 1, Language::En).0;
        let layers = between(&markup, "<p aria-hidden=\"true\">", "</p>");
        assert_eq!(layers, ["layer 1", "layer 2"]);
        let heads: Vec<&str> = between(&markup, "data-head=\"", "\"");
        assert_eq!(heads, ["0", "1", "2", "3"]);
        let links = between(&markup, "class=\"query\">fox </span>", "<");
        assert_eq!(links.len(), 4);
        assert!(
            links.iter().all(|link| link.starts_with("→\u{a0}")),
            "{links:?}"
        );
        assert!(markup.contains("layer 2, head 2"), "{markup}");
    }

    #[test]
    fn there_is_nothing_to_choose_from_without_cells() {
        assert_eq!(
            head_thumbnails(&computed("text="), 0, 0, Language::En).0,
            ""
        );
    }
}
