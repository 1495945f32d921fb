//! The kinds of layers as a table, the setting of the page at its end.

use super::math;
use crate::i18n::{Key, Language};
use crate::present::cost::{CARDS, Card, OWN};
use crate::scene::role::{CurveStyle, Role};
use crate::scene::shape::Shape;
use crate::views::{Markup, drawing, html};
use attention::complexity::{Layer, Measure};

/// The table without the values, the second column, which follow the pointer. `shown` are the layers whose curves are shown.
pub fn layers(measure: Measure, shown: &[Layer], language: Language) -> Markup {
    html! {
        @for card in &CARDS {
            tr {
                th scope="row" {
                    label class="tick" {
                        input type="checkbox" value=(card.id) autocomplete="off" checked[shown.contains(&card.layer)];
                        (name(card.name, card.curve, language))
                    }
                }
                td {}
                (formulas(card, measure))
            }
        }
        tr {
            th scope="row" { span class="tick" { (name(Key::CostOwn, OWN, language)) } }
            td {} td {} td {} td {} td {}
        }
    }
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

fn formulas(card: &Card, measure: Measure) -> Markup {
    html! {
        td { (math(card.formula(measure))) }
        td { (math(card.sequential)) }
        td { (math(card.path)) }
        td { (card.source) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::tests::between;

    #[test]
    fn each_layer_has_a_toggle_and_the_setting_has_none() {
        let markup = layers(Measure::Flops, &[Layer::Causal], Language::En).0;
        let lines = between(&markup, "<tr>", "</tr>");
        assert_eq!(lines.len(), CARDS.len() + 1);
        let checked: Vec<_> = lines
            .iter()
            .filter(|line| line.contains(" checked"))
            .collect();
        assert!(
            checked.len() == 1 && checked[0].contains("value=\"causal\""),
            "{checked:?}"
        );
        assert!(
            lines[..CARDS.len()]
                .iter()
                .all(|line| line.contains("<input"))
        );
        assert!(
            !lines[CARDS.len()].contains("<input") && lines[CARDS.len()].contains("\"curve own\"")
        );
    }

    #[test]
    fn the_first_formula_is_that_of_what_is_counted() {
        let first = |measure| {
            let markup = layers(measure, &[], Language::En).0;
            between(&markup, "<td></td><td>", "</td>")[0].to_owned()
        };
        for measure in [Measure::Flops, Measure::Leading, Measure::Memory] {
            assert_eq!(first(measure), math(CARDS[0].formula(measure)).0);
        }
    }
}
