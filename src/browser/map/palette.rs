//! Colours and fonts for canvases, read from the style sheet, their only source.

use web_sys::{CssStyleDeclaration, HtmlElement, Window};

use crate::browser::dom::{MissingPart, Root};
use crate::scene::colour::{Background, Lut};
use crate::scene::marks::Role;

/// Colours and faces of the current theme, as CSS.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Palette {
    pub ground: Background,
    pub sans: String,
    pub serif: String,
    ink: String,
    soft: String,
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

    /// The colour of a mark.
    pub(crate) fn colour(&self, role: Role) -> &str {
        match role {
            Role::QueryLabel | Role::KeyLabel | Role::Label | Role::Title | Role::TickLabel => {
                &self.soft
            }
            Role::QueryLabelChosen | Role::QueryTitle | Role::CrossQuery => &self.query,
            Role::KeyLabelChosen | Role::KeyTitle | Role::CrossKey => &self.key,
            Role::ValueBlack => "#000",
            Role::ValueWhite => "#fff",
            Role::Frame => &self.rule,
            Role::Ring | Role::LabelChosen => &self.ink,
            Role::Halo => &self.paper,
            Role::EmptyRow => &self.warn,
            Role::Tick | Role::Cross => &self.edge,
        }
    }

    /// The font of a text mark in the notation of CSS.
    pub(crate) fn font(&self, role: Role, size: f64) -> String {
        match role {
            Role::QueryTitle | Role::KeyTitle | Role::Title => {
                format!("italic {}px {}", size, self.serif)
            }
            Role::QueryLabelChosen | Role::KeyLabelChosen | Role::LabelChosen => {
                format!("600 {size}px {}", self.sans)
            }
            _ => format!("{size}px {}", self.sans),
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
