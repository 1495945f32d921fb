//! Sentences about costs.

use super::benchmark::{Benchmark, End, MOST_BYTES};
use super::{CostSetting, Line};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use attention::complexity::{Crossing, growth, total};
use attention::plan::Operation;
use engine::Backend;

/// Returns the name of an operation.
pub fn operation(operation: Operation) -> Key {
    match operation {
        Operation::AddPositions(_) => Key::CostAddPositions,
        Operation::ProjectQueries => Key::CostQueries,
        Operation::ProjectKeys => Key::CostKeys,
        Operation::ProjectValues => Key::CostValues,
        Operation::NormQueries => Key::CostNormQueries,
        Operation::NormKeys => Key::CostNormKeys,
        Operation::RotateQueries => Key::CostRotateQueries,
        Operation::RotateKeys => Key::CostRotateKeys,
        Operation::ShortenKeys => Key::CostShortenKeys,
        Operation::ShortenValues => Key::CostShortenValues,
        Operation::DotScores | Operation::AdditiveScores => Key::CostScores,
        Operation::Scale => Key::CostScale,
        Operation::Cap => Key::CostCap,
        Operation::Bias => Key::CostBias,
        Operation::AddBias => Key::CostAddBias,
        Operation::Mask => Key::CostMask,
        Operation::Softmax => Key::CostSoftmax,
        Operation::HideWeights => Key::CostHideWeights,
        Operation::WeightedSum => Key::CostWeightedSum,
        Operation::MergeHeads => Key::CostMergeHeads,
        Operation::ProjectOutput => Key::CostOutput,
    }
}

/// Where two curves cross: which of them is the cheaper one before it and after it.
pub fn crossing(language: Language, one: Line, other: Line, crossing: &Crossing) -> String {
    let (before, after) = if crossing.first_is_smaller_before {
        (one, other)
    } else {
        (other, one)
    };
    let n = length(crossing.n);
    text::cost_crossing(language, &n, &before.name(language), &after.name(language))
}

/// Progress of a series, or why it ended.
pub fn stands(language: Language, series: &Benchmark) -> String {
    let name = backend(series.backend).text(language);
    let last = series.points.last().map_or(0, |point| point.n);
    let n = series.next().unwrap_or(last);
    match &series.end {
        None => text::cost_goes_on(language, &name, &n),
        Some(End::Reached) => text::cost_reached(language, &name, &n),
        Some(End::Stopped) if series.points.is_empty() => text::cost_stopped_first(language, &name),
        Some(End::Stopped) => text::cost_stopped(language, &name, &n),
        Some(End::Slow(ms)) => text::cost_slow(language, &name, &n, &number::milliseconds(*ms)),
        Some(End::Memory(bytes)) => {
            let (bytes, most) = (written(*bytes), written(MOST_BYTES));
            text::cost_memory_end(language, &name, &n, &bytes, &most)
        }
        Some(End::Refused(cause)) => text::cost_refused(language, &name, cause),
    }
}

/// Returns the name of a backend.
pub(super) fn backend(backend: Backend) -> Key {
    match backend {
        Backend::Cpu => Key::BackendProcessor,
        Backend::WebGpu => Key::BackendGraphics,
    }
}

fn written(bytes: u64) -> String {
    number::si(bytes as f64, "B")
}

/// Describes the growth of a series' time next to that of its FLOPs; `None` for too few points.
pub fn grew(language: Language, series: &Benchmark, setting: &CostSetting) -> Option<String> {
    let time = series.growth()?;
    let counted: Vec<(f64, f64)> = (series.timed().into_iter())
        .map(|(n, _)| (n, total(&setting.at(n as usize)).flops as f64))
        .collect();
    let work = growth(&counted)?;
    let exponent = |exponent: f64| format!("{exponent:.2}");
    Some(text::cost_grew(
        language,
        &backend(series.backend).text(language),
        &length(time.from),
        &length(time.to),
        &exponent(time.exponent),
        &exponent(work.exponent),
    ))
}

/// A length as a whole number.
fn length(n: f64) -> String {
    format!("{n:.0}")
}

#[cfg(test)]
mod tests {
    use super::super::Load;
    use super::*;

    #[test]
    fn a_series_that_was_stopped_before_its_first_length_says_so() {
        let mut series = Benchmark::new(Backend::Cpu, 64);
        series.end(End::Stopped);
        let said = stands(Language::En, &series);
        assert_eq!(said, "processor: stopped before a length was measured.");
        let mut series = Benchmark::new(Backend::WebGpu, 256);
        while series.points.is_empty() {
            series.took(1.0, |_| Load {
                bytes: 1,
                flops: 1.0,
            });
        }
        series.end(End::Stopped);
        let said = stands(Language::En, &series);
        assert_eq!(said, "graphics card: stopped after n = 64.");
    }
}
