//! Rules with their answers, and single numbers with their names.

use super::terms::only;
use super::{Markup, html, number_of};
use crate::i18n::{Key, Language};
use crate::present::steps::explain::{Explanation, Line, What};
use crate::present::steps::explanation_text::asked;

pub(super) fn lines(explanation: &Explanation, language: Language) -> Markup {
    let taken = only(explanation).filter(|operand| operand.place.is_some());
    let numbers = || explanation.before.iter().chain(&explanation.after);
    let is_empty = explanation.rules.is_empty() && numbers().next().is_none() && taken.is_none();
    if is_empty {
        return Markup::default();
    }
    html! {
        dl {
            @for rule in &explanation.rules {
                @let (question, answer) = asked(*rule, explanation.place, language);
                dt { (question) } dd { (answer) }
            }
            @for line in numbers() { dt { (name(line.what).text(language)) } dd { (value(line)) } }
            @if let Some(operand) = taken {
                dt { (Key::LineTaken.text(language)) } dd { (number_of(operand)) }
            }
        }
        // How rules are taken together where several reach keys: these are not asked one by one.
        @if explanation.rules.iter().filter(|rule| rule.reason.is_reach()).count() > 1 {
            p class="note" { (Key::AskReach.text(language)) }
        }
    }
}

fn value(line: &Line) -> Markup {
    match line.what {
        What::Position | What::Target => html! { (line.operand.value) },
        _ => number_of(&line.operand),
    }
}

fn name(what: What) -> Key {
    match what {
        What::Position => Key::LinePosition,
        What::Divisor => Key::LineDivisor,
        What::Angle => Key::LineAngle,
        What::Largest => Key::LineLargest,
        What::LargestLogit => Key::LineLargestLogit,
        What::Temperature => Key::LineTemperature,
        What::Sum => Key::LineSum,
        What::Own => Key::LineOwn,
        What::Taken => Key::LineTaken,
        What::Mean => Key::LineMean,
        What::Deviation => Key::LineDeviation,
        What::NormScale => Key::LineNormScale,
        What::NormShift => Key::LineNormShift,
        What::Weight => Key::StepWeights,
        What::WeightGradient => Key::StepWeightsGradient,
        What::Probability => Key::LineProbability,
        What::Target => Key::LineTarget,
        What::Normalized => Key::LineNormalized,
        What::MeanGradient => Key::LineMeanGradient,
        What::MeanAlong => Key::LineMeanAlong,
    }
}
