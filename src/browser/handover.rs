//! Numbers and pictures that an element's host hands over or takes away: files with its own numbers, tensors and the figure of what is on screen.

wasm_chunks::chunk!("more");

use js_sys::{Array, Float32Array, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::{Element, File};

use super::export::picture;
use super::import::Source;
use super::page_api::PageApi;
use super::text_measurer::TextMeasurer;
use crate::bindings::js_object::object;
use crate::bindings::{Client, FullTrace};
use app::Message;
use app::export::figures::{Choices, Format, Subject, refusal};
use app::export::tensors::{Name, TensorFile, for_state};
use app::i18n::file_messages::refusal_of_amount;
use app::message::HostMessage;
use app::scene::colour::Background;
use app::scene::figure::palette::SANS;
use app::scene::figure::png;
use app::scene::svg::{self, PER_MM, Unit};
use formats::Kind;

const GONE: &str = "The element is no longer in the page.";
const NOTHING: &str = "There is nothing on screen yet.";

/// Pixels to a CSS pixel in a PNG file.
const SCALE: u32 = 2;

/// Shows the numbers of files, assigned as they are likeliest meant.
///
/// # Errors
/// A sentence in the page's language: why they are not shown.
pub(super) async fn load(port: &PageApi, client: &Client, files: Vec<File>) -> Result<(), String> {
    let language = port.read(|page| page.app.language).ok_or(GONE)?;
    let bytes = files.iter().map(|file| file.size()).sum();
    if let Some(refusal) = refusal_of_amount(language, files.len(), bytes) {
        return Err(refusal);
    }
    let names: Vec<String> = files.iter().map(File::name).collect();
    // The page is not idle before they are on screen.
    let pending = port.begin();
    let contents = Source::Files(files.into()).read(client, language).await?;
    let message = HostMessage::Numbers(names.join(", "), contents);
    port.send(Message::Host(message));
    let refusal = port.change(|page| page.app.refusal_of_numbers());
    drop(pending);
    match refusal.ok_or(GONE)? {
        Some(sentence) => Err(sentence),
        None => Ok(()),
    }
}

/// A tensor of the setting on screen, by its name in the API: `{ shape, data }`; `undefined` where the setting has none of that name.
///
/// # Errors
/// A sentence: why it could not be computed.
pub(super) async fn tensor(port: &PageApi, client: &Client, name: &str) -> Result<JsValue, String> {
    let asked = port.read(|page| {
        let run = page.app.main.run.as_ref()?;
        let listed = for_state(&run.state, &run.config);
        let name = Name::from_name(name);
        let file =
            name.and_then(|name| TensorFile::new(&run.state, &listed, Some(name), Kind::Npy));
        Some((run.reply.ran.backend, file))
    });
    let (backend, file) = asked.ok_or(GONE)?.ok_or(NOTHING)?;
    let Some(file) = file else {
        return Ok(JsValue::UNDEFINED);
    };
    let (state, names) = (&file.state, &file.results()[..]);
    let computed = if names.is_empty() {
        Vec::new()
    } else {
        let trace = FullTrace {
            state,
            backend,
            names,
        };
        let computed = client.trace(&trace).1.await;
        computed.map_err(|refusal| refusal.message)?
    };
    let tensors = file.tensors(computed).unwrap_or_default();
    let tensor = tensors.first().ok_or(NOTHING)?;
    let shape: Array = tensor
        .shape
        .iter()
        .map(|length| JsValue::from(*length as u32))
        .collect();
    let data = Float32Array::from(&tensor.data[..]);
    Ok(object([("shape", shape.into()), ("data", data.into())]).into())
}

/// The large map as a file of one of the formats, `width` millimetres wide.
///
/// # Errors
/// A sentence: why there is none.
pub(super) async fn figure(
    port: &PageApi,
    root: &Element,
    format: &str,
    width: f64,
) -> Result<Uint8Array, String> {
    let format = Format::from_name(format).ok_or("The format is svg or png.")?;
    if !(20.0..=400.0).contains(&width) {
        return Err("The width is 20 to 400 mm.".to_owned());
    }
    let choices = Choices {
        subject: Subject::Map,
        format,
        ground: Background::Light,
        width: width * PER_MM,
        unit: Unit::Mm,
        scale: SCALE,
        has_words: true,
        has_outline: false,
    };
    let pen = TextMeasurer::new(root, "600", SANS.to_owned());
    let named = port.read(|page| {
        let figure = page
            .app
            .figure(&choices, &|text, size| pen.measure(text, size))?;
        Some((
            refusal(&figure.figure, &choices, page.app.language),
            figure.figure,
        ))
    });
    let (refused, figure) = named.ok_or(GONE)?.ok_or(NOTHING)?;
    if let Some(sentence) = refused {
        return Err(sentence);
    }
    let bytes = match format {
        Format::Svg => svg::write(&figure, choices.unit).into_bytes(),
        Format::Png => {
            let drawn = picture::draw(root, &figure, SCALE).await;
            let drawn = drawn.ok_or("The browser has no room for the picture.")?;
            let per_metre = (f64::from(SCALE) * PER_MM * 1000.0).round() as u32;
            png::with_density(&drawn, per_metre)
        }
    };
    Ok(Uint8Array::from(&bytes[..]))
}
