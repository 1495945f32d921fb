//! Where a slider stands, and between which ends.

use crate::state::{Field, State, request_builder};

/// The stops of a slider and the one that it stands at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SliderPlace {
    stops: Vec<u32>,
    at: usize,
}

impl SliderPlace {
    /// The place of a field's slider: the stop that is nearest to its value. `None` for a field that is no number.
    pub fn new(state: &State, field: Field) -> Option<Self> {
        let value = state.get(field).amount()?;
        let stops = useful_stops(state, field);
        let nearest = (0..stops.len()).min_by_key(|&at| stops[at].abs_diff(value));
        Some(Self {
            stops,
            at: nearest.unwrap_or(0),
        })
    }

    /// Whether another has the same stops.
    pub fn has_stops_of(&self, other: &Self) -> bool {
        self.stops == other.stops
    }

    /// Where the track begins and ends.
    pub fn ends(&self) -> [u32; 2] {
        [0, self.last()].map(|at| self.on_track(at))
    }

    /// The first and the last stop; `None` where there is none.
    pub fn end_stops(&self) -> [Option<u32>; 2] {
        [self.stops.first(), self.stops.last()].map(Option::<&u32>::copied)
    }

    /// Where it stands on the track.
    pub fn value(&self) -> u32 {
        self.on_track(self.at)
    }

    /// The share of the track before it, as the style sheet reads it.
    pub fn fill(&self) -> String {
        format!("{:.4}%", 100.0 * self.at as f64 / self.last().max(1) as f64)
    }

    /// The stop at a place of the track; `None` where there is none.
    pub fn stop(&self, place: u32) -> Option<u32> {
        if self.is_even() {
            self.stops.contains(&place).then_some(place)
        } else {
            self.stops.get(place as usize).copied()
        }
    }

    fn last(&self) -> usize {
        self.stops.len().saturating_sub(1)
    }

    /// The stop itself where stops follow one another, so that the slider means what it says; its number where they are powers of two.
    fn on_track(&self, at: usize) -> u32 {
        if self.is_even() {
            self.stops[at]
        } else {
            at as u32
        }
    }

    fn is_even(&self) -> bool {
        !self.stops.is_empty() && self.stops.windows(2).all(|pair| pair[1] - pair[0] == 1)
    }
}

/// The stops of a field, without those that change nothing on a map as large as this one.
fn useful_stops(state: &State, field: Field) -> Vec<u32> {
    let mut stops = state.stops(field);
    let most = match field {
        Field::Valid | Field::First | Field::Projected => request_builder::lengths(state).1,
        Field::Window | Field::Stride => {
            let (queries, keys) = request_builder::lengths(state);
            queries.max(keys)
        }
        _ => return stops,
    };
    stops.retain(|&stop| stop <= 1 || stop as usize <= most);
    stops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::url;

    #[test]
    fn stops_that_follow_one_another_are_the_track_and_others_are_counted() {
        let place = |link: &str, field| SliderPlace::new(&url::parse(link).0, field);
        let heads = place("heads=3", Field::Heads).expect("a number");
        assert_eq!((heads.ends()[0], heads.value()), (1, 3));
        assert_eq!((heads.stop(2), heads.stop(0)), (Some(2), None));
        let d_k = place("d_k=8", Field::DK).expect("a number");
        assert_eq!((d_k.ends(), d_k.value(), d_k.stop(3)), ([0, 7], 3, Some(8)));
        assert_eq!(d_k.end_stops(), [Some(1), Some(128)]);
        assert_eq!(d_k.fill(), "42.8571%");
        // Nearest to a value that is none of them.
        let between = place("d_k=9", Field::DK).expect("a number");
        assert_eq!(between.value(), 3);
        assert_eq!(place("", Field::Masks), None);
    }

    #[test]
    fn what_a_small_map_does_not_tell_apart_is_left_out() {
        let window = SliderPlace::new(&url::parse("text=a+b+c&mask=local").0, Field::Window);
        let [_, last] = window.expect("a number").end_stops();
        assert!(last.is_some_and(|last| last <= 3), "{last:?}");
    }
}
