//! Training in advance of the user's next request.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::super::chunks::load_chunk;
use super::super::state_message;
use super::with_service;
use app::state::learned;

/// Takes a few training steps in the background, and answers whether some are left. The code is
/// loaded in the background too, since a call into its chunk would load it synchronously.
pub(super) fn answer(id: u32, message: &JsValue) {
    let state = state_message::from_message(message);
    spawn_local(async move {
        let has_code = load_chunk("models").await;
        let trained = state.and_then(|state| Ok(has_code && learned::advance(&state)?));
        with_service(|service| match trained {
            Ok(is_behind) => service.answer(id, &is_behind.into()),
            Err(error) => service.refuse(id, &error.into()),
        });
    });
}
