//! Bars, one for each query or bin, as paths in a drawing `count` wide and 1 high.
//!
//! The drawing is stretched to its element, so it needs no pixel sizes; see [`chart`](super::chart) for curves.

use std::fmt::Write as _;

/// Share of a bar's place that is left free between bars.
const GAP: f64 = 0.2;

/// One rectangle for each value above zero, standing on the base; `top` is the value of a bar that fills the height.
pub fn bars(values: &[f64], top: f64) -> String {
    let mut path = String::new();
    for (at, value) in values.iter().enumerate() {
        add(&mut path, at, share(*value, top));
    }
    path
}

/// The bar at `at` alone, as [`bars`] draws it.
pub fn bar(values: &[f64], top: f64, at: Option<usize>) -> String {
    let mut path = String::new();
    if let Some((at, value)) = at.and_then(|at| Some((at, values.get(at)?))) {
        add(&mut path, at, share(*value, top));
    }
    path
}

fn add(path: &mut String, at: usize, high: f64) {
    if high > 0.0 {
        let (left, wide) = (at as f64 + GAP / 2.0, 1.0 - GAP);
        // Writing to a string cannot fail.
        let _ = write!(path, "M{left:.2} 1v-{high:.4}h{wide:.2}v{high:.4}z");
    }
}

/// One level line over each bar's place, for what its value can be at most; nothing where that is zero.
pub fn caps(values: &[f64], top: f64) -> String {
    let mut path = String::new();
    for (at, value) in values.iter().enumerate() {
        let high = share(*value, top);
        if high > 0.0 {
            let _ = write!(path, "M{at} {:.4}h1", 1.0 - high);
        }
    }
    path
}

/// The whole place of one bar; nothing for a bar that there is not.
pub fn place(at: Option<usize>, count: usize) -> String {
    at.filter(|at| *at < count)
        .map_or_else(String::new, |at| format!("M{at} 0h1v1h-1z"))
}

/// The bar at `share` (0…1) of the width; `None` beside the drawing and without bars.
pub fn under(share: f64, count: usize) -> Option<usize> {
    let is_inside = (0.0..1.0).contains(&share) && count > 0;
    is_inside.then(|| ((share * count as f64) as usize).min(count - 1))
}

fn share(value: f64, top: f64) -> f64 {
    if top > 0.0 {
        (value / top).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_on_the_base_with_gaps_between_them() {
        assert_eq!(
            bars(&[1.0, 0.0, 0.5], 2.0),
            "M0.10 1v-0.5000h0.80v0.5000zM2.10 1v-0.2500h0.80v0.2500z"
        );
        assert_eq!(
            bars(&[3.0], 2.0),
            "M0.10 1v-1.0000h0.80v1.0000z",
            "never higher than the drawing"
        );
        assert_eq!(
            bar(&[1.0, 0.0, 0.5], 2.0, Some(2)),
            "M2.10 1v-0.2500h0.80v0.2500z"
        );
        assert_eq!(
            [bar(&[1.0], 2.0, None), bar(&[1.0], 2.0, Some(1))],
            ["", ""]
        );
        assert_eq!(caps(&[2.0, 0.0, 1.0], 2.0), "M0 0.0000h1M2 0.5000h1");
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        for top in [0.0, f64::NAN] {
            assert_eq!(bars(&[1.0, 2.0], top), "");
        }
        assert_eq!(
            (bars(&[], 1.0), caps(&[], 1.0)),
            (String::new(), String::new())
        );
        assert_eq!(
            (place(Some(3), 3), place(None, 3)),
            (String::new(), String::new())
        );
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
