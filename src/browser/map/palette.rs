//! Reads colours and fonts for canvases from the style sheet, their only source.

use web_sys::{HtmlElement, Window};

use crate::browser::dom::{MissingPart, Root};
use app::present::colour_style::Palette;
use app::scene::colour::Background;

/// Reads the palette of `root`; `ground` is the theme that is on.
///
/// A custom property may be a `light-dark()` pair, so it is asked for as the colour of a real element.
pub(crate) fn read_palette(
    root: &Root,
    window: &Window,
    ground: Background,
) -> Result<Palette, MissingPart> {
    let probe: HtmlElement = root.find("#probe")?;
    let own = probe.style();
    let computed = window.get_computed_style(&probe).ok().flatten();
    Ok(Palette::read(ground, |property, name| {
        let _ = own.set_property(property, &format!("var({name})"));
        computed
            .as_ref()
            .and_then(|style| style.get_property_value(property).ok())
            .unwrap_or_default()
    }))
}
