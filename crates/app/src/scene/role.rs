//! Roles of shapes, which determine their colours, strokes and typefaces on the page and in files.

use super::layout::Side;

/// A colour that a theme decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Words and rings.
    Ink,
    /// Labels.
    Soft,
    /// Notes.
    Faint,
    /// Frames and grids.
    Rule,
    /// Ticks and bars.
    Edge,
    /// Queries.
    Query,
    /// Keys.
    Key,
    /// The ground.
    Paper,
    /// Rows where nothing is visible.
    Warn,
    /// Black in every theme.
    Black,
    /// White in every theme.
    White,
}

/// How text is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Face {
    /// Upright.
    #[default]
    Sans,
    /// Heavier, for what is chosen and for headings.
    Strong,
    /// Slanted with serifs, for axes.
    Italic,
    /// Upright with serifs, for axes in a script that has no italics.
    Serif,
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub tone: Tone,
    /// Its thickness.
    pub width: f64,
    /// Lengths of dashes and gaps; a whole line where there are none.
    pub dashes: &'static [f64],
    /// Opacity, 0…1.
    pub opacity: f64,
    /// Whether its dashes have round ends.
    pub is_round: bool,
}

impl Stroke {
    /// A whole line.
    pub const fn new(tone: Tone, width: f64) -> Self {
        Self {
            tone,
            width,
            dashes: &[],
            opacity: 1.0,
            is_round: false,
        }
    }

    /// The line in dashes.
    pub const fn dashed(self, dashes: &'static [f64]) -> Self {
        Self { dashes, ..self }
    }
}

/// Style of a chart's curve, distinct from the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveStyle {
    /// Its classes on the page.
    pub class: &'static str,
    /// Its line.
    pub stroke: Stroke,
}

impl CurveStyle {
    /// A curve in dashes.
    pub const fn dashed(class: &'static str, dashes: &'static [f64]) -> Self {
        let stroke = Stroke::new(Tone::Soft, 1.5).dashed(dashes);
        Self { class, stroke }
    }
}

/// Role of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Title of another axis.
    Title,
    /// Value in a pale cell; black, for its contrast.
    ValueBlack,
    /// Value in a deep cell; white, for its contrast.
    ValueWhite,
    /// Value in a row where all visible weights are the same: it says nothing of any key.
    ValueSoft,
    /// Value of the ground's colour, as good as nothing.
    ValueFaint,
    /// Line around the plot or the colour bar.
    Frame,
    /// Line around a sample of the legend.
    SampleFrame,
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
    /// Heading of a figure.
    Heading,
    /// How a figure was made.
    Caption,
    /// Note on a figure.
    Note,
    /// Name of a picture, a curve or a token.
    Name,
    /// Number along the horizontal axis of a chart.
    XLabel,
    /// Number along the vertical axis of a chart.
    YLabel,
    /// Letter of the horizontal axis.
    AxisLetter,
    /// Line at a round value.
    Grid,
    /// Horizontal axis.
    Axis,
    /// Line from a name to its curve.
    Leader,
    /// Curve of a chart.
    Curve(CurveStyle),
    /// Measured on the processor.
    ProcessorTime,
    /// Measured on the graphics card.
    GraphicsTime,
    /// Where curves cross.
    Crossing,
    /// Position of the page's own setting, and its label.
    Here,
    /// Where curves are read.
    Reading,
    /// Bars.
    Bars,
    /// The bar that stands out.
    ChosenBar,
    /// Upper bound of a bar.
    Limit,
}

impl Role {
    /// Label of one side of a map, chosen or not.
    pub(super) const fn label(side: Side, is_chosen: bool) -> Self {
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
    pub(super) const fn title(side: Side) -> Self {
        match side {
            Side::Queries => Self::QueryTitle,
            Side::Keys => Self::KeyTitle,
            Side::Neither => Self::Title,
        }
    }

    /// Lines of the crosshair along one side of a map.
    pub(super) const fn cross(side: Side) -> Self {
        match side {
            Side::Queries => Self::CrossQuery,
            Side::Keys => Self::CrossKey,
            Side::Neither => Self::Cross,
        }
    }

    /// Fill of a shape, and colour of a text.
    pub const fn fill(self) -> Option<Tone> {
        Some(match self {
            Self::QueryLabel | Self::KeyLabel | Self::Label | Self::Title | Self::TickLabel => {
                Tone::Soft
            }
            Self::Caption | Self::XLabel | Self::YLabel | Self::AxisLetter | Self::Here => {
                Tone::Soft
            }
            Self::QueryLabelChosen | Self::QueryTitle | Self::CrossQuery | Self::ChosenBar => {
                Tone::Query
            }
            Self::KeyLabelChosen | Self::KeyTitle | Self::CrossKey => Tone::Key,
            Self::ValueSoft => Tone::Soft,
            Self::ValueFaint => Tone::Faint,
            Self::ValueBlack => Tone::Black,
            Self::ValueWhite => Tone::White,
            Self::Frame => Tone::Rule,
            Self::Ring | Self::LabelChosen | Self::Heading | Self::Name | Self::Reading => {
                Tone::Ink
            }
            Self::ProcessorTime => Tone::Ink,
            Self::Halo | Self::GraphicsTime | Self::Crossing => Tone::Paper,
            Self::EmptyRow => Tone::Warn,
            Self::Tick | Self::Cross | Self::Bars => Tone::Edge,
            Self::Note => Tone::Faint,
            Self::SampleFrame | Self::Grid | Self::Axis => return None,
            Self::Leader | Self::Curve(_) | Self::Limit => return None,
        })
    }

    /// The line along a shape.
    pub const fn stroke(self) -> Option<Stroke> {
        Some(match self {
            Self::Curve(style) => style.stroke,
            Self::Grid => Stroke::new(Tone::Rule, 1.0),
            Self::Axis | Self::SampleFrame => Stroke::new(Tone::Edge, 1.0),
            Self::Leader => Stroke::new(Tone::Edge, 0.75),
            Self::Here => Stroke::new(Tone::Edge, 1.0).dashed(&[3.0, 3.0]),
            Self::Reading => Stroke::new(Tone::Ink, 0.75),
            Self::Crossing | Self::Limit => Stroke::new(Tone::Ink, 1.0),
            Self::ProcessorTime | Self::GraphicsTime => Stroke::new(Tone::Ink, 2.0),
            _ => return None,
        })
    }

    /// How a text is set.
    pub const fn face(self) -> Face {
        match self {
            Self::QueryTitle | Self::KeyTitle | Self::Title | Self::AxisLetter => Face::Italic,
            Self::QueryLabelChosen | Self::KeyLabelChosen | Self::LabelChosen | Self::Heading => {
                Face::Strong
            }
            _ => Face::Sans,
        }
    }

    /// The class by which the style sheet gives its colours on the page; none for what is found by its parent.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Curve(style) => style.class,
            Self::Grid => "grid",
            Self::XLabel => "x",
            Self::YLabel => "y",
            Self::AxisLetter => "n",
            Self::Axis => "axis",
            Self::Leader => "leader",
            Self::Name => "name",
            Self::ProcessorTime | Self::GraphicsTime => "time",
            Self::Crossing => "crossing",
            Self::Here => "here",
            _ => "",
        }
    }
}
