//! Holds the colours of the map still while a slider is dragged.

use crate::scene::scale::Scale;
use crate::state::StepKind;

/// Last scale of each step on the map. While a slider is dragged, the range may grow but not
/// shrink: a colour keeps its number, so that weights stay comparable.
#[derive(Default)]
pub struct HeldRange {
    is_dragged: bool,
    last: Vec<(StepKind, Scale)>,
}

impl HeldRange {
    /// Follows a change; returns whether the drag has ended, which releases held ranges.
    pub fn follow(&mut self, is_dragged: bool) -> bool {
        std::mem::replace(&mut self.is_dragged, is_dragged) && !is_dragged
    }

    /// Lets the range of weights reach 1, for maps that come to need it while ranges are held.
    pub fn reach_all(&mut self) {
        for (_, scale) in self
            .last
            .iter_mut()
            .filter(|(of, _)| *of == StepKind::Weights)
        {
            *scale = scale.up_to(1.0);
        }
    }

    /// The scale that `step` was drawn with last.
    pub fn last(&self, step: StepKind) -> Option<&Scale> {
        let (_, scale) = self.last.iter().find(|(of, _)| *of == step)?;
        Some(scale)
    }

    /// The scale that `step` is drawn with where its numbers alone would give it `scale`.
    pub fn hold(&mut self, step: StepKind, scale: Scale) -> Scale {
        let Some((_, last)) = self.last.iter_mut().find(|(of, _)| *of == step) else {
            self.last.push((step, scale));
            return scale;
        };
        let is_held = self.is_dragged && last.is_like(&scale) && last.top() > scale.top();
        if !is_held {
            *last = scale;
        }
        *last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::ColourScale;

    fn linear(largest: f32) -> Scale {
        Scale::new(ColourScale::Linear, largest)
    }

    #[test]
    fn a_range_grows_while_a_slider_is_dragged_and_shrinks_when_it_is_let_go() {
        let mut held = HeldRange::default();
        let top =
            |held: &mut HeldRange, largest| held.hold(StepKind::Weights, linear(largest)).top();
        assert_eq!(top(&mut held, 0.5), 0.5);
        assert!(!held.follow(true));
        let while_dragged = [0.2, 1.0, 0.1].map(|largest| top(&mut held, largest));
        assert_eq!(while_dragged, [0.5, 1.0, 1.0]);
        assert!(held.follow(false) && !held.follow(false));
        assert_eq!(top(&mut held, 0.1), 0.1);
    }

    #[test]
    fn a_range_that_reaches_all_of_the_weights_is_held_from_the_first_picture_on() {
        let mut held = HeldRange::default();
        held.hold(StepKind::Weights, linear(0.2));
        held.hold(StepKind::Scores, Scale::symmetric(0.2));
        held.follow(true);
        held.reach_all();
        let top = |held: &mut HeldRange, of, scale| held.hold(of, scale).top();
        let weights = [0.2, 0.9].map(|most| top(&mut held, StepKind::Weights, linear(most)));
        assert_eq!(weights, [1.0, 1.0]);
        assert_eq!(top(&mut held, StepKind::Scores, Scale::symmetric(0.1)), 0.2);
        held.follow(false);
        assert_eq!(top(&mut held, StepKind::Weights, linear(0.2)), 0.2);
    }

    #[test]
    fn steps_and_kinds_of_scales_hold_their_own() {
        let mut held = HeldRange::default();
        held.hold(StepKind::Weights, linear(1.0));
        held.hold(StepKind::Scores, Scale::symmetric(20.0));
        held.follow(true);
        let scores = held.hold(StepKind::Scores, Scale::symmetric(3.0));
        assert_eq!(scores, Scale::symmetric(20.0));
        assert_eq!(held.last(StepKind::Scores), Some(&scores));
        assert_eq!(held.last(StepKind::Masked), None);
        let log = Scale::new(ColourScale::Log, 0.1);
        assert_eq!(held.hold(StepKind::Weights, log), log);
    }
}
