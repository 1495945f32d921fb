//! Data for the build to write the first map into the page (`scripts/dist/opening.mjs`). Pages
//! never call it: the build removes it from the module after the call.

use js_sys::{Array, Float32Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::bindings::js_object::object;
use app::i18n::{Key, Language};
use app::present::opening::{self, OpeningColours, OpeningMap};
use app::scene::scale::Tick;
use app::state::url;
use app::views::STYLED;
use app::views::opening as views;

/// The page as it opens in a language, with the texts of `keys` and the elements that are there under `conditions`; `undefined` where there
/// is more on its map than can be drawn without the engine.
#[wasm_bindgen]
pub fn opening(language: &str, keys: Vec<String>, conditions: Vec<String>) -> JsValue {
    let Some(language) = Language::from_tag(language) else {
        return JsValue::UNDEFINED;
    };
    let run = opening::run(language);
    let Some((run, map)) =
        run.and_then(|run| OpeningMap::new(&run, language).map(|map| (run, map)))
    else {
        return JsValue::UNDEFINED;
    };
    let words = keys.into_iter().filter_map(|name| {
        let text = Key::named(&name)?.text(language);
        Some(list([name.into(), text.into()]))
    });
    let parts = views::parts(&run, language).into_iter();
    let parts = parts.map(|part| list([part.selector.into(), part.markup.into()]));
    let attributes = views::attributes(&run, language, &conditions).into_iter();
    let attributes = attributes.map(|own| {
        let value = own.value.map_or(JsValue::NULL, JsValue::from);
        list([own.selector.into(), own.name.into(), value])
    });
    let layer = opening::layer(&run);
    let layer = layer.map(|numbers| Float32Array::from(&numbers[..]));
    let styled = STYLED.map(|(attribute, property)| list([attribute.into(), property.into()]));
    object([
        ("language", language.code().into()),
        ("tag", language.tag().into()),
        ("text", run.state.text.clone().into()),
        ("words", list(words)),
        ("parts", list(parts)),
        ("attributes", list(attributes)),
        ("styled", list(styled)),
        ("map", drawn(&map)),
        ("layer", layer.into()),
        ("link", url::to_fragment(&run.state).into()),
    ])
    .into()
}

fn drawn(map: &OpeningMap) -> JsValue {
    let bytes = |bytes: &Vec<u8>| Uint8Array::from(&bytes[..]).into();
    let texts = |texts: &Vec<String>| list(texts.iter().map(|text| text.into()));
    let tick = |tick: &Tick| list([tick.t.into(), (&tick.label).into()]);
    let ground = |ground: &OpeningColours| {
        object([
            ("table", bytes(&ground.table)),
            ("inks", bytes(&ground.inks)),
        ])
        .into()
    };
    object([
        ("labels", list(map.labels.iter().map(texts))),
        ("titles", list(map.titles.map(JsValue::from))),
        ("isItalic", list(map.is_italic.map(JsValue::from))),
        ("head", (map.head as f64).into()),
        ("row", (map.row as f64).into()),
        (
            "link",
            map.link.map_or(JsValue::NULL, |key| (key as f64).into()),
        ),
        ("codes", list(map.codes.iter().map(bytes))),
        ("values", list(map.values.iter().map(texts))),
        (
            "ticks",
            list(map.ticks.iter().map(|ticks| list(ticks.iter().map(tick)))),
        ),
        ("grounds", list(map.grounds.iter().map(ground))),
    ])
    .into()
}

fn list(values: impl IntoIterator<Item = JsValue>) -> JsValue {
    values.into_iter().collect::<Array>().into()
}
