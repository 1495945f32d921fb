//! How the chosen cell was computed. Numbers are buttons that lead to their cell (`data-step`, `data-row`, `data-column`); `data-unfold`
//! shows every term or the largest alone.

wasm_chunks::chunk!("more");

mod backward;
mod formula;
mod lines;
mod terms;

pub use formula::formula;

use super::{Markup, html, symbols};
use crate::i18n::number;
use crate::i18n::{Language, text};
use crate::present::names;
use crate::present::run::Run;
use crate::present::steps::explain::{Explanation, Operand};
use crate::present::steps::explanation_text::{self, Names};
use crate::scene::layout::Side;
use crate::state::StepKind;

/// Whole numbers below this are written without digits after the point.
const COUNTED: f64 = 1000.0;

/// The cell's row, column and value; `side` is the meaning of its row.
pub fn cell(explanation: &Explanation, side: Side, run: &Run, language: Language) -> Markup {
    let Names {
        row,
        column,
        has_key,
    } = explanation_text::names(explanation.place, run, language);
    let value = explanation.computed.map_or_else(
        || "–".to_owned(),
        |value| explanation_text::value(explanation, value),
    );
    // Keys have their hue, components and words of the vocabulary have none.
    let (arrow, column_side) = if has_key {
        ("→", Side::Keys)
    } else {
        ("·", Side::Neither)
    };
    super::cell([side, column_side], [&row, arrow, &column, &value])
}

/// Computation of the cell, in one sentence.
pub fn sentence(explanation: &Explanation, run: &Run, language: Language) -> Markup {
    symbols(&explanation_text::sentence(explanation, run, language))
}

/// A map of each step that the number was computed from, with its name below it.
pub fn sources(steps: &[StepKind], language: Language) -> Markup {
    html! {
        @for step in steps {
            span class="source" data-of=(step.name()) {
                canvas data-heatmap=(step.name()) {}
                span class="name" { (names::step(*step, language)) }
            }
        }
    }
}

/// The numbers that went in, the terms, and a note where the digits shown are not those of the run.
pub fn terms(
    explanation: &Explanation,
    run: &Run,
    language: Language,
    is_unfolded: bool,
) -> Markup {
    html! {
        (lines::lines(explanation, language))
        (terms::table(explanation, run, language, is_unfolded))
        (rounding(explanation, language))
    }
}

fn rounding(explanation: &Explanation, language: Language) -> Markup {
    let differs = |(value, computed): (f64, f32)| {
        let written = written(value);
        (written != number::exact(computed)).then_some(written)
    };
    let note = explanation
        .value
        .zip(explanation.computed)
        .and_then(differs);
    html! {
        @if let Some(value) = note {
            p class="note" { (text::inspector_rounding(language, &value)) }
        }
    }
}

/// A number, as a button that leads to its place where it has one.
fn number_of(operand: &Operand) -> Markup {
    let Some(place) = operand.place else {
        return html! { (counted(operand.value)) };
    };
    html! {
        button type="button" data-step=(place.step.name()) data-row=(place.row) data-column=(place.column) {
            (written(operand.value))
        }
    }
}

/// Formats distances, zeros and ones without rounding.
fn counted(value: f64) -> String {
    if value == value.trunc() && value.abs() < COUNTED {
        number::short(value as f32)
    } else {
        written(value)
    }
}

fn written(value: f64) -> String {
    number::exact(value as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::Run;
    use crate::present::run::tests::computed;
    use crate::present::steps::explain::{CellRef, explain};
    use crate::state::StepKind;
    use crate::views::patch::diff;

    fn explained(run: &Run, step: StepKind, row: usize, column: usize) -> Explanation {
        let place = CellRef { step, row, column };
        let numbers = run.numbers(0).expect("the numbers of the head");
        explain(&numbers, &run.state, place).expect("a cell of the run")
    }

    const LINK: &str = "text=a+<b>+c+d+e+f+g+h+i+j&heads=1&weights=random";

    #[test]
    fn the_largest_terms_stand_there_until_all_are_asked_for() {
        let run = computed(LINK);
        let softmax = explained(&run, StepKind::Weights, 0, 1);
        let lines = |markup: &Markup| markup.0.matches("<tr").count();
        let folded = terms(&softmax, &run, Language::En, false);
        let unfolded = terms(&softmax, &run, Language::En, true);
        // A header, eight terms, the others' sum and the sum; a header, twelve terms and the sum.
        assert_eq!((lines(&folded), lines(&unfolded)), (11, 14));
        assert!(folded.0.contains("aria-expanded=\"false\""), "{}", folded.0);
        assert!(
            unfolded.0.contains("aria-expanded=\"true\""),
            "{}",
            unfolded.0
        );
        let edits = diff(&folded.0, &unfolded.0).expect("both are markup");
        assert!(!format!("{edits:?}").contains("data-unfold"), "{edits:?}");
    }

    #[test]
    fn tokens_are_text_and_never_markup() {
        let run = computed(LINK);
        let softmax = explained(&run, StepKind::Weights, 0, 1);
        let cell = cell(&softmax, Side::Queries, &run, Language::En);
        let terms = terms(&softmax, &run, Language::En, true);
        for markup in [cell, terms] {
            assert!(markup.0.contains(">&lt;</span>"), "{}", markup.0);
        }
    }

    #[test]
    fn every_number_of_a_product_leads_to_its_cell() {
        let run = computed(LINK);
        let score = explained(&run, StepKind::Scores, 2, 3);
        let markup = terms(&score, &run, Language::En, true).0;
        let width = run.state.d_k;
        let keys = markup.matches("data-step=\"k\" data-row=\"3\"").count();
        let queries = markup.matches("data-step=\"q\" data-row=\"2\"").count();
        assert_eq!((queries, keys), (width, width), "{markup}");
    }

    #[test]
    fn mixtures_of_keys_are_not_called_keys() {
        let heading = |link: &str, step| {
            let run = computed(link);
            let markup = terms(&explained(&run, step, 0, 1), &run, Language::En, false).0;
            let heading = markup.split_once("<th scope=\"col\">").expect("a table").1;
            heading.split('<').next().unwrap_or_default().to_owned()
        };
        let link = "text=a+b+c&heads=1&weights=random&open=steps";
        let short = format!("{link}&linformer=1&projected=2");
        assert_eq!(heading(link, StepKind::Weights), "key");
        assert_eq!(heading(&short, StepKind::Weights), "mixture");
        assert_eq!(heading(&short, StepKind::Context), "mixture");
        assert_eq!(heading(&short, StepKind::ShortKeys), "key");
    }

    #[test]
    fn a_bias_is_said_where_it_is_added() {
        let run = computed("text=a+b&heads=1&step=q&open=steps");
        let said = |step| sentence(&explained(&run, step, 0, 1), &run, Language::En).0;
        assert!(said(StepKind::Queries).ends_with("The bias b of that column is added."));
        assert!(!said(StepKind::Keys).contains("bias"));
    }

    #[test]
    fn rows_of_a_gradient_are_tokens_and_its_columns_components() {
        let run = computed("weights=learned&trained=1&d_model=8&text=the+fox+it+ill&open=steps");
        for step in [
            StepKind::Residual,
            StepKind::OutputGradient,
            StepKind::ValuesGradient,
            StepKind::QueriesGradient,
            StepKind::KeysGradient,
        ] {
            let said = sentence(&explained(&run, step, 2, 4), &run, Language::En).0;
            let has = |part: &str| said.to_lowercase().contains(part);
            assert!(has("component 5") && has("“it”"), "{step:?}: {said}");
        }
        let said = sentence(
            &explained(&run, StepKind::WeightsGradient, 2, 1),
            &run,
            Language::En,
        )
        .0;
        assert!(said.contains("of “it” times the value of “fox”"), "{said}");
    }

    #[test]
    fn weight_matrices_and_logits_are_explained_by_components_and_words() {
        let run = computed("weights=learned&trained=1&d_model=8&text=the+fox+it+ill&open=steps");
        let said = |step, row, column, language| {
            sentence(&explained(&run, step, row, column), &run, language).0
        };
        for step in [
            StepKind::OutputWeightsGradient,
            StepKind::QueryWeightsGradient,
            StepKind::KeyWeightsGradient,
            StepKind::ValueWeightsGradient,
        ] {
            let english = said(step, 6, 4, Language::En);
            assert!(
                english.contains("omponent 7") && english.contains("component 5"),
                "{english}"
            );
            let chinese = said(step, 6, 4, Language::Zh);
            assert!(
                chinese.contains("第 7 个分量") && chinese.contains("第 5 个分量"),
                "{chinese}"
            );
        }
        let word = format!("“{}”", run.word(4));
        for language in Language::ALL {
            let of_word = |step, row| said(step, row, 4, language);
            assert!(of_word(StepKind::Logits, 2).contains(&word));
            assert!(of_word(StepKind::LogitsGradient, 2).contains(&word));
            assert!(!of_word(StepKind::LogitsGradient, 1).contains(&word));
            let cell = cell(
                &explained(&run, StepKind::Logits, 2, 4),
                Side::Queries,
                &run,
                language,
            )
            .0;
            assert!(
                cell.contains(run.word(4)) && !cell.contains("is-key-text"),
                "{cell}"
            );
        }
    }

    #[test]
    fn every_step_of_a_model_has_a_formula_and_a_table_or_is_read() {
        let run = computed("weights=learned&trained=1&d_model=8&text=the+fox+it+ill&open=steps");
        let backward = run
            .steps
            .iter()
            .skip_while(|step| **step != StepKind::Logits);
        for step in backward {
            let explanation = explained(&run, *step, 2, 3);
            let formula = formula(&explanation, &run.config).0;
            assert!(formula.contains("<mo>=</mo>"), "{step:?}: {formula}");
            for language in Language::ALL {
                let markup = terms(&explanation, &run, language, false).0;
                assert!(markup.contains("<tfoot>"), "{step:?}: {markup}");
            }
        }
        let unasked = explained(&run, StepKind::LogitsGradient, 0, 4);
        assert_eq!(formula(&unasked, &run.config).0, "");
        let others = explained(&run, StepKind::NormedGradient, 2, 4);
        assert!(
            terms(&others, &run, Language::En, false)
                .0
                .contains("other heads")
        );
    }

    #[test]
    fn a_formula_stands_for_every_way_that_has_one() {
        let run = computed(LINK);
        let formula = |step| formula(&explained(&run, step, 1, 2), &run.config).0;
        assert!(formula(StepKind::Scaled).contains("<msqrt>"));
        assert!(formula(StepKind::Weights).starts_with("<math display=\"block\">"));
        assert_eq!(formula(StepKind::Input), "");
    }
}
