//! Everything on a map that is not a pixel of the heatmap: labels, titles, values, crosshair, colour bar.
//!
//! Marks have a [`Role`] instead of a colour; the code that draws them gives each role the colour of the current theme. There are
//! two shapes only, filled rectangles and text, so that a canvas and an SVG draw exactly the same.

mod bar;
mod cross;
mod map;

pub use bar::{ColourBar, colour_bar};
pub use cross::{crosshair, lit, selection};
pub use map::{cell_values, empty_rows, frame, labels, titles};

use super::layout::{Rect, Side};

/// What a mark means; decides its colour and weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Token of a query row.
    QueryLabel,
    /// Token of the chosen query row.
    QueryLabelChosen,
    /// Token of a key column.
    KeyLabel,
    /// Token of the chosen key column.
    KeyLabelChosen,
    /// Number of a component.
    Label,
    /// Number of the chosen component.
    LabelChosen,
    /// Title of the query axis.
    QueryTitle,
    /// Title of the key axis.
    KeyTitle,
    /// Title of an axis of components.
    Title,
    /// Value in a pale cell; black, for its contrast.
    ValueBlack,
    /// Value in a deep cell; white, for its contrast.
    ValueWhite,
    /// Line around the plot or the colour bar.
    Frame,
    /// Lines along the query row under the crosshair.
    CrossQuery,
    /// Lines along the key column under the crosshair.
    CrossKey,
    /// Lines along a component under the crosshair.
    Cross,
    /// Ring around the chosen cell or row.
    Ring,
    /// Pale edge on both sides of a ring, so that it stands out on any colour.
    Halo,
    /// Bar beside a query row where nothing is visible.
    EmptyRow,
    /// Short line at a tick of the colour bar.
    Tick,
    /// Number at a tick of the colour bar.
    TickLabel,
}

impl Role {
    /// Label of one side of a map, chosen or not.
    const fn label(side: Side, is_chosen: bool) -> Self {
        match (side, is_chosen) {
            (Side::Queries, false) => Self::QueryLabel,
            (Side::Queries, true) => Self::QueryLabelChosen,
            (Side::Keys, false) => Self::KeyLabel,
            (Side::Keys, true) => Self::KeyLabelChosen,
            (Side::Neither, false) => Self::Label,
            (Side::Neither, true) => Self::LabelChosen,
        }
    }

    /// Title of one side of a map.
    const fn title(side: Side) -> Self {
        match side {
            Side::Queries => Self::QueryTitle,
            Side::Keys => Self::KeyTitle,
            Side::Neither => Self::Title,
        }
    }

    /// Lines of the crosshair along one side of a map.
    const fn cross(side: Side) -> Self {
        match side {
            Side::Queries => Self::CrossQuery,
            Side::Keys => Self::CrossKey,
            Side::Neither => Self::Cross,
        }
    }
}

/// Which end of a text stands at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// One shape. Lengths are CSS pixels from the picture's upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A filled rectangle.
    Rect {
        /// Its place.
        rect: Rect,
        /// Its meaning.
        role: Role,
    },
    /// A line of text.
    Text {
        /// Where the anchor stands.
        x: f64,
        /// Where the alphabetic baseline stands at the anchor.
        y: f64,
        /// What is written.
        text: String,
        /// Which end stands at `x`.
        anchor: Anchor,
        /// Rotation about `(x, y)`, degrees clockwise.
        degrees: f64,
        /// Text size.
        size: f64,
        /// Its meaning.
        role: Role,
    },
}

/// Height of the middle of a text above its baseline, over its size: half way between baseline and capitals.
const MIDDLE: f64 = 0.35;

/// How a text stands: everything about it but its place and words.
#[derive(Clone, Copy)]
struct Type {
    anchor: Anchor,
    degrees: f64,
    size: f64,
    role: Role,
}

impl Type {
    /// `text` with the middle of its height on `(x, y)`, whichever way it is turned.
    fn centred(self, x: f64, y: f64, text: impl Into<String>) -> Mark {
        let Self {
            anchor,
            degrees,
            size,
            role,
        } = self;
        let (sin, cos) = libm::sincos(degrees.to_radians());
        let drop = MIDDLE * size;
        Mark::Text {
            x: x - drop * sin,
            y: y + drop * cos,
            text: text.into(),
            anchor,
            degrees,
            size,
            role,
        }
    }
}

/// Thickness of a line of about `css` CSS pixels in whole device pixels, as CSS pixels.
fn whole_line(css: f64, dpr: f64) -> f64 {
    (css * dpr).round().max(1.0) / dpr
}

/// The four sides of a frame of `thickness` around the outside of `rect`.
fn frame_around(rect: Rect, thickness: f64, role: Role) -> [Mark; 4] {
    let Rect {
        x,
        y,
        width,
        height,
    } = rect;
    let (wide, t) = (width + 2.0 * thickness, thickness);
    [
        Rect {
            x: x - t,
            y: y - t,
            width: wide,
            height: t,
        },
        Rect {
            x: x - t,
            y: y + height,
            width: wide,
            height: t,
        },
        Rect {
            x: x - t,
            y,
            width: t,
            height,
        },
        Rect {
            x: x + width,
            y,
            width: t,
            height,
        },
    ]
    .map(|rect| Mark::Rect { rect, role })
}
