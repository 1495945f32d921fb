//! The comparison: two settings, their maps, and their difference.

mod settings;

use super::{Markup, html, save_button, share, symbols};
use crate::i18n::{Key, Language};
use crate::present::comparison::{ComparisonPanel, Cosine, ReadCell, Row, RowKind};
use crate::scene::heatmap::Pooling;
use crate::scene::layout::Side;
use crate::state::State;

/// Measures of the table and what they mean, in groups.
const MEANINGS: [(Key, Key); 7] = [
    (Key::WeightEnds, Key::WeightEndsMeaning),
    (Key::VersusEntropy, Key::EntropyMeaning),
    (Key::VersusFlops, Key::VersusFlopsMeaning),
    (Key::VersusMemory, Key::VersusMemoryMeaning),
    (Key::VersusMoved, Key::VersusMovedMeaning),
    (Key::VersusOutput, Key::VersusOutputMeaning),
    (Key::VersusCosine, Key::VersusCosineMeaning),
];

/// The body of the panel, with the settings of A and B and how the cells of the maps were pooled.
pub fn panel(
    panel: &ComparisonPanel,
    [a, b]: [&State; 2],
    pooling: Option<Pooling>,
    language: Language,
) -> Markup {
    let why = settings::lock(a, language);
    let is_locked = why.is_some();
    html! {
        p class="when-finished" { (Key::FinishedNothing.text(language)) }
        div class="with-save" {
            fieldset class="versus-tools" data-locked[is_locked] disabled[is_locked] title=[why] aria-description=[why]
                aria-label=(Key::PanelCompare.text(language)) {
                (settings::presets(a, language))
                @for (name, key) in [("swap", Key::VersusSwap), ("take", Key::VersusTake), ("same", Key::VersusSame)] {
                    button type="button" class="plain" id={ "versus-" (name) } data-do=(name) disabled[a.overrides.is_empty()] { (key.text(language)) }
                }
            }
            (save_button("compare", a, language))
        }
        p class="note" id="versus-changed" role="status" {
            @if !panel.changed.is_empty() {
                (symbols(&panel.changed)) " "
                button type="button" class="bare" data-do="undo" { (Key::Undo.text(language)) }
            }
        }
        p class="versus-summary" id="versus-summary" aria-live="polite" { (panel.numbers.summary) }
        (maps(panel, language))
        p class="readout" { span class="cell" id="versus-cell" { (cell(&panel.read)) } span id="versus-hint" { (panel.hint) } }
        p class="unseen" id="versus-spoken" aria-live="polite" { (panel.spoken) }
        p class="map-notes" id="versus-notes" { (panel.notes.text(pooling, language)) }
        div class="versus-tables" {
            fieldset data-locked[is_locked] disabled[is_locked] title=[why] aria-description=[why]
                aria-label=(Key::VersusSettings.text(language)) { (settings::table(a, b, language)) }
            div { (numbers(panel, language)) (meanings(language)) }
        }
    }
}

/// The maps, each of two canvases, and their colour bars.
fn maps(panel: &ComparisonPanel, language: Language) -> Markup {
    let canvases = |key: &str| html! { canvas class="picture" data-heatmap=(key) {} canvas class="overlay" {} };
    let bar = |id: &str, key: &str, class: &str, name: Key, is_hidden: bool| {
        html! {
            div class=(class) id=(id) aria-label=(name.text(language)) role="img" hidden[is_hidden] { canvas data-heatmap=(key) {} }
        }
    };
    let is_off = !panel.instead.is_empty();
    html! {
        div class="versus-maps" id="versus-maps" data-outdated[panel.is_outdated] {
            figure class="of-a" {
                figcaption { b translate="no" { "A" } " " span id="versus-a-head" { (panel.heads[0]) } }
                div class="canvas" id="versus-a" tabindex="0" role="application" aria-label=(Key::VersusKeysHelp.text(language))
                    aria-describedby="versus-spoken" { (canvases("a")) }
            }
            figure class="of-b" {
                figcaption { b translate="no" { "B" } " " span id="versus-b-head" { (panel.heads[1]) } }
                div class="canvas" id="versus-b" { (canvases("b")) }
            }
            (bar("versus-bar", "bar", "bar of-both", Key::VersusBar, false))
            figure class="of-difference" id="versus-difference-figure" data-off[is_off] {
                figcaption { b translate="no" { "B − A" } }
                div class="canvas" id="versus-difference" { (canvases("difference")) }
                p id="versus-instead" { (panel.instead) }
                (bar("versus-difference-bar", "difference bar", "bar", Key::VersusDifferenceBar, panel.is_same))
            }
        }
    }
}

fn numbers(panel: &ComparisonPanel, language: Language) -> Markup {
    let list = &panel.numbers.cosines;
    html! {
        div class="wide" {
            table class="versus-numbers" id="versus-numbers" {
                caption { (Key::VersusNumbers.text(language)) }
                thead { tr {
                    th scope="col" { (Key::VersusMeasure.text(language)) }
                    @for side in ["A", "B", "B − A"] { th scope="col" translate="no" { (side) } }
                } }
                tbody { (rows(&panel.numbers.rows)) }
            }
        }
        div class="versus-cosines" id="versus-cosines-part" hidden[list.lines.is_empty()] {
            h3 { (Key::VersusCosines.text(language)) }
            ul id="versus-cosines" { (cosines(&list.lines)) }
            p id="versus-cosines-rest" { (list.rest) }
        }
    }
}

fn meanings(language: Language) -> Markup {
    html! {
        details class="meanings" {
            summary { (Key::VersusMeanings.text(language)) }
            dl { @for (name, meaning) in MEANINGS { dt { (name.text(language)) } dd { (meaning.text(language)) } } }
        }
    }
}

/// The line that reads a cell of both.
fn cell(read: &ReadCell) -> Markup {
    super::cell(
        [Side::Queries, Side::Keys],
        read.each_ref().map(String::as_str),
    )
}

/// The lines of the table.
fn rows(rows: &[Row]) -> Markup {
    html! {
        @for row in rows {
            tr data-row=(row.name) class=(class(row.kind)) {
                th scope="row" { (symbols(&row.cells[0])) }
                @for cell in &row.cells[1..] { td { (cell) } }
            }
        }
    }
}

fn class(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Setting => "is-setting",
        RowKind::Measure => "is-measure",
        RowKind::Apart => "is-apart",
    }
}

/// A line for each token, with a bar.
fn cosines(lines: &[Cosine]) -> Markup {
    html! {
        @for line in lines {
            li {
                span class="is-query-text" translate="no" { (line.token) }
                i data-share=(share(line.share)) {}
                span class="value" { (line.value) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::present::colour_style::ColourStyle;
    use crate::present::comparison::{Numbers, Pair};
    use crate::present::run::Run;
    use crate::present::run::tests::computed;
    use crate::state::ColourRange;
    use crate::views::tests::between;

    const LINK: &str = "text=the+<cat>+sat&heads=2&weights=random&open=compare";

    fn runs(of_b: &str) -> [Run; 2] {
        [computed(LINK), computed(&format!("{LINK}{of_b}"))]
    }

    fn pair([a, b]: &[Run; 2]) -> Pair<'_> {
        Pair {
            a,
            b,
            head: 1,
            range: ColourRange::default(),
            language: Language::En,
        }
    }

    #[test]
    fn settings_stand_before_what_comes_of_them_with_a_before_b() {
        let runs = runs("&mask=causal");
        let markup = rows(&Numbers::new(&pair(&runs)).rows).into_string();
        let kinds = between(&markup, " class=\"is-", "\"");
        assert!(
            kinds.is_sorted_by_key(|kind| ["setting", "measure", "apart"]
                .iter()
                .position(|own| own == kind)),
            "{kinds:?}"
        );
        let lines = between(&markup, "<tr", "</tr>");
        let cells = |at: usize| between(lines[at], "<td>", "</td>");
        assert_eq!(cells(0), ["none", "causal", ""]);
        assert!(
            lines[1].starts_with(" data-row=\"visible\""),
            "{}",
            lines[1]
        );
        assert_eq!(cells(1), ["25", "15", "−10"]);
        // The first row of B sees one key, and what is hidden is no weight.
        let [a, b, difference] = &cells(2)[..] else {
            panic!("{}", lines[2])
        };
        let ends = |run: &Run, is_seen: fn((usize, usize)) -> bool| {
            let cells = (0..25).filter(|at| is_seen((at / 5, at % 5)));
            let weights = cells.map(|at| run.row(1, at / 5)[at % 5]);
            let (least, most) = weights.fold((1.0_f32, 0.0_f32), |(least, most), weight| {
                (least.min(weight), most.max(weight))
            });
            format!("{least:.3} … {most:.3}")
        };
        assert_eq!(*a, ends(&runs[0], |_| true));
        assert_eq!(*b, ends(&runs[1], |(query, key)| key <= query));
        assert!(b.ends_with(" 1.000") && difference.is_empty(), "{b}");
    }

    #[test]
    fn names_of_settings_have_their_symbols() {
        let runs = runs("&scaled=0");
        let markup = rows(&Numbers::new(&pair(&runs)).rows).into_string();
        assert!(
            markup.contains("<var>√d<span class=\"unseen\">_</span><sub>k</sub></var>"),
            "{markup}"
        );
    }

    #[test]
    fn what_random_matrices_cannot_show_is_said() {
        let said = |of_b: &str| pair(&runs(of_b)).notes().text(None, Language::En);
        assert!(said("&linformer=1&projected=2").contains("E and F are random here"));
        assert!(said("&kv_heads=1").contains("not trained for sharing"));
        assert_eq!(said("&mask=causal"), "");
    }

    #[test]
    fn a_cell_is_read_with_the_weight_of_each_and_nothing_where_none_is_pointed_out() {
        let runs = runs("&mask=causal");
        let pair = pair(&runs);
        let markup = cell(&pair.read(Some(0), Some(2))).into_string();
        assert_eq!(between(&markup, "\">", "</span>")[..3], ["the", "→", "cat"]);
        let weight = crate::i18n::number::exact(runs[0].row(1, 0)[2]);
        let value = between(&markup, "class=\"value\">", "<")[0];
        assert!(
            value.contains(&weight) && value.contains("hidden"),
            "{value}"
        );
        let markup = cell(&pair.read(Some(0), None)).into_string();
        assert!(
            markup.ends_with("<span class=\"value\"></span>"),
            "{markup}"
        );
    }

    #[test]
    fn each_token_has_a_bar_of_its_cosine() {
        let runs = runs("");
        let markup = cosines(&Numbers::new(&pair(&runs)).cosines.lines).into_string();
        assert_eq!(
            between(&markup, "translate=\"no\">", "</span>"),
            ["the", "&lt;", "cat", "&gt;", "sat"]
        );
        assert_eq!(
            between(&markup, "<i data-share=\"", "\"></i>"),
            ["1.000"; 5]
        );
    }

    #[test]
    fn a_difference_is_on_a_scale_of_its_own_and_hides_what_neither_sees() {
        let runs = runs("&mask=causal");
        let pair = pair(&runs);
        let (values, hidden) = pair.difference().expect("the same columns");
        assert_eq!(values[2], runs[1].row(1, 0)[2] - runs[0].row(1, 0)[2]);
        assert!(!hidden.is_hidden(0, 2), "A sees it");
        let colours = ColourStyle::plain();
        let [weights, difference] = pair.styles(&colours, &values);
        assert_eq!(weights.scale.top(), 1.0, "of the larger one");
        let largest = values
            .iter()
            .fold(0.0_f32, |most, value| most.max(value.abs()));
        assert!(difference.scale.is_symmetric() && difference.scale.top() >= largest);
        let both = [
            computed(&format!("{LINK}&mask=causal")),
            computed(&format!("{LINK}&mask=causal")),
        ];
        let (_, hidden) = super::tests::pair(&both).difference().expect("the same");
        assert!(hidden.is_hidden(0, 2) && !hidden.is_hidden(2, 0));
        let short = self::runs("&linformer=1&projected=2");
        assert!(super::tests::pair(&short).difference().is_none());
    }
}
