//! Previous and next step buttons beside the map's title.

use std::rc::Rc;

use web_sys::Element;

use super::stepper::{StepNavigation, mark_end};
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::state::StepKind;

/// Both buttons.
pub(crate) struct Pager {
    ends: [Element; 2],
    _listeners: [Listener; 2],
}

impl Pager {
    /// `walk` hears where to go.
    pub(crate) fn new(
        root: &Root,
        walk: impl Fn(StepNavigation) + 'static,
    ) -> Result<Self, MissingPart> {
        let walk = Rc::new(walk);
        let ends: [Element; 2] = [root.find("#map-previous")?, root.find("#map-next")?];
        let listen = |end: &Element, to| {
            let walk = Rc::clone(&walk);
            Listener::new(end, "click", move |_| walk(to))
        };
        Ok(Self {
            _listeners: [
                listen(&ends[0], StepNavigation::Previous),
                listen(&ends[1], StepNavigation::Next),
            ],
            ends,
        })
    }

    /// Shows at which end of the steps the map is, if at any.
    pub(crate) fn update(&self, steps: &[StepKind], step: StepKind) {
        let ways = [StepNavigation::Previous, StepNavigation::Next];
        for (end, way) in self.ends.iter().zip(ways) {
            mark_end(end, destination(steps, step, way).is_none());
        }
    }
}

/// The step that a move leads to; `None` where there is none.
pub(crate) fn destination(
    steps: &[StepKind],
    step: StepKind,
    to: StepNavigation,
) -> Option<StepKind> {
    let at = steps.iter().position(|one| *one == step)?;
    let to = match to {
        StepNavigation::Previous => at.checked_sub(1)?,
        _ => at + 1,
    };
    steps.get(to).copied()
}
