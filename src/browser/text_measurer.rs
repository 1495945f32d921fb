//! Measures text on a canvas that is never shown.

use std::cell::Cell;

use wasm_bindgen::JsCast as _;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement};

use super::dom;

/// Measures text of one face.
pub(crate) struct TextMeasurer {
    context: Option<CanvasRenderingContext2d>,
    /// Weight and family, in the notation of CSS.
    weight: &'static str,
    family: String,
    /// The size that the context's font was set for: to set a font, the browser works out the style of the page.
    size: Cell<f64>,
}

impl TextMeasurer {
    pub(crate) fn new(beside: &Element, weight: &'static str, family: String) -> Self {
        let canvas: Option<HtmlCanvasElement> = dom::create(beside, "canvas");
        Self {
            context: canvas.and_then(|canvas| canvas.get_context("2d").ok()??.dyn_into().ok()),
            weight,
            family,
            size: Cell::default(),
        }
    }

    /// Width of a text set in a size, both in CSS pixels.
    pub(crate) fn measure(&self, text: &str, size: f64) -> f64 {
        let measured = self.context.as_ref().and_then(|context| {
            if self.size.replace(size) != size {
                context.set_font(&format!("{} {size}px {}", self.weight, self.family));
            }
            context.measure_text(text).ok()
        });
        measured.map_or(0.6 * size * text.chars().count() as f64, |it| it.width())
    }
}

/// The family that text in `element` is set in.
pub(crate) fn family_of(element: &Element) -> String {
    let window = element
        .owner_document()
        .and_then(|page| page.default_view());
    let style = window.and_then(|window| window.get_computed_style(element).ok()?);
    let family = style.and_then(|style| style.get_property_value("font-family").ok());
    family.unwrap_or_default()
}
