//! Renders an SVG figure to pixels.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlImageElement};

use super::SVG;
use crate::browser::dom;
use crate::browser::download::Link;
use app::export::figures::pixels;
use app::scene::figure::Figure;
use app::scene::svg::{self, Unit};

/// The figure as a PNG file; `None` where the browser cannot.
pub(in crate::browser) async fn draw(
    beside: &Element,
    figure: &Figure,
    scale: u32,
) -> Option<Vec<u8>> {
    let file = svg::write(figure, Unit::Px);
    let link = Link::new(file.as_bytes(), SVG)?;
    let image: HtmlImageElement = dom::create(beside, "img")?;
    image.set_src(link.address());
    JsFuture::from(image.decode()).await.ok()?;
    let (width, height) = pixels(figure, scale);
    let canvas: HtmlCanvasElement = dom::create(beside, "canvas")?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    let (width, height) = (f64::from(width), f64::from(height));
    context
        .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)
        .ok()?;
    bytes(&canvas).await
}

async fn bytes(canvas: &HtmlCanvasElement) -> Option<Vec<u8>> {
    let mut ask = |resolve: js_sys::Function, reject: js_sys::Function| {
        let call = Closure::once_into_js(move |blob: JsValue| {
            let _ = resolve.call1(&JsValue::NULL, &blob);
        });
        if canvas.to_blob(call.unchecked_ref()).is_err() {
            let _ = reject.call0(&JsValue::NULL);
        }
    };
    let blob = JsFuture::from(Promise::new(&mut ask)).await.ok()?;
    let blob: Blob = blob.dyn_into().ok()?;
    let buffer = JsFuture::from(blob.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}
