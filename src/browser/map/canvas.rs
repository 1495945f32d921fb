//! A canvas at device resolution.

use std::cell::Cell;

use wasm_bindgen::{Clamped, JsCast as _};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use crate::browser::dom::{MissingPart, Root};
use app::present::colour_style::Palette;
use app::scene::role::Face;
use app::scene::shape::{Anchor, Shape, TextRun};

/// A canvas and its context.
pub(crate) struct Surface {
    pub canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    dpr: f64,
    /// Text size and face that the context's font was set for.
    font: Cell<Option<(f64, Face)>>,
}

impl Surface {
    pub(crate) fn find(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        Self::new(root.find(selector)?).ok_or(MissingPart::Canvas)
    }

    pub(crate) fn new(canvas: HtmlCanvasElement) -> Option<Self> {
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        Some(Self {
            canvas,
            context,
            dpr: 1.0,
            font: Cell::new(None),
        })
    }

    /// Makes the canvas this many device pixels large and clears it.
    pub(crate) fn clear(&mut self, (width, height): (u32, u32), dpr: f64) {
        if (self.canvas.width(), self.canvas.height()) != (width, height) {
            self.canvas.set_width(width);
            self.canvas.set_height(height);
            self.forget_font();
        } else {
            self.to_device_pixels();
            self.context
                .clear_rect(0.0, 0.0, f64::from(width), f64::from(height));
        }
        self.dpr = dpr;
    }

    /// How large the canvas is on the page, in CSS pixels.
    pub(crate) fn set_css_size(&self, width: f64, height: f64) {
        let style = self.canvas.style();
        // Both are properties that every browser knows.
        let _ = style.set_property("width", &format!("{width}px"));
        let _ = style.set_property("height", &format!("{height}px"));
    }

    /// Puts RGBA bytes, `width` pixels a row, at a place in device pixels.
    pub(crate) fn put(&self, rgba: &[u8], width: u32, (x, y): (u32, u32)) {
        if rgba.is_empty() || width == 0 {
            return;
        }
        if let Ok(image) = ImageData::new_with_u8_clamped_array(Clamped(rgba), width) {
            let _ = self
                .context
                .put_image_data(&image, f64::from(x), f64::from(y));
        }
    }

    /// Draws rectangles and texts at positions in CSS pixels; a map has no other shapes.
    pub(crate) fn draw(&self, shapes: &[Shape], palette: &Palette) {
        self.to_css_pixels();
        let mut tone = None;
        for shape in shapes {
            let (Shape::Rect { role, .. } | Shape::Words(TextRun { role, .. })) = shape else {
                continue;
            };
            if let Some(own) = role.fill()
                && tone.replace(own) != Some(own)
            {
                self.context.set_fill_style_str(palette.colour(own));
            }
            match shape {
                Shape::Words(words) => self.draw_words(words, palette),
                Shape::Rect { rect, .. } => {
                    self.context
                        .fill_rect(rect.x, rect.y, rect.width, rect.height);
                }
                _ => {}
            }
        }
    }

    fn draw_words(&self, words: &TextRun, palette: &Palette) {
        self.set_font(words.size, words.face(), palette);
        self.context.set_text_align(align(words.anchor));
        self.write(&words.text, words.x, words.y, words.degrees);
    }

    fn write(&self, text: &str, x: f64, y: f64, degrees: f64) {
        let context = &self.context;
        if degrees == 0.0 {
            let _ = context.fill_text(text, x, y);
            return;
        }
        let _ = context.translate(x, y);
        let _ = context.rotate(degrees.to_radians());
        let _ = context.fill_text(text, 0.0, 0.0);
        self.to_css_pixels();
    }

    fn set_font(&self, size: f64, face: Face, palette: &Palette) {
        if self.font.replace(Some((size, face))) != Some((size, face)) {
            self.context.set_font(&palette.font(face, size));
        }
    }

    /// Width of a label in CSS pixels.
    pub(crate) fn measure(&self, text: &str, size: f64, palette: &Palette) -> f64 {
        self.forget_font();
        self.context.set_font(&palette.font(Face::Strong, size));
        self.context
            .measure_text(text)
            .map_or(0.0, |metrics| metrics.width())
    }

    /// Forgets the context's font, as when the theme has changed.
    pub(crate) fn forget_font(&self) {
        self.font.set(None);
    }

    fn to_css_pixels(&self) {
        let _ = self
            .context
            .set_transform(self.dpr, 0.0, 0.0, self.dpr, 0.0, 0.0);
    }

    fn to_device_pixels(&self) {
        let _ = self.context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);
    }
}

fn align(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "left",
        Anchor::Middle => "center",
        Anchor::End => "right",
    }
}
