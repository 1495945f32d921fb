//! Painted attention: the target, whose cells show the weights that were found, curves, and reasons
//! for a remaining distance.

use super::painted_cell::painted_cell;
use super::{Markup, html, named_charts, symbols};
use crate::present::draw::view::DrawView;
use crate::present::training::MapCell;

/// The target, a grid with one stop for Tab.
pub fn target(view: &DrawView<'_>) -> Markup {
    let cells = view.painted_cells();
    let class = |_| "";
    map(view, cells.iter().enumerate(), class, |(at, cell)| {
        painted_cell(at, cell)
    })
}

/// The weights that were found.
pub fn found(view: &DrawView<'_>) -> Markup {
    let cells = view.found_cells();
    let class = |row| if view.takes_part(row) { "" } else { "is-out" };
    map(view, cells.iter(), class, |cell| {
        let MapCell { value, colours } = cell;
        html! { td data-ground=(colours[0]) data-ink=(colours[1]) { (value) } }
    })
}

fn map<T>(
    view: &DrawView<'_>,
    mut cells: impl Iterator<Item = T>,
    class: impl Fn(usize) -> &'static str,
    cell: impl Fn(T) -> Markup,
) -> Markup {
    html! {
        thead { tr { td {} @for word in view.tokens { th scope="col" translate="no" { span { (word) } } } } }
        tbody class=(if view.is_dense() { "is-dense" } else { "" }) {
            @for (row, word) in view.tokens.iter().enumerate() {
                tr class=(class(row)) {
                    th scope="row" translate="no" { (word) }
                    @for own in cells.by_ref().take(view.tokens.len()) { (cell(own)) }
                }
            }
        }
    }
}

/// The distance over the steps, and what remains over d_k.
pub fn charts(view: &DrawView<'_>) -> Markup {
    named_charts(&view.charts())
}

/// Reasons for the distance that remains at this size.
pub fn reasons(view: &DrawView<'_>) -> Markup {
    html! { @for reason in view.reasons() { li { (symbols(&reason)) } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::present::draw::lab::DrawLab;
    use crate::present::painted_grid::GridEvent;
    use crate::scene::colour::{Background, Lut};
    use crate::views::tests::between;

    fn lab(text: &str) -> DrawLab {
        let tokens: Vec<String> = text.split(' ').map(str::to_owned).collect();
        DrawLab::new(&tokens)
    }

    fn shown(lab: &DrawLab, view: impl Fn(&DrawView<'_>) -> Markup) -> String {
        let lut = Lut::mask(Background::Light);
        view(&lab.view(&lut, 600.0, Language::En)).into_string()
    }

    #[test]
    fn the_target_is_a_grid_with_one_stop_whose_painted_cells_are_selected() {
        let mut lab = lab("the <cat> sat");
        lab.take(GridEvent::Key(0, "ArrowDown"));
        let markup = shown(&lab, target);
        assert_eq!(markup.matches("role=\"gridcell\"").count(), 9);
        assert_eq!(
            between(&markup, "tabindex=\"0\" aria-selected=\"", "\""),
            ["true"]
        );
        assert_eq!(markup.matches("aria-selected=\"true\"").count(), 2);
        assert!(
            markup.contains("aria-label=\"&lt;cat&gt; → the 1.0\""),
            "{markup}"
        );
        let found = shown(&lab, found);
        assert_eq!(found.matches("<td data-ground").count(), 9);
        assert!(!found.contains("gridcell"));
        // The first word has none before it.
        assert_eq!(found.matches("is-out").count(), 1);
        assert_eq!(
            between(&found, "is-out", "</tr>")[0]
                .matches("></td>")
                .count(),
            3
        );
    }

    #[test]
    fn long_sentences_have_no_numbers_and_are_cut() {
        let many: Vec<String> = (0..30).map(|at| format!("w{at}")).collect();
        let lab = DrawLab::new(&many);
        let markup = shown(&lab, target);
        assert_eq!(markup.matches("gridcell").count(), 24 * 24);
        assert!(markup.contains("is-dense") && !markup.contains(".00"));
        let lut = Lut::mask(Background::Light);
        let view = lab.view(&lut, 600.0, Language::En);
        assert!(view.cut().contains("30 tokens") && view.cut().contains("24"));
    }

    #[test]
    fn curves_and_numbers_follow_the_descent() {
        let mut lab = lab("a b c d e");
        for _ in 0..40 {
            assert_eq!(lab.step().ok(), Some(true));
        }
        lab.begin_sweep();
        while lab.swept() < 2 {
            assert_eq!(lab.step_sweep().ok(), Some(true));
        }
        let curves = shown(&lab, charts);
        assert_eq!(curves.matches("<figure>").count(), 2);
        assert_eq!(curves.matches("curve own").count(), 2);
        let lut = Lut::mask(Background::Light);
        let view = lab.view(&lut, 600.0, Language::En);
        assert!(
            view.progress().starts_with("step 40 of 1000"),
            "{}",
            view.progress()
        );
        assert!(
            view.remaining().starts_with("d_k\u{a0}1:\u{a0}0."),
            "{}",
            view.remaining()
        );
        assert!(view.remaining().contains("\u{a0}· d_k\u{a0}2:"));
    }
}
