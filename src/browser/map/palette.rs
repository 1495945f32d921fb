//! Colours and fonts for canvases, read from the style sheet, their only source.

use web_sys::{CssStyleDeclaration, HtmlElement, Window};

use crate::browser::dom::{MissingPart, Root};
use app::scene::colour::{Background, Lut};
use app::scene::role::{Face, Tone};

/// Colours and faces of the current theme, as CSS.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Palette {
    pub ground: Background,
    pub sans: String,
    pub serif: String,
    ink: String,
    soft: String,
    faint: String,
    query: String,
    key: String,
    paper: String,
    rule: String,
    edge: String,
    warn: String,
    /// Colours of signed numbers.
    pub signed: Lut,
    /// The colour of what a mask shows.
    pub mask: Lut,
}

impl Palette {
    /// Reads the palette of `root`; `ground` is the theme that is on.
    ///
    /// A custom property may be a `light-dark()` pair, so it is asked for as the colour of a real element.
    pub(crate) fn read(
        root: &Root,
        window: &Window,
        ground: Background,
    ) -> Result<Self, MissingPart> {
        let probe: HtmlElement = root.find("#probe")?;
        let own = probe.style();
        let computed = window.get_computed_style(&probe).ok().flatten();
        let read = |property: &str, name: &str| read(&own, computed.as_ref(), property, name);
        let colour = |name: &str| read("color", name);
        Ok(Self {
            ground,
            sans: read("font-family", "--sans"),
            serif: read("font-family", "--serif"),
            ink: colour("--ink"),
            soft: colour("--ink-soft"),
            faint: colour("--ink-faint"),
            query: colour("--query"),
            key: colour("--key"),
            paper: colour("--paper"),
            rule: colour("--rule"),
            edge: colour("--edge"),
            warn: colour("--warn"),
            signed: Lut::diverging(ground),
            mask: Lut::mask(ground),
        })
    }

    pub(crate) fn colour(&self, tone: Tone) -> &str {
        match tone {
            Tone::Ink => &self.ink,
            Tone::Soft => &self.soft,
            Tone::Faint => &self.faint,
            Tone::Rule => &self.rule,
            Tone::Edge => &self.edge,
            Tone::Query => &self.query,
            Tone::Key => &self.key,
            Tone::Paper => &self.paper,
            Tone::Warn => &self.warn,
            Tone::Black => "#000",
            Tone::White => "#fff",
        }
    }

    /// The font of a text in the notation of CSS.
    pub(crate) fn font(&self, face: Face, size: f64) -> String {
        match face {
            Face::Italic => format!("italic {size}px {}", self.serif),
            Face::Serif => format!("{size}px {}", self.serif),
            Face::Strong => format!("600 {size}px {}", self.sans),
            Face::Sans => format!("{size}px {}", self.sans),
        }
    }
}

fn read(
    own: &CssStyleDeclaration,
    computed: Option<&CssStyleDeclaration>,
    property: &str,
    name: &str,
) -> String {
    let _ = own.set_property(property, &format!("var({name})"));
    computed
        .and_then(|style| style.get_property_value(property).ok())
        .unwrap_or_default()
}
