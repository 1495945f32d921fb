//! Chunks of the engine (`js/chunks.js`), which stands in the module that this is generated into. A build in one piece has all.

use js_sys::Promise;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::EventTarget;

// Packages that know nothing of the page, and those of others.
wasm_chunks::chunk!("gpu": ::attention::reference, ::gpu, ::wgpu, ::wgpu_types);
wasm_chunks::chunk!("gpu_models": ::gpu::model, ::model::executor);
wasm_chunks::chunk!("models": ::model, ::formats::encoding::zlib, ::miniz_oxide::deflate);
wasm_chunks::chunk!("checkpoints":
    ::checkpoint, ::checkpoint_reader, ::formats::blocks, ::formats::gguf, ::interpret, ::tokenizer
);
wasm_chunks::chunk!("lesson_writing":
    ::bumpalo, ::lesson_markup, ::pulldown_cmark, ::pulldown_cmark_escape, ::pulldown_latex,
    ::unicase
);
wasm_chunks::chunk!("lessons": ::lessons);
wasm_chunks::chunk!("more":
    ::attention::complexity::sparse, ::attention::cpu::f64_scores::Wide,
    ::attention::cpu::f64_scores::project, ::attention::cpu::f64_scores::queries,
    ::attention::cpu::f64_scores::rotated, ::attention::error::Error,
    ::attention::request::Request::from_heads, ::formats, ::miniz_oxide, ::ndarray::linalg,
    ::qrcodegen
);
// What the page has of an opened model: the worker, which computes it, has `more` as well.
wasm_chunks::chunk!("more":
    ::interpret::layer::LayerOfText, ::interpret::lens::Said, ::interpret::next::Change, ::interpret::next::Likely, ::interpret::next::Next,
    ::interpret::question::Answer, ::interpret::question::Question, ::interpret::reading::Reading, ::interpret::token::Token,
    ::interpret::why::Why, ::model::hidden::HiddenCells, ::formats::blocks::BlockType::name
);
wasm_chunks::chunk!("engine":
    impl ::model::attribute::cell::ScoreCell, impl ::model::part::attention::NoSink, impl ::model::part::cross_entropy::Score,
    impl ::model::pass::Paths, impl ::formats::nested::Shape, impl ::wgpu::api::instance::Instance
);

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = loadChunks)]
    fn load(name: &str) -> Promise;

    #[wasm_bindgen(js_name = isLoaded)]
    fn is_loaded(name: &str) -> bool;

    #[wasm_bindgen(js_name = isLeftOut)]
    fn left_out(name: &str) -> bool;

    #[wasm_bindgen(js_name = askAgain)]
    fn ask_again(target: &EventTarget, name: &str) -> Promise;
}

/// Loads a chunk of the engine; returns whether it is available.
pub async fn load_chunk(name: &str) -> bool {
    JsFuture::from(load(name)).await.is_ok()
}

/// Whether a chunk and its dependencies are loaded, so that calls into it do not wait.
pub fn has_chunk(name: &str) -> bool {
    is_loaded(name)
}

/// Whether the files that this page runs from come without a chunk.
pub fn is_left_out(name: &str) -> bool {
    left_out(name)
}

/// Retries a chunk that could not be loaded, and shows an error on the page around `target` if it
/// still cannot.
pub fn tell_missing_chunk(target: &EventTarget, name: &str) {
    // It has no result, and does not fail.
    drop(ask_again(target, name));
}
