//! The drawing panel: the target that is painted, the weights that were found, curves, and reasons for a remaining distance. Its
//! buttons are pressed (`data-do`), its fields changed (`data-field`).

wasm_chunks::chunk!("models");

use super::painted_cell::painted_cell;
use super::{Markup, html, named_charts, symbols};
use crate::i18n::{Key, Language};
use crate::present::draw::panel::DrawPanel;
use crate::present::draw::pattern::Pattern;
use crate::present::draw::view::DrawView;
use crate::present::names;
use crate::present::panel::PanelContext;
use crate::present::training::MapCell;

/// The body of the panel.
pub fn panel(panel: &DrawPanel, context: PanelContext<'_>) -> Markup {
    let (language, view) = (context.language, panel.view(context));
    let lab = panel.lab();
    let is_empty = lab.grid().is_empty();
    let sweep = if panel.is_sweeping() {
        Key::PlayerPause
    } else {
        Key::DrawSweep
    };
    html! {
        p class="about" { (symbols(Key::DrawAbout.text(language))) }
        (set_up(panel, language))
        p id="draw-cut" { (view.cut()) }
        div id="draw-lab" class="draw-lab" {
            div {
                div class="draw-head" {
                    h3 id="draw-target-name" { (Key::DrawTarget.text(language)) }
                    (button("draw-clear", "clear", Key::DrawClear, is_empty, language))
                }
                table class="draw-map" id="draw-target" role="grid" aria-multiselectable="true" aria-label=(Key::DrawTargetHelp.text(language)) {
                    (target(&view))
                }
                p { (Key::DrawHint.text(language)) }
            }
            div {
                div class="draw-head" { h3 id="draw-found-name" { (view.found_name()) } }
                table class="draw-map" id="draw-found" aria-labelledby="draw-found-name" { (found(&view)) }
                p class="draw-progress" id="draw-progress" { (view.progress()) }
                p id="draw-problem" aria-live="polite" { (panel.problem()) }
            }
        }
        ul class="draw-why" id="draw-why" aria-live="polite" { (reasons(&view)) }
        div class="chart draw-charts" id="draw-charts" { (named_charts(&view.charts())) }
        p { (button("draw-sweep", "sweep", sweep, is_empty || lab.is_swept(), language)) }
        p class="draw-remaining" id="draw-remaining" aria-live="polite" { (symbols(&view.remaining())) }
    }
}

/// Pattern and sizes, and the button that looks for projections.
fn set_up(panel: &DrawPanel, language: Language) -> Markup {
    let (lab, options) = (panel.lab(), panel.lab().options());
    let is_empty = lab.grid().is_empty();
    let find = match panel.is_finding() {
        true => Key::PlayerPause,
        false if lab.is_done() && !is_empty => Key::DrawAgain,
        false => Key::DrawFind,
    };
    html! {
        div class="draw-setup" {
            label {
                span { (Key::DrawPattern.text(language)) }
                select id="draw-pattern" autocomplete="off" data-field="pattern" data-value=(lab.pattern().name()) {
                    @for pattern in Pattern::ALL { option value=(pattern.name()) { (pattern_name(pattern).text(language)) } }
                }
            }
            label {
                span { var { "d" sub { "k" } } }
                (menu("draw-d-k", "d_k", &[1, 2, 3, 4, 5, 6, 7, 8], options.d_k))
            }
            label { span { (Key::FieldHeads.text(language)) } (menu("draw-heads", "heads", &[1, 2, 4], options.heads)) }
            label class="tick" {
                input type="checkbox" id="draw-positions" autocomplete="off" data-field="positions" data-value=(options.has_positions);
                span { (Key::DrawPositions.text(language)) }
            }
            (button("draw-find", "find", find, is_empty, language))
        }
    }
}

/// A menu of numbers.
fn menu(id: &str, field: &str, numbers: &[usize], chosen: usize) -> Markup {
    html! {
        select id=(id) autocomplete="off" translate="no" data-field=(field) data-value=(chosen) {
            @for number in numbers { option { (number) } }
        }
    }
}

fn button(id: &str, does: &str, name: Key, is_end: bool, language: Language) -> Markup {
    html! {
        button type="button" class="plain" id=(id) data-do=(does) aria-disabled=[is_end.then_some("true")] { (symbols(name.text(language))) }
    }
}

fn pattern_name(pattern: Pattern) -> Key {
    let of_head = pattern.of_head();
    match of_head.and_then(|pattern| names::pattern(&pattern)) {
        Some(name) => name,
        None if pattern == Pattern::Reverse => Key::DrawReverse,
        None if pattern == Pattern::Blocks => Key::DrawBlocks,
        None => Key::DrawOwn,
    }
}

/// The target, a grid with one stop for Tab.
fn target(view: &DrawView<'_>) -> Markup {
    let cells = view.painted_cells();
    let class = |_| "";
    map(view, cells.iter().enumerate(), class, |(at, cell)| {
        painted_cell(at, cell)
    })
}

/// The weights that were found.
fn found(view: &DrawView<'_>) -> Markup {
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

/// Reasons for the distance that remains at this size.
fn reasons(view: &DrawView<'_>) -> Markup {
    html! { @for reason in view.reasons() { li { (symbols(&reason)) } } }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let curves = shown(&lab, |view| named_charts(&view.charts()));
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
