//! What can be opened, and how far what is being opened is.

wasm_chunks::chunk!("model");

use super::Offer;
use crate::Refusal;

/// Offers, progress, and why the last one was refused.
#[derive(Default)]
pub struct Opener {
    pub offered: Vec<Offer>,
    /// Names of models that were opened before.
    pub remembered: Vec<String>,
    pub opening: Option<Opening>,
    pub refusal: Option<Refusal>,
    /// Something else is to be opened beside an open model.
    pub is_wanted: bool,
    /// The offers were asked for.
    pub(super) is_listed: bool,
}

/// A model that is being opened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Opening {
    /// Bytes of weights that were read, and of all; 0 until these are known.
    pub read: f64,
    pub total: f64,
    /// When the first ones were read, and the last, in milliseconds.
    began: Option<(f64, f64)>,
    now: f64,
}

impl Opening {
    /// Seconds that it still takes at the pace so far; `None` while that cannot be told.
    pub fn seconds_left(&self) -> Option<f64> {
        let (read, at) = self.began?;
        let pace = (self.read - read) / (self.now - at);
        (pace.is_finite() && pace > 0.0).then(|| (self.total - self.read) / pace / 1000.0)
    }

    /// The share that was read.
    pub fn share(&self) -> f64 {
        if self.total > 0.0 {
            self.read / self.total
        } else {
            0.0
        }
    }
}

impl Opener {
    pub(super) fn begin(&mut self) {
        (self.opening, self.refusal) = (Some(Opening::default()), None);
    }

    pub(super) fn progress(&mut self, read: f64, total: f64, now: f64) {
        if let Some(opening) = &mut self.opening {
            (opening.read, opening.total, opening.now) = (read, total, now);
            opening.began.get_or_insert((read, now));
        }
    }

    pub(super) fn opened(&mut self) {
        (self.opening, self.is_wanted) = (None, false);
        // It may be remembered from now on.
        self.is_listed = false;
    }

    pub(super) fn refused(&mut self, refusal: Refusal) {
        (self.opening, self.refusal) = (None, Some(refusal));
    }

    pub(super) fn is_opening(&self) -> bool {
        self.opening.is_some()
    }
}
