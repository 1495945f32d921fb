//! Upright bars, one for each query or bin, as paths in a plot of any size; see [`chart`](super::chart) for curves.

use std::fmt::Write as _;

use super::layout::Rect;
use super::role::Role;
use super::shape::Shape;

/// Share of a bar's place that is left free between bars.
const GAP: f64 = 0.2;

/// Data of a bar chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarChart {
    /// One for each bar.
    pub values: Vec<f64>,
    /// Upper bound of each value; empty if there is no useful one.
    pub limits: Vec<f64>,
    /// The value of a bar that fills the height.
    pub top: f64,
}

/// A plot in which each of `count` bars has a place of 1 × 1, for drawings that are stretched to their element.
pub const fn unit_plot(count: usize) -> Rect {
    Rect {
        x: 0.0,
        y: 0.0,
        width: count as f64,
        height: 1.0,
    }
}

impl BarChart {
    /// All bars, the chosen one on top in its own colour, and their upper bounds.
    pub fn shapes(&self, plot: Rect, chosen: Option<usize>) -> [Shape; 3] {
        [
            (self.bars(plot), Role::Bars),
            (self.bar(plot, chosen), Role::ChosenBar),
            (self.limits(plot), Role::Limit),
        ]
        .map(|(path, role)| Shape::Path { path, role })
    }

    /// One rectangle for each value above zero, standing on the base.
    pub fn bars(&self, plot: Rect) -> String {
        let mut path = String::new();
        for at in 0..self.values.len() {
            self.add(&mut path, plot, at);
        }
        path
    }

    /// The bar at `at` alone, as [`bars`](Self::bars) draws it; nothing for a bar that there is not.
    pub fn bar(&self, plot: Rect, at: Option<usize>) -> String {
        let mut path = String::new();
        if let Some(at) = at.filter(|at| *at < self.values.len()) {
            self.add(&mut path, plot, at);
        }
        path
    }

    fn add(&self, path: &mut String, plot: Rect, at: usize) {
        let high = self.share(self.values[at]) * plot.height;
        if high > 0.0 {
            let (pitch, base) = (self.pitch(plot), plot.y + plot.height);
            let left = plot.x + (at as f64 + GAP / 2.0) * pitch;
            let [left, base, high, wide] = [left, base, high, (1.0 - GAP) * pitch].map(short);
            // Writing to a string cannot fail.
            let _ = write!(path, "M{left} {base}v-{high}h{wide}v{high}z");
        }
    }

    /// One level line over each bar's place, for what its value can be at most; nothing where that is zero.
    pub fn limits(&self, plot: Rect) -> String {
        let (mut path, pitch) = (String::new(), self.pitch(plot));
        for (at, limit) in self.limits.iter().enumerate() {
            let high = self.share(*limit);
            if high > 0.0 {
                let x = plot.x + at as f64 * pitch;
                let y = plot.y + (1.0 - high) * plot.height;
                let [x, y, pitch] = [x, y, pitch].map(short);
                let _ = write!(path, "M{x} {y}h{pitch}");
            }
        }
        path
    }

    /// Width of one bar's place.
    fn pitch(&self, plot: Rect) -> f64 {
        plot.width / self.values.len().max(1) as f64
    }

    fn share(&self, value: f64) -> f64 {
        if self.top > 0.0 {
            (value / self.top).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

/// A length that is written in few digits.
fn short(length: f64) -> f64 {
    (1e4 * length).round() / 1e4
}

/// The whole place of one bar in a [`unit_plot`]; nothing for a bar that there is not.
pub fn place(at: Option<usize>, count: usize) -> String {
    at.filter(|at| *at < count)
        .map_or_else(String::new, |at| format!("M{at} 0h1v1h-1z"))
}

/// The bar at `share` (0…1) of the width; `None` beside the drawing and without bars.
pub fn under(share: f64, count: usize) -> Option<usize> {
    let is_inside = (0.0..1.0).contains(&share) && count > 0;
    is_inside.then(|| ((share * count as f64) as usize).min(count - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[f64], limits: &[f64], top: f64) -> BarChart {
        BarChart {
            values: values.to_vec(),
            limits: limits.to_vec(),
            top,
        }
    }

    #[test]
    fn bars_stand_on_the_base_with_gaps_between_them() {
        let three = chart(&[1.0, 0.0, 0.5], &[2.0, 0.0, 1.0], 2.0);
        let plot = unit_plot(3);
        assert_eq!(
            three.bars(plot),
            "M0.1 1v-0.5h0.8v0.5zM2.1 1v-0.25h0.8v0.25z"
        );
        assert_eq!(
            chart(&[3.0], &[], 2.0).bars(unit_plot(1)),
            "M0.1 1v-1h0.8v1z",
            "never higher than the drawing"
        );
        assert_eq!(three.bar(plot, Some(2)), "M2.1 1v-0.25h0.8v0.25z");
        assert_eq!([three.bar(plot, None), three.bar(plot, Some(3))], ["", ""]);
        assert_eq!(three.limits(plot), "M0 0h1M2 0.5h1");
    }

    #[test]
    fn a_plot_of_another_size_has_the_same_bars() {
        let two = chart(&[1.0, 0.5], &[1.0, 1.0], 1.0);
        let plot = Rect {
            x: 30.0,
            y: 20.0,
            width: 100.0,
            height: 180.0,
        };
        assert_eq!(two.bar(plot, Some(1)), "M85 200v-90h40v90z");
        assert_eq!(two.limits(plot), "M30 20h50M80 20h50");
        let [bars, one, _] = two.shapes(plot, Some(0));
        let path = |shape: &Shape| match shape {
            Shape::Path { path, .. } => path.clone(),
            other => panic!("{other:?}"),
        };
        assert!(path(&bars).starts_with(&path(&one)), "one lies on its own");
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        for top in [0.0, f64::NAN] {
            assert_eq!(chart(&[1.0, 2.0], &[1.0], top).bars(unit_plot(2)), "");
        }
        let none = chart(&[], &[], 1.0);
        assert_eq!(
            [none.bars(unit_plot(0)), none.limits(unit_plot(0))],
            ["", ""]
        );
        assert_eq!([place(Some(3), 3), place(None, 3)], ["", ""]);
        assert_eq!(place(Some(2), 3), "M2 0h1v1h-1z");
    }

    #[test]
    fn every_place_belongs_to_its_bar() {
        for count in [1, 2, 7, 1024] {
            for at in [0, count / 2, count - 1] {
                let middle = (at as f64 + 0.5) / count as f64;
                assert_eq!(under(middle, count), Some(at));
            }
        }
        assert_eq!(
            [
                under(-0.01, 3),
                under(1.0, 3),
                under(f64::NAN, 3),
                under(0.5, 0)
            ],
            [None; 4]
        );
    }
}
