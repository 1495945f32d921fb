//! The cost panel without its page: what the setting costs, curves over n, and the course of a measurement.

mod curves;
mod layers;
mod math;
mod sentences;
mod series;
mod setting;

pub use curves::{Choice, HIGH, LOW, Line, rate};
pub use layers::{CARDS, Card, HELD, PROJECTIONS};
pub use math::math;
pub use sentences::{crossing, grew, operation, stands};
pub use series::{End, Load, MOST, MOST_BYTES, Point, Series};
pub use setting::{Item, Setting, measured};
