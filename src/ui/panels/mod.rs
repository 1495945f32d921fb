//! Everything that is read and not moved.

mod backend;
mod bars;
mod beside;
mod comparison;
mod cost;
mod curves;
mod heads;
mod histogram;
mod legend;
mod measures;
mod most;
mod notices;
mod readout;
mod rows;
mod shade;
mod story;
mod table;

pub use backend::Backend;
pub use bars::Bars;
pub use beside::{Beside, Pair, Place, Which};
pub use comparison::Compared;
pub use cost::Cost;
pub use curves::Curves;
pub use heads::Heads;
pub use histogram::Histogram;
pub use legend::Legend;
pub use measures::Measures;
pub use most::Most;
pub use notices::Notices;
pub use readout::Readout;
pub use shade::{Shade, Tints};
pub use story::Story;
pub use table::Table;
