//! The measurement: progress, times, and how they grow.

use web_sys::Element;

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::panels::keyed_list::{Row, Rows};
use crate::engine::Backend;
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::present::cost::{Benchmark, CostSetting, MOST_BYTES, Point, grew, rate, stands};

/// Table and sentences.
pub(super) struct Timings {
    intro: Text,
    said: Rows<Sentence>,
    place: Element,
    rows: Rows<LengthRow>,
    grew: Rows<Sentence>,
    scaled: Text,
    stale: Text,
}

struct Sentence(Element, Text);

impl Row for Sentence {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let element: Element = dom::append(parent, "li", "")?;
        Some(Self(element.clone(), Text::new(element)))
    }

    fn element(&self) -> &Element {
        &self.0
    }
}

struct LengthRow {
    element: Element,
    n: Text,
    times: [Text; 2],
}

impl Row for LengthRow {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let element: Element = dom::append(parent, "tr", "")?;
        let n: Element = dom::append(&element, "th", "")?;
        dom::set(&n, "scope", "row");
        let time = || dom::append::<Element>(&element, "td", "").map(Text::new);
        Some(Self {
            n: Text::new(n),
            times: [time()?, time()?],
            element,
        })
    }

    fn element(&self) -> &Element {
        &self.element
    }
}

impl Timings {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            intro: Text::find(root, "#cost-try-note")?,
            said: Rows::new(root.find("#cost-said")?),
            place: root.find("#cost-measured")?,
            rows: Rows::new(root.find("#cost-times")?),
            grew: Rows::new(root.find("#cost-grew")?),
            scaled: Text::find(root, "#cost-scaled")?,
            stale: Text::find(root, "#cost-stale")?,
        })
    }

    /// `setting` is the one that was measured; `is_stale` says that it is no longer the one of the page.
    pub(super) fn update(
        &mut self,
        series: &[Benchmark],
        setting: Option<&CostSetting>,
        is_stale: bool,
        language: Language,
    ) {
        let most = number::si(MOST_BYTES as f64, "B");
        self.intro.set_text(&text::cost_try_note(language, &most));
        // One series after the other: what has not begun has nothing to say.
        let begun = series.iter().take_while(|one| one.end.is_some()).count() + 1;
        let series = &series[..begun.min(series.len())];
        say_all(
            &mut self.said,
            series
                .iter()
                .map(|series| stands(language, series))
                .collect(),
        );
        let longest = series.iter().map(|series| series.points.len()).max();
        dom::set_flag(&self.place, "hidden", longest.unwrap_or(0) == 0);
        let Some(setting) = setting else { return };
        for (at, row) in self.rows.take(longest.unwrap_or(0)).iter_mut().enumerate() {
            let points = [Backend::Cpu, Backend::WebGpu].map(|backend| point(series, backend, at));
            let n = points.iter().flatten().next().map_or(0, |point| point.n);
            row.n.set_text(&n.to_string());
            for (text, point) in row.times.iter_mut().zip(points) {
                text.set_text(
                    &point.map_or_else(|| "–".to_owned(), |p| number::milliseconds(p.ms)),
                );
            }
        }
        let grown = series
            .iter()
            .filter_map(|series| grew(language, series, setting));
        say_all(&mut self.grew, grown.collect());
        let rate = rate(setting, series).filter(|_| !is_stale);
        self.scaled.set_text(&rate.map_or_else(String::new, |rate| {
            let rate = number::si(rate, "FLOP");
            text::cost_scaled(language, &rate)
        }));
        let stale = Key::CostStale.text(language);
        self.stale.set_text(if is_stale { stale } else { "" });
    }
}

fn say_all(rows: &mut Rows<Sentence>, sentences: Vec<String>) {
    for (row, sentence) in rows.take(sentences.len()).iter_mut().zip(&sentences) {
        row.1.set_text(sentence);
    }
}

fn point(series: &[Benchmark], backend: Backend, at: usize) -> Option<&Point> {
    let of = series.iter().find(|series| series.backend == backend);
    of.and_then(|series| series.points.get(at))
}
