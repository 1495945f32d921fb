//! The measurement in words: progress, times, and how they grow.

use super::{Benchmark, CostSetting, MOST_BYTES, Point, grew, rate, stands};
use crate::i18n::{Key, Language, number, text};
use engine::Backend;

/// Table and sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct Timings {
    pub intro: String,
    /// How far each series is.
    pub stands: Vec<String>,
    /// Each length, with the times of processor and graphics card.
    pub times: Vec<(usize, [String; 2])>,
    /// How the times grow.
    pub grew: Vec<String>,
    pub rate: String,
    /// Note that another setting was measured; empty otherwise.
    pub stale: &'static str,
}

impl Timings {
    /// `setting` is the one that was measured; `is_stale` says that it is no longer the one of the page.
    pub fn new(
        series: &[Benchmark],
        setting: Option<&CostSetting>,
        is_stale: bool,
        language: Language,
    ) -> Self {
        // One series after the other: what has not begun has nothing to say.
        let begun = series.iter().take_while(|one| one.end.is_some()).count() + 1;
        let series = &series[..begun.min(series.len())];
        let timed = setting.filter(|_| !is_stale);
        let rate = timed.and_then(|setting| rate(setting, series));
        let grew = |setting| {
            let series = series.iter();
            series
                .filter_map(|series| grew(language, series, setting))
                .collect()
        };
        Self {
            intro: text::cost_try_note(language, &number::si(MOST_BYTES as f64, "B")),
            stands: series
                .iter()
                .map(|series| stands(language, series))
                .collect(),
            times: times(series),
            grew: setting.map_or_else(Vec::new, grew),
            rate: rate.map_or_else(String::new, |rate| {
                text::cost_scaled(language, &number::si(rate, "FLOP"))
            }),
            stale: if is_stale {
                Key::CostStale.text(language)
            } else {
                ""
            },
        }
    }
}

fn times(series: &[Benchmark]) -> Vec<(usize, [String; 2])> {
    let longest = series.iter().map(|series| series.points.len()).max();
    let line = |at| {
        let points = [Backend::Cpu, Backend::WebGpu].map(|backend| point(series, backend, at));
        let n = points.iter().flatten().next().map_or(0, |point| point.n);
        let time = |point: Option<&Point>| {
            point.map_or_else(|| "–".to_owned(), |point| number::milliseconds(point.ms))
        };
        (n, points.map(time))
    };
    (0..longest.unwrap_or(0)).map(line).collect()
}

fn point(series: &[Benchmark], backend: Backend, at: usize) -> Option<&Point> {
    let of = series.iter().find(|series| series.backend == backend);
    of.and_then(|series| series.points.get(at))
}

#[cfg(test)]
mod tests {
    use super::super::{End, Load};
    use super::*;
    use crate::state::State;

    fn measured(backend: Backend, times: usize) -> Benchmark {
        let mut series = Benchmark::new(backend, 4096);
        while series.points.len() < times {
            series.took(1.0, |_| Load {
                bytes: 1,
                flops: 1.0,
            });
        }
        series
    }

    fn timings(series: &[Benchmark], is_stale: bool) -> Timings {
        let setting = CostSetting::from_state(&State::default(), 5, 5);
        Timings::new(series, Some(&setting), is_stale, Language::En)
    }

    #[test]
    fn a_series_is_spoken_of_when_the_one_before_has_ended() {
        let mut series = [measured(Backend::Cpu, 2), measured(Backend::WebGpu, 0)];
        assert_eq!(timings(&series, false).stands.len(), 1);
        series[0].end(End::Stopped);
        assert_eq!(timings(&series, false).stands.len(), 2);
    }

    #[test]
    fn lengths_that_one_series_lacks_have_a_dash() {
        let mut series = [measured(Backend::Cpu, 1), measured(Backend::WebGpu, 2)];
        series[0].end(End::Stopped);
        let times = timings(&series, false).times;
        let line = |n, first: &str| (n, [first.to_owned(), number::milliseconds(1.0)]);
        assert_eq!(
            times,
            [line(64, &number::milliseconds(1.0)), line(128, "–")]
        );
    }

    #[test]
    fn a_rate_of_another_setting_is_not_said() {
        let series = [measured(Backend::Cpu, 3)];
        let [now, stale] = [false, true].map(|is_stale| timings(&series, is_stale));
        assert!(!now.rate.is_empty() && now.stale.is_empty());
        assert!(stale.rate.is_empty() && !stale.stale.is_empty());
    }
}
