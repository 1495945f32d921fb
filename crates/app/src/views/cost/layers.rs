//! The kinds of layers as a table, the setting of the page at its end.

use crate::i18n::{Key, Language};
use crate::present::cost::{CARDS, Card, Choice, OWN, PARTS, panel};
use crate::scene::role::{CurveStyle, Role};
use crate::scene::shape::Shape;
use crate::views::math::{self, Hue};
use crate::views::{Markup, drawing, html};
use attention::complexity::Measure;

/// The table: each layer's curve, its value where the curves are read, and its formulas.
pub(super) fn layers(
    choice: &Choice,
    values: impl Iterator<Item = String>,
    language: Language,
) -> Markup {
    let mut values = values;
    let mut value = || html! { td { (values.next().unwrap_or_default()) } };
    html! {
        @for card in &CARDS {
            tr {
                th scope="row" { (toggle(card.id, choice.layers.contains(&card.layer), name(card.name, card.curve, language))) }
                (value())
                (formulas(card, choice.measure, language))
            }
        }
        tr {
            th scope="row" { span class="tick" { (name(Key::CostOwn, OWN, language)) } }
            (value())
            (rest())
        }
        tr {
            th scope="row" { (toggle(panel::PARTS, choice.has_parts, name(Key::CostOwnProjections, PARTS[0], language))) }
            (value())
            (rest())
        }
        tr {
            th scope="row" { span class="tick" { (name(Key::CostOwnAttention, PARTS[1], language)) } }
            (value())
            (rest())
        }
    }
}

fn toggle(id: &str, is_on: bool, name: Markup) -> Markup {
    html! {
        label class="tick" {
            input type="checkbox" value=(id) autocomplete="off" data-field=(id) data-value=(is_on);
            (name)
        }
    }
}

/// Nothing of what only a kind of layer has.
fn rest() -> Markup {
    html! { td {} td {} td {} td {} td {} }
}

/// A formula of lengths.
fn math(formula: &str) -> Markup {
    math::math(formula, Hue::None)
}

/// The name and the curve of a layer.
fn name(name: Key, curve: CurveStyle, language: Language) -> Markup {
    let line = Shape::Path {
        path: "M0 4H40".to_owned(),
        role: Role::Curve(curve),
    };
    html! {
        span { (name.text(language)) }
        span class="sample" { (drawing((40.0, 8.0), &[line])) }
    }
}

fn formulas(card: &Card, measure: Measure, language: Language) -> Markup {
    let is_dynamic = if card.layer.is_attention() {
        Key::AnswerYes
    } else {
        Key::AnswerNo
    };
    html! {
        td { (math(card.formula(measure))) }
        td { (math(card.sequential)) }
        td { (math(card.path)) }
        td { (is_dynamic.text(language)) }
        td { (card.source) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::tests::between;
    use attention::complexity::Layer;

    fn written(measure: Measure, layers: &[Layer]) -> String {
        let choice = Choice {
            measure,
            layers: layers.to_vec(),
            has_parts: false,
        };
        super::layers(&choice, std::iter::empty(), Language::En).0
    }

    #[test]
    fn each_layer_has_a_toggle_and_so_have_the_parts_of_the_setting() {
        let markup = written(Measure::Flops, &[Layer::Causal]);
        let lines = between(&markup, "<tr>", "</tr>");
        assert_eq!(lines.len(), CARDS.len() + 3);
        let checked: Vec<_> = lines
            .iter()
            .filter(|line| line.contains("data-value=\"true\""))
            .collect();
        assert!(
            checked.len() == 1 && checked[0].contains("value=\"causal\""),
            "{checked:?}"
        );
        let (layers, own) = lines.split_at(CARDS.len());
        assert!(layers.iter().all(|line| line.contains("<input")));
        assert!(!own[0].contains("<input") && own[0].contains("\"curve own\""));
        assert!(own[1].contains("value=\"parts\"") && !own[2].contains("<input"));
        let cells = lines.iter().map(|line| line.matches("<td>").count());
        assert_eq!(cells.collect::<Vec<_>>(), vec![6; lines.len()]);
    }

    #[test]
    fn the_weights_of_attention_alone_come_from_the_input() {
        let markup = written(Measure::Flops, &[]);
        let lines = between(&markup, "<tr>", "</tr>");
        for (line, card) in lines.iter().zip(&CARDS) {
            let said = between(line, "<td>", "</td>")[4];
            let wanted = if card.layer.is_attention() {
                "yes"
            } else {
                "no"
            };
            assert_eq!(said, wanted, "{}", card.id);
        }
    }

    #[test]
    fn the_first_formula_is_that_of_what_is_counted() {
        let first = |measure| {
            let markup = written(measure, &[]);
            between(&markup, "<td></td><td>", "</td>")[0].to_owned()
        };
        for measure in [Measure::Flops, Measure::Leading, Measure::Memory] {
            assert_eq!(first(measure), math(CARDS[0].formula(measure)).0);
        }
    }
}
