//! Training ahead of what a reader may ask for next.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::super::chunks::load_chunk;
use super::super::state_message;
use super::with_service;
use crate::state::learned;

/// Takes a few steps with a model that nobody waits for; the answer is whether some are left. Nor does anybody wait for its code, which a call
/// into the chunk would load synchronously.
pub(super) fn answer(id: u32, message: JsValue) {
    spawn_local(async move {
        let has_code = load_chunk("models").await;
        let state = state_message::from_message(&message);
        let trained = state.and_then(|state| Ok(has_code && learned::advance(&state)?));
        with_service(|service| match trained {
            Ok(is_behind) => service.answer(id, &is_behind.into()),
            Err(error) => service.refuse(id, &error.into()),
        });
    });
}
