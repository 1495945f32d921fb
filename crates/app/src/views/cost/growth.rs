//! The growth chart as a picture, in words and in numbers.

use super::layers::layers;
use super::{Markup, columns, html, scrolled};
use crate::i18n::{Key, Language, text};
use crate::present::cost::panel::{CHART, CostPanel};
use crate::present::cost::{
    Choice, GrowthChart, GrowthSource, GrowthTable, HELD, HIGH, LOW, PROJECTIONS, crossing, written,
};
use crate::present::panel::PanelContext;
use crate::scene::line_chart::SIZE;
use crate::state::State;
use crate::views::math::{Hue, math};
use crate::views::{marked_drawing, save_button, symbols};
use attention::complexity::Measure;

/// Keys that lead to another place on the chart.
const KEYS: &str = "ArrowLeft ArrowRight ArrowUp ArrowDown Home End";

/// Height over width, within these heights.
const ASPECT: f64 = 0.42;
const HEIGHTS: (f64, f64) = (300.0, 440.0);

/// What curves can count: their values, their names, and notes on them.
const MEASURES: [(Measure, &str, Key, Key); 3] = [
    (
        Measure::Flops,
        "flops",
        Key::CostCountFlops,
        Key::CostCountFlopsNote,
    ),
    (
        Measure::Leading,
        "leading",
        Key::CostCountLeading,
        Key::CostCountLeadingNote,
    ),
    (
        Measure::Memory,
        "memory",
        Key::CostCountMemory,
        Key::CostCountMemoryNote,
    ),
];

pub(super) fn growth(
    panel: &CostPanel,
    source: &GrowthSource<'_>,
    state: &State,
    context: PanelContext<'_>,
) -> Markup {
    let (language, choice, n) = (context.language, source.choice, panel.reading());
    let text = |key: Key| key.text(language);
    let height = (context.room * ASPECT).clamp(HEIGHTS.0, HEIGHTS.1);
    let is_laid_out = context.room > 0.0;
    let drawn = is_laid_out.then(|| panel.chart(source, (context.room, height), context));
    let drawn = drawn.as_deref();
    let at = text::cost_at(language, &format_args!("{n:.0}"));
    html! {
        div class="cost-growth" {
            div class="cost-head" {
                div class="with-save" { h3 { (text(Key::CostCurves)) } (save_button("cost", state, language)) }
                (measures(choice, language))
            }
            (chart(drawn, source, (n, &at), context))
            ul class="cost-crossings" id="cost-crossings" { @if let Some(chart) = drawn { (crossings(chart, language)) } }
            (scrolled(text(Key::CostLayer), html! {
                table class="cost-table cost-layers" {
                    thead { tr {
                        th scope="col" { (text(Key::CostLayer)) }
                        th scope="col" id="cost-at" { (at) }
                        (columns([Key::CostFormula, Key::CostSequential, Key::CostPath, Key::CostDynamic, Key::CostSource].map(text)))
                    } }
                    tbody id="cost-layers" { (layers(choice, choice.values(source.setting, n), language)) }
                }
            }))
            p class="note" id="cost-letters" { (letters(source)) }
            (abbreviation("cost-whole", choice.measure == Measure::Flops, &format!("P(g) = {PROJECTIONS}"), text(Key::CostProjections)))
            (abbreviation("cost-held", choice.measure == Measure::Memory, &format!("M(g) = {HELD}"), text(Key::CostHeld)))
            @for note in [Key::CostStridedNote, Key::CostPathsNote, Key::CostPartsNote] { p class="note" { (text(note)) } }
            details id="cost-as-table" data-field="table" {
                summary { (text(Key::CostChart)) }
                (scrolled(text(Key::CostChart), html! {
                    @if let Some(chart) = drawn.filter(|_| panel.has_table()) { (growth_table(&chart.table(source))) }
                }))
            }
        }
    }
}

/// The choice of what is counted, and a note on it.
fn measures(choice: &Choice, language: Language) -> Markup {
    html! {
        fieldset class="choice small" aria-label=(Key::CostMeasureName.text(language)) {
            @for (measure, value, name, _) in MEASURES {
                label {
                    input type="radio" name="cost-count" value=(value) data-field="count" data-value=[(measure == choice.measure).then_some(value)];
                    span { (name.text(language)) }
                }
            }
        }
    }
}

/// The chart, read at `n`, which is said as `at`.
fn chart(
    drawn: Option<&GrowthChart>,
    source: &GrowthSource<'_>,
    (n, at): (f64, &str),
    context: PanelContext<'_>,
) -> Markup {
    let (language, choice) = (source.language, source.choice);
    let note = MEASURES
        .iter()
        .find(|(measure, ..)| *measure == choice.measure);
    let said = |chart: &GrowthChart| {
        let values = chart.lines.iter().filter_map(|line| {
            let value = choice.value(*line, n, source.setting)?;
            let value = written(choice.measure, value);
            Some(format!("; {} {value}", line.name(language)))
        });
        format!("{at}{}", values.collect::<String>())
    };
    let ends = |chart: &GrowthChart| {
        let plot = chart.layout.plot;
        let [left, right] = [plot.x, plot.x + plot.width].map(|x| x / context.room);
        format!("{left} {right}")
    };
    html! {
        p class="note" id="cost-count-note" { (note.map_or("", |(.., note)| note.text(language))) }
        div class="chart" id="cost-chart" tabindex="0" role="slider" aria-valuemin=(LOW) aria-valuemax=(HIGH) aria-valuenow=(format_args!("{n:.0}"))
            aria-valuetext=[drawn.map(said)] aria-label=(Key::CostReadAt.text(language)) data-plot=(CHART) data-ends=[drawn.map(ends)] data-keys=(KEYS) {
            @if let Some(chart) = drawn { (picture(chart, source, n, context.room)) }
        }
    }
}

/// The chart, with the marks of what is read at `n`.
fn picture(chart: &GrowthChart, source: &GrowthSource<'_>, n: f64, width: f64) -> Markup {
    let size = (width, chart.layout.height + 0.5 * SIZE);
    marked_drawing(size, &chart.shapes, ("reading", &chart.reading(source, n)))
}

/// The letters in formulas, with their values.
fn letters(source: &GrowthSource<'_>) -> Markup {
    let dims = &source.setting.dims;
    symbols(&text::cost_letters(
        source.language,
        &dims.heads,
        &dims.d_model,
        &dims.d_k,
        &dims.window,
        &dims.stride,
        &dims.projected,
        &dims.kernel,
    ))
}

/// An abbreviation in the formulas of layers, with its definition.
fn abbreviation(id: &str, is_shown: bool, formula: &str, meaning: &str) -> Markup {
    html! {
        p class="note" id=(id) hidden[!is_shown] { span class="formula" { (math(formula, Hue::None)) } " " span { (meaning) } }
    }
}

/// Where curves cross, or that none do.
fn crossings(chart: &GrowthChart, language: Language) -> Markup {
    html! {
        @for (one, other, at) in &chart.crossings { li { (crossing(language, *one, *other, at)) } }
        @if chart.crossings.is_empty() { li { (Key::CostNoCrossing.text(language)) } }
    }
}

/// The curves as a table.
fn growth_table(table: &GrowthTable) -> Markup {
    html! {
        table class="cost-table" {
            thead { tr { th scope="col" { "n" } (columns(table.names.iter().copied())) } }
            tbody {
                @for (n, values) in &table.rows {
                    tr { th scope="row" { (n) } @for value in values { td { (value) } } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::tests::between;

    #[test]
    fn each_length_has_a_value_below_each_curve() {
        let table = GrowthTable {
            names: vec!["full", "local"],
            rows: vec![
                (64.0, vec!["1".to_owned(), "2".to_owned()]),
                (128.0, vec!["3".to_owned(), "4".to_owned()]),
            ],
        };
        let markup = growth_table(&table).0;
        assert_eq!(
            between(&markup, "<th scope=\"col\">", "<"),
            ["n", "full", "local"]
        );
        let lines = between(&markup, "<th scope=\"row\">", "</tr>");
        assert_eq!(
            lines,
            [
                "64</th><td>1</td><td>2</td>",
                "128</th><td>3</td><td>4</td>"
            ]
        );
    }
}
