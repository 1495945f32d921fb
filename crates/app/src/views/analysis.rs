//! The analysis panel: all heads as a table, the chosen one in words and in charts, and how alike the heads are.

wasm_chunks::chunk!("more");

use super::head_table::head_table;
use super::similar_heads::similar_heads;
use super::{Markup, html, kept, save_button};
use crate::i18n::number::exact;
use crate::i18n::{Key, Language, text};
use crate::present::analysis_panel::{AnalysisPanel, Bars, MOST_OUTLINED, size};
use crate::present::head_patterns::{Scene, caveat, label, why};
use crate::present::head_table::HeadTable;
use crate::present::names;
use crate::present::panel::{PageOfPanel, PanelContext};
use crate::present::run::Run;
use crate::present::similar_heads::SimilarHeads;
use crate::scene::bar_chart;
use crate::scene::cell_outline;
use crate::state::StepKind;
use attention::analysis::{BINS, Places, entropy_limit};

/// Bars up to which each has its token below it.
const MOST_LABELS: usize = 24;

/// Keys that lead from bar to bar, or from pair to pair.
const KEYS: &str = "ArrowLeft ArrowRight ArrowUp ArrowDown PageUp PageDown Home End Enter Space";

/// The body of the panel, once there are numbers.
pub fn panel(
    panel: &AnalysisPanel,
    page: &PageOfPanel<'_>,
    context: PanelContext<'_>,
) -> Option<Markup> {
    let (run, head, language) = (page.run?, page.head, context.language);
    let note = caveat(run, language);
    let table = kept(&panel.table, (language, panel.sort()), || {
        head_table(&HeadTable::new(run, head, panel.sort(), language))
    });
    let (defined, definition) = match panel.column() {
        Some(column) => (column.title().text(language), column.meaning()),
        None => ("", Key::AnalysisSort),
    };
    Some(html! {
        p class="note" id="analysis-note" hidden[note.is_empty()] { (note) }
        div class="analysis-table" tabindex="0" role="region" aria-label=(Key::AnalysisHeads.text(language)) {
            table id="analysis-heads" { (table) }
        }
        p class="definition" {
            b id="analysis-defined" { (defined) } " "
            span id="analysis-definition" aria-live="polite" { (definition.text(language)) }
        }
        p class="analysis-reading" id="analysis-reading" { (reading(run, head, language)) }
        div class="analysis-charts" {
            (miniature(run, page, language))
            @for chart in Bars::ALL { (bars(chart, panel, page, run, language)) }
            (similar(panel, page, run, context))
        }
    })
}

/// Pattern of a head, and the reason for it.
fn reading(run: &Run, head: usize, language: Language) -> Markup {
    let scene = Scene::from_run(run);
    let found = run.findings().heads.get(head).map(|found| &found.reading);
    html! {
        b { (names::unparted(&names::head(run, head, language))) }
        @if let Some(found) = found {
            " " strong { (label(language, found, scene)) }
            " " span { (why(language, found, scene)) }
        }
    }
}

/// A small copy of the chosen head's map, so that what the charts point out is visible beside them.
fn miniature(run: &Run, page: &PageOfPanel<'_>, language: Language) -> Markup {
    let (size, row) = (size(run), page.row);
    let [rows, columns] = [size.0, size.1].map(|side| side.max(1));
    let key = page.pointed.key.filter(|_| page.shows_pairs());
    let cell = key.map_or_else(String::new, |key| cell_outline::place(size, row, Some(key)));
    let lit = page
        .lit
        .iter()
        .filter(|cell| cell.step == StepKind::Weights);
    let lit: Vec<_> = lit.map(|cell| (cell.row, cell.column)).collect();
    let query = run.query(row);
    let weight = key.and_then(|key| Some((key, run.row(page.head, row).get(key)?)));
    let value = match weight {
        Some((key, weight)) => format!("{query} → {}: {}", run.key(key), exact(*weight)),
        None => query.to_owned(),
    };
    html! {
        figure id="chart-map" {
            figcaption { (Key::ChartMap.text(language)) }
            p class="reads" aria-hidden="true" { span class="value" { (value) } }
            div class="small-map" aria-hidden="true" data-plot="map" data-rows=(rows) data-columns=(columns) {
                canvas data-heatmap="weights" {}
                svg viewBox={ "0 0 " (columns) " " (rows) } preserveAspectRatio="none" {
                    path class="row-of" d=(cell_outline::place(size, row, None)) {}
                    path class="lit" d=(cell_outline::cells(&lit)) {}
                    path class="cell-of" d=(cell) {}
                }
            }
        }
    }
}

/// A chart that can be read bar by bar.
fn bars(
    chart: Bars,
    panel: &AnalysisPanel,
    page: &PageOfPanel<'_>,
    run: &Run,
    language: Language,
) -> Markup {
    let (title, meaning, keys, picture) = match chart {
        Bars::Entropy => (
            Key::ChartEntropy,
            Key::ChartEntropyMeaning,
            Key::ChartPoint,
            "entropy",
        ),
        Bars::Itself => (
            Key::ChartItself,
            Key::ChartItselfMeaning,
            Key::ChartPoint,
            "itself",
        ),
        Bars::First => (
            Key::ChartFirst,
            Key::ChartFirstMeaning,
            Key::ChartPoint,
            "first",
        ),
        Bars::Weights => (
            Key::ChartWeights,
            Key::ChartWeightsMeaning,
            Key::ChartPointBins,
            "histogram",
        ),
    };
    let is_there = match chart {
        Bars::Itself => run.places() == Places::Same,
        Bars::First => run.places() != Places::None,
        Bars::Entropy | Bars::Weights => true,
    };
    let drawn = chart.chart(run, page.head).unwrap_or_default();
    let (bar, count) = (panel.bar(chart, page), drawn.values.len());
    let plot = bar_chart::unit_plot(count);
    let said = bar
        .and_then(|bar| said(chart, bar, run, page.head, language))
        .unwrap_or_default();
    let id = format!("chart-{}", chart.name());
    let (meaning_id, keys_id) = (format!("{id}-meaning"), format!("{id}-keys"));
    let title = title.text(language);
    let led = if panel.is_over(chart) {
        format!("{KEYS} Escape")
    } else {
        KEYS.to_owned()
    };
    html! {
        figure class="columns" id=(id) hidden[!is_there] {
            figcaption class="with-save" { span { (title) } (save_button(picture, page.state, language)) }
            p class="reads" { span class="value" { (said) } span class="top" aria-hidden="true" { (top(chart, run, page.head, drawn.top, language)) } }
            div class="plot" tabindex="0" role="slider" aria-orientation="horizontal" aria-label=(title) aria-describedby={ (meaning_id) " " (keys_id) }
                aria-valuenow=(bar.unwrap_or(0) + 1) aria-valuemax=(count.max(1)) aria-valuetext=(said) data-plot=(chart.name()) data-keys=(led) {
                svg viewBox={ "0 0 " (count.max(1)) " 1" } preserveAspectRatio="none" aria-hidden="true" {
                    path class="place" d=(bar_chart::place(bar, count)) {}
                    path class="bars" d=(drawn.bars(plot)) {}
                    path class="bar" d=(drawn.bar(plot, bar)) {}
                    path class="caps" d=(drawn.limits(plot)) {}
                }
            }
            ol class="ends" aria-hidden="true" { @for label in labels(chart, run) { li { span { (label) } } } }
            p class="note" id=(meaning_id) { (meaning.text(language)) }
            p class="unseen" id=(keys_id) { (keys.text(language)) }
        }
    }
}

/// What stands below the bars, where there is room for all of it.
fn labels(chart: Bars, run: &Run) -> Vec<&str> {
    match chart {
        Bars::Weights => vec!["0", "1"],
        _ if run.queries.len() > MOST_LABELS => Vec::new(),
        _ => run.queries.iter().map(String::as_str).collect(),
    }
}

/// What stands at the upper end of a chart.
fn top(chart: Bars, run: &Run, head: usize, top: f64, language: Language) -> String {
    match chart {
        Bars::Entropy => text::nats(language, &format_args!("{top:.2}")),
        Bars::Itself | Bars::First => "1".to_owned(),
        Bars::Weights => {
            let counts = run.histogram(head).unwrap_or_default();
            counts.into_iter().max().unwrap_or(0).to_string()
        }
    }
}

/// What a bar means.
fn said(chart: Bars, bar: usize, run: &Run, head: usize, language: Language) -> Option<String> {
    let stats = run.reply.stats.get(head)?;
    let of_token = |said: &dyn std::fmt::Display| {
        let token = run.queries.get(bar).map_or("", String::as_str);
        format!("{token}: {said}")
    };
    Some(match chart {
        Bars::Entropy => {
            let most = entropy_limit(run.findings().visible.count(bar));
            let value = format!("{:.2}", stats.entropy_per_query.get(bar)?);
            of_token(&text::analysis_of_most(
                language,
                &value,
                &format_args!("{most:.2}"),
            ))
        }
        Bars::Itself => of_token(&format_args!("{:.3}", stats.self_weight.get(bar)?)),
        Bars::First => of_token(&format_args!("{:.3}", run.row(head, bar).first()?)),
        Bars::Weights => cells(bar, &run.histogram(head).unwrap_or_default(), language),
    })
}

/// "0.10 to 0.15: 7 of 121 cells", and that they are too many to be outlined.
fn cells(bin: usize, histogram: &[u32; BINS], language: Language) -> String {
    let edge = |at: usize| format!("{:.2}", at as f64 / BINS as f64);
    let count = histogram.get(bin).copied().unwrap_or(0);
    let all: u32 = histogram.iter().sum();
    let said = text::analysis_cells(language, &edge(bin), &edge(bin + 1), &count, &all);
    if count <= MOST_OUTLINED {
        return said;
    }
    format!("{said} · {}", Key::AnalysisCellsMany.text(language))
}

/// How alike every two heads are.
fn similar(
    panel: &AnalysisPanel,
    page: &PageOfPanel<'_>,
    run: &Run,
    context: PanelContext<'_>,
) -> Markup {
    let language = context.language;
    let shown = panel.similar.get(language, || {
        let (heads, lut) = ((run.heads(), page.head), &context.colours.lut);
        SimilarHeads::new(&run.findings().similarity, heads, lut, language)
    });
    let pointed = panel
        .pair()
        .and_then(|(one, other)| shown.cells.get(one * shown.heads + other));
    let value = pointed.map_or(&shown.nearest, |pair| &pair.label);
    let title = Key::ChartSimilar.text(language);
    html! {
        figure class="similar" id="chart-similar" {
            figcaption class="with-save" { span { (title) } (save_button("similar", page.state, language)) }
            p class="reads" { span class="value" { (value) } }
            table role="grid" aria-label=(title) data-dense[shown.is_dense()] data-plot="similar" data-keys={ (KEYS) " Control+Home Control+End" } {
                (kept(&panel.grid, (language, panel.stop()), || similar_heads(&shown, panel.stop())))
            }
            p class="note" { span { (Key::ChartSimilarMeaning.text(language)) } " " span id="similar-step" { (shown.step) } }
        }
    }
}
