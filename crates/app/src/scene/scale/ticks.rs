//! The round values that a colour bar names.

use super::DOUBLINGS;
use crate::i18n::number;

/// Multiples of a round step from 0 to `top`, at most `most` of them where that is possible.
pub(super) fn linear_ticks(top: f32, most: usize) -> Vec<f32> {
    let decade = libm::pow(10.0, libm::floor(libm::log10(f64::from(top) * 1.000_001)));
    let parts: &[u32] = match (f64::from(top) / decade).round() as u32 {
        2 => &[4, 2, 1],
        _ => &[5, 2, 1],
    };
    let count = parts
        .iter()
        .copied()
        .find(|&parts| (parts as usize) < most)
        .unwrap_or(1);
    (0..=count)
        .map(|part| (f64::from(top) * f64::from(part) / f64::from(count)) as f32)
        .collect()
}

/// `floor`, multiples of a round step well above it, and `top`.
pub(super) fn ticks_above(floor: f32, top: f32, most: usize) -> Vec<f32> {
    let all = linear_ticks(top, most);
    let clear = floor + 0.08 * (top - floor);
    let above = all.into_iter().filter(|value| *value > clear);
    [floor].into_iter().chain(above).collect()
}

/// Multiples of a round step from `−top` to `top`, zero among them where there is room for three.
pub(super) fn symmetric_ticks(top: f32, most: usize) -> Vec<f32> {
    if most < 3 {
        return vec![-top, top];
    }
    let above = ticks_up_to(top, most.div_ceil(2));
    let below = above.iter().skip(1).rev().map(|value| -value);
    below.chain(above.iter().copied()).collect()
}

/// Zero, multiples of a round step that keep away from `top`, and `top`; at most `most` and at least the two.
fn ticks_up_to(top: f32, most: usize) -> Vec<f32> {
    let whole = f64::from(top);
    let decade = libm::pow(10.0, libm::floor(libm::log10(whole * 1.000_001)));
    let between = |step: f64| {
        let multiples = (1..most).map(move |times| f64::from(times as u32) * step);
        multiples.take_while(move |value| *value < 0.85 * whole)
    };
    let fits = |step: &f64| between(*step).count() + 2 <= most;
    let step = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0].map(|factor| factor * decade);
    let step = step.into_iter().find(fits).unwrap_or(whole);
    let inner = between(step).map(|value| value as f32);
    [0.0].into_iter().chain(inner).chain([top]).collect()
}

/// Powers of ten from `floor` up, and `top`; every second (third, …) power where they would be too many.
pub(super) fn log_ticks(floor: f32, top: f32, most: usize) -> Vec<f32> {
    let low = libm::round(libm::log10(f64::from(floor))) as i32;
    let powers = (low..).map(|power| libm::pow(10.0, f64::from(power)) as f32);
    let powers: Vec<f32> = powers.take_while(|&value| value < top * 0.999).collect();
    let room = most.saturating_sub(1).max(1);
    let mut ticks: Vec<f32> = powers
        .iter()
        .copied()
        .step_by(powers.len().div_ceil(room).max(1))
        .collect();
    ticks.push(top);
    ticks
}

/// Powers of two from end to end: each, or the ends with the middle or alone where they would be too many.
pub(super) fn doublings(most: usize) -> Vec<f32> {
    let step = match most {
        0..3 => 2 * DOUBLINGS,
        _ if most <= 2 * DOUBLINGS as usize => DOUBLINGS,
        _ => 1,
    };
    let powers = (-DOUBLINGS..=DOUBLINGS).step_by(step as usize);
    powers.map(|power| libm::exp2f(power as f32)).collect()
}

/// A multiple of the weight of an even row, such as "½×".
pub fn times(ratio: f32) -> String {
    let fraction = [(0.125, "⅛"), (0.25, "¼"), (0.5, "½")];
    let sign = fraction.into_iter().find(|(value, _)| *value == ratio);
    sign.map_or_else(
        || format!("{}×", number::short(ratio)),
        |(_, sign)| format!("{sign}×"),
    )
}
