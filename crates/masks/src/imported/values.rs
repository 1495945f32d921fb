//! What numbers can mean, whatever their shape.

use super::{Element, Reading};

/// A number that is at most this hides: e^−10000 is 0 beside any score that is met. finfo.min of 16 and 32 bits, −1e9 and −1e4 are below it.
pub const HIDES_FROM: f64 = -1e4;

/// What the numbers of a reading mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Ones, or `True`, show or hide; zeros do the opposite.
    Mask {
        /// Whether they show.
        ones_show: bool,
    },
    /// Added to the scores: zeros show, the others hide.
    Additive(Hidden),
    /// Added to the scores.
    Bias,
    /// Added to the scores, some of which are hidden by it.
    BiasAndMask(Hidden),
    /// How many keys of each batch entry are real.
    Lengths,
}

/// How an added mask hides. It makes a difference in rows that are hidden whole: a library computes NaN or 0 from −∞, and the mean over all
/// keys, or over those that another such mask left out, from finite numbers. Here such rows are empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// By −∞ alone.
    Infinity,
    /// By at least one finite number.
    Finite,
}

/// Why numbers can mean what a reading says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    /// Booleans: libraries differ in whether `True` shows.
    Booleans,
    /// Integers 0 and 1, mostly 1 for what is real.
    ZeroOneIntegers,
    /// Floats 0 and 1: a mask, or, where a library adds floats to the scores, a bias that hides nothing.
    ZeroOneFloats,
    /// Zeros alone: added they change nothing, as a mask they hide all.
    ZerosAlone,
    /// Zeros beside numbers that hide.
    ZerosAndHiding,
    /// Numbers beside such that hide.
    NumbersAndHiding,
    /// Other numbers.
    Numbers,
    /// Whole numbers, one for each batch entry.
    Lengths,
}

impl Kind {
    pub(super) fn shows(self, value: f64) -> bool {
        match self {
            Self::Mask { ones_show } => (value != 0.0) == ones_show,
            Self::Additive(_) | Self::BiasAndMask(_) => value > HIDES_FROM,
            Self::Bias | Self::Lengths => true,
        }
    }

    /// What a number adds to a score; 0 where it hides.
    pub(super) fn adds(self, value: f64) -> f32 {
        match self {
            Self::BiasAndMask(_) if !self.shows(value) => 0.0,
            _ => value as f32,
        }
    }
}

/// What numbers can mean, why, and whether that is likely.
pub(super) fn kinds(data: &[f64], element: Element) -> Vec<(Kind, Why, bool)> {
    let [show, hide] = [true, false].map(|ones_show| Kind::Mask { ones_show });
    if element == Element::Bool {
        let why = Why::Booleans;
        return vec![(show, why, false), (hide, why, false)];
    }
    let of = |is: fn(f64) -> bool| data.iter().all(|value| is(*value));
    if of(|value| value == 0.0) {
        let why = Why::ZerosAlone;
        return vec![(Kind::Bias, why, true), (show, why, false)];
    }
    if of(|value| value == 0.0 || value == 1.0) {
        return match element {
            Element::Float => {
                let why = Why::ZeroOneFloats;
                let added = (Kind::Bias, why, false);
                vec![(show, why, false), added, (hide, why, false)]
            }
            _ => {
                let why = Why::ZeroOneIntegers;
                vec![(show, why, true), (hide, why, false)]
            }
        };
    }
    vec![of_other_numbers(data)]
}

fn of_other_numbers(data: &[f64]) -> (Kind, Why, bool) {
    let hiding = data.iter().filter(|value| **value <= HIDES_FROM);
    let others = data.iter().filter(|value| **value > HIDES_FROM);
    if hiding.clone().count() == 0 {
        return (Kind::Bias, Why::Numbers, true);
    }
    let is_infinite = hiding.into_iter().all(|value| value.is_infinite());
    let hidden = if is_infinite {
        Hidden::Infinity
    } else {
        Hidden::Finite
    };
    if others.into_iter().all(|value| *value == 0.0) {
        (Kind::Additive(hidden), Why::ZerosAndHiding, true)
    } else {
        (Kind::BiasAndMask(hidden), Why::NumbersAndHiding, true)
    }
}

/// Lets what looks inverted decide between ones that show and ones that hide. Floats that hide by ones are rare: they are a reading only where
/// ones that show look inverted.
pub(super) fn weigh_inverted(readings: &mut Vec<Reading>, element: Element) {
    let is_inverted = |readings: &[Reading], ones_show| {
        let wanted = Kind::Mask { ones_show };
        let mut readings = readings.iter();
        readings.any(|reading| reading.kind == wanted && reading.inverted.is_some())
    };
    let (show, hide) = (is_inverted(readings, true), is_inverted(readings, false));
    if element == Element::Float {
        readings.retain(|reading| show || reading.kind != Kind::Mask { ones_show: false });
        return;
    }
    for reading in readings {
        if let Kind::Mask { ones_show } = reading.kind {
            reading.likely = match (show, hide) {
                (true, true) => false,
                (false, false) => reading.likely,
                _ => ones_show == hide,
            };
        }
    }
}
