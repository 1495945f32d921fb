//! The distance over the steps, and what remains of it over d_k.

use super::view::DrawView;
use crate::i18n::{Key, number};
use crate::present::small_chart::{LEVEL, Line, NamedChart, OWN, SmallChart};
use crate::scene::chart::Axis;
use engine::fit_run::D_KS;
use model::fit::STEPS;

/// Distances below this are shown with it: an axis of powers has no 0.
const SMALLEST: f64 = 1e-3;
/// About how many points a curve has.
const POINTS: usize = 250;

impl DrawView<'_> {
    /// The distance over the steps, with the least that there can be, and what remains at each `d_k`, with the one that is chosen.
    pub fn charts(&self) -> [NamedChart; 2] {
        let distances = self.found.map_or(&[][..], |found| found.run.distances());
        let last = distances.len().saturating_sub(1);
        let every = distances.len().div_ceil(POINTS).max(1);
        let points = distances.iter().enumerate();
        let points = points.filter(|(step, _)| step % every == 0 || *step == last);
        let points = points.map(|(step, distance)| (step as f64, distance.max(SMALLEST)));
        let least = self.target().map_or(0.0, |target| self.least(target));
        let level = (least > SMALLEST).then(|| Line {
            role: LEVEL,
            name: Key::DrawLeast.text(self.language),
            points: vec![(0.0, least), (STEPS as f64, least)],
        });
        let swept = self.swept().iter();
        let swept = swept.map(|(d_k, distance)| (*d_k as f64, distance.max(SMALLEST)));
        let largest = D_KS[D_KS.len() - 1] as f64;
        [
            self.chart(
                Key::DrawDistance,
                Axis::linear(0.0, STEPS as f64),
                level.into_iter().chain([own(points.collect())]).collect(),
                last as f64,
            ),
            self.chart(
                Key::DrawRemaining,
                Axis::log(2.0, 1.0, largest),
                vec![own(swept.collect())],
                self.options.d_k as f64,
            ),
        ]
    }

    fn chart(&self, name: Key, x: Axis, lines: Vec<Line<'_>>, here: f64) -> NamedChart {
        let highest = lines.iter().flat_map(|line| line.points.iter());
        let highest = highest.map(|(_, y)| *y).fold(1.0, f64::max);
        let chart = SmallChart {
            name,
            width: self.width,
            x,
            y: Axis::powers(10.0, SMALLEST, highest),
            y_label: |y| number::short(y as f32),
            lines,
            here,
        };
        chart.drawn(self.language)
    }
}

fn own(points: Vec<(f64, f64)>) -> Line<'static> {
    Line {
        role: OWN,
        name: "",
        points,
    }
}
