//! Reads a file that is to be a mask: one chosen for the field, or dropped around it.

wasm_chunks::chunk!("code");

use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    CanvasRenderingContext2d, DragEvent, Element, Event, File, FileList, HtmlCanvasElement,
    HtmlInputElement, ImageBitmap,
};

use crate::bindings::file_bytes;
use crate::browser::activity::Activity;
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use app::Message;
use app::present::panel::PanelEvent;
use app::present::pasted_mask::file::{MOST_PIXELS, MaskFile};
use app::state::Panel;
use formats::Limits;

/// Listens to the field for files, and to what is dropped around it. The page imports what is dropped elsewhere.
pub(super) fn listen(body: &Element, activity: &Activity, sender: &Sender) -> Vec<Listener> {
    let read = {
        let (activity, sender) = (activity.clone(), sender.clone());
        move |files: Option<FileList>| {
            let Some(file) = files.and_then(|files| files.get(0)) else {
                return;
            };
            let (sender, pending) = (sender.clone(), activity.begin());
            spawn_local(async move {
                let event = PanelEvent::File(file.name(), contents(&file).await);
                sender.send(Message::Panel(Panel::Code, event));
                drop(pending);
            });
        }
    };
    let read_chosen = read.clone();
    vec![
        Listener::new(body, "change", move |event| {
            if let Some(field) = field(&event) {
                read_chosen(field.files());
                // The same file chosen again is a choice as well.
                field.set_value("");
            }
        }),
        Listener::new(body, "dragover", |event| drop(dropped(&event))),
        Listener::new(body, "drop", move |event| read(dropped(&event))),
    ]
}

fn field(event: &Event) -> Option<HtmlInputElement> {
    let field: HtmlInputElement = event.target()?.dyn_into().ok()?;
    (field.id() == "mask-file").then_some(field)
}

/// The files over the part of the panel that takes a mask, which the page then leaves alone.
fn dropped(event: &Event) -> Option<FileList> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest(".paste-mask").ok()??;
    let data = event.dyn_ref::<DragEvent>()?.data_transfer()?;
    if !data.types().includes(&"Files".into(), 0) {
        return None;
    }
    event.prevent_default();
    data.files()
}

async fn contents(file: &File) -> MaskFile {
    if file.size() > Limits::default().bytes as f64 {
        return MaskFile::TooLarge(file.size());
    }
    if file.type_().starts_with("image/") {
        return picture(file).await.unwrap_or(MaskFile::Unreadable);
    }
    let bytes = file_bytes(file).await;
    bytes.map_or(MaskFile::Unreadable, MaskFile::Bytes)
}

async fn picture(file: &File) -> Result<MaskFile, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let made = JsFuture::from(window.create_image_bitmap_with_blob(file)?).await?;
    let picture: ImageBitmap = made.dyn_into()?;
    let (width, height) = (picture.width(), picture.height());
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Ok(MaskFile::TooManyPixels { width, height });
    }
    let document = window.document().ok_or(JsValue::NULL)?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.dyn_into()?;
    context.draw_image_with_image_bitmap(&picture, 0.0, 0.0)?;
    let (across, down) = (f64::from(width), f64::from(height));
    let pixels = context.get_image_data(0.0, 0.0, across, down)?.data();
    Ok(MaskFile::of_pixels(
        width as usize,
        height as usize,
        &pixels,
    ))
}
