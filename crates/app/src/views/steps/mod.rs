//! The strip of steps. A card chooses its step (`data-step`); its canvas is painted by the browser.

use super::math::{Hue, math};
use super::{Markup, html, symbols};
use crate::present::steps::strip::{Card, Length, Stage, StageLink, Strip};

/// The stages with their cards.
pub fn strip(strip: &Strip) -> Markup {
    html! {
        @for stage in &strip.stages {
            li class=(class(stage)) {
                @for lane in &stage.lanes {
                    div class="lane" { @for own in lane { (card(own, strip)) } }
                }
            }
        }
    }
}

fn class(stage: &Stage) -> &'static str {
    match (stage.link, stage.lanes.len()) {
        (StageLink::Added, _) => "stage is-added",
        (StageLink::Backward, _) => "stage is-backward",
        (StageLink::Next, 1) => "stage",
        (StageLink::Next, _) => "stage is-branched",
    }
}

/// Card of a step. Its last line describes picture, formula and shape for screen readers.
fn card(card: &Card, strip: &Strip) -> Markup {
    let [rows, columns] = &card.shape;
    html! {
        button type="button" class="step" data-step=(card.step.name()) data-do=(card.step.name())
            aria-pressed=(card.is_chosen) aria-disabled=(strip.is_locked) {
            span class="name" { (symbols(card.name)) }
            span class="picture" aria-hidden="true" { canvas data-heatmap=(card.step.name()) {} }
            span class="formula" aria-hidden="true" {
                (math(&card.formula, Hue::Shown))
            }
            span class="shape" aria-hidden="true" {
                (rows.count) " × " (columns.count) " "
                span { (symbol(rows)) " × " (symbol(columns)) }
            }
            span class="unseen" { (card.spoken) }
        }
    }
}

fn symbol(length: &Length) -> Markup {
    match (length.symbol, length.symbol.split_once('_')) {
        ("max(n, m)", _) => html! { "max(" var { "n" } ", " var { "m" } ")" },
        (_, Some((letters, below))) => html! { var { (letters) sub { (below) } } },
        (letter, None) => html! { var { (letter) } },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::present::run::tests::computed;
    use crate::state::StepKind;
    use crate::views::tests::between;

    fn written(link: &str, is_locked: bool) -> String {
        let run = computed(link);
        strip(&Strip::new(&run, StepKind::Scores, is_locked, Language::En)).into_string()
    }

    #[test]
    fn stages_stand_in_the_order_of_the_run_and_say_how_they_follow() {
        let markup = written("text=a+b+c&heads=1&positions=sinusoidal&mask=causal", false);
        let classes = between(&markup, "<li class=\"stage", "\"");
        assert_eq!(classes[..3], ["", " is-added", " is-branched"]);
        let ways = between(&markup, "<li", "</li>")[2];
        assert_eq!(between(ways, "data-step=\"", "\""), ["q", "k", "v"]);
        assert_eq!(ways.matches("<div class=\"lane\">").count(), 3);
    }

    #[test]
    fn the_backward_pass_of_a_learned_layer_follows_the_forward_one() {
        let link = "weights=learned&trained=1&d_model=8&text=the+fox+it+ill";
        let markup = written(link, false);
        let (_, backward) = markup.split_once("is-backward").expect("a loss");
        let steps = between(backward, "data-step=\"grad_", "\"");
        let wanted = "logits output context w_o weights v scores q k w_q w_k w_v normed residual";
        assert_eq!(steps.join(" "), wanted);
        let lanes = between(backward, "<li class=\"stage", "</li>");
        let lanes = lanes.iter().map(|stage| stage.matches("\"lane\"").count());
        assert_eq!(lanes.collect::<Vec<_>>(), [1, 2, 2, 1, 2, 3, 1, 1]);
        let first = written(&format!("{link}&layer=1"), false);
        let (forward, backward) = first.split_once("is-backward").expect("a loss");
        assert!(!forward.contains("logits") && !backward.contains("logits"));
        let first = between(backward, "data-step=\"", "\"")[0];
        assert_eq!(first, "grad_output");
        assert!(!written(&format!("{link}&mask=causal"), false).contains("is-backward"));
    }

    #[test]
    fn one_card_is_pressed_and_all_are_locked_together() {
        let markup = written("text=a+b+c&heads=1", true);
        let cards = between(&markup, "<button", "</button>");
        let is_pressed = |card: &&&str| card.contains("aria-pressed=\"true\"");
        let pressed: Vec<_> = cards.iter().filter(is_pressed).collect();
        assert!(
            pressed.len() == 1 && pressed[0].contains("data-step=\"scores\""),
            "{markup}"
        );
        assert_eq!(
            markup.matches("aria-disabled=\"true\"").count(),
            cards.len()
        );
    }

    #[test]
    fn a_shape_has_the_letters_of_the_mechanism() {
        let shape = |link, step: &str| {
            let markup = written(link, false);
            let mut cards = between(&markup, "<button", "</button>").into_iter();
            let card = cards
                .find(|card| card.contains(&format!("\"{step}\"")))
                .expect("the card");
            between(
                card,
                "\"shape\" aria-hidden=\"true\">",
                "</span><span class",
            )[0]
            .to_owned()
        };
        let own = "text=a+b+c&heads=1&d_k=4";
        assert_eq!(
            shape(own, "k"),
            "3 × 4 <span><var>n</var> × <var>d<sub>k</sub></var></span>"
        );
        assert!(shape(own, "positions").contains("<var>n</var> × <var>d<sub>model"));
        let other = "text=a+b+c&source=d+e&heads=1&d_k=4&positions=sinusoidal";
        assert!(shape(other, "k").starts_with("2 × 4 <span><var>m</var>"));
        assert!(shape(other, "positions").contains("max(<var>n</var>, <var>m</var>)"));
    }
}
