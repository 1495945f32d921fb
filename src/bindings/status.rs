//! The status of WebGPU as sent to the window, and why a run was not on it.

use wasm_bindgen::JsValue;

use super::js_object::{get, number, object, text};
use engine::{Backend, GpuState, GpuStatus, Reason, RunInfo};

pub(super) fn to_message(status: &GpuStatus) -> JsValue {
    object([
        ("state", status.state.name().into()),
        ("adapter", maybe(status.adapter.as_deref())),
        ("is_software", status.is_software.into()),
        ("reason", reason_message(status.reason.as_ref())),
    ])
    .into()
}

/// `None` for anything but a status.
pub(super) fn from_message(message: &JsValue) -> Option<GpuStatus> {
    let name = text(message, "state");
    let state = GpuState::ALL
        .into_iter()
        .find(|state| state.name() == name)?;
    Some(GpuStatus {
        state,
        adapter: get(message, "adapter").as_string(),
        is_software: get(message, "is_software").is_truthy(),
        reason: reason_of(&get(message, "reason")),
    })
}

/// Reads what the worker put beside the result of a run.
pub(super) fn ran_from_message(message: &JsValue) -> RunInfo {
    RunInfo {
        backend: Backend::named(&text(message, "backend")).unwrap_or(Backend::Cpu),
        adapter: get(message, "adapter").as_string(),
        reason: reason_of(&get(message, "reason")),
    }
}

/// A text, or `null`.
pub(super) fn maybe(text: Option<&str>) -> JsValue {
    text.map_or(JsValue::NULL, JsValue::from_str)
}

/// `{ code, detail, difference, allowed }`, or `null`.
pub(super) fn reason_message(reason: Option<&Reason>) -> JsValue {
    let Some(reason) = reason else {
        return JsValue::NULL;
    };
    let number = |number: Option<f64>| number.map_or(JsValue::NULL, JsValue::from_f64);
    let differences = reason.differences();
    object([
        ("code", reason.code().into()),
        ("detail", maybe(reason.detail())),
        (
            "difference",
            number(differences.map(|(difference, _)| difference)),
        ),
        ("allowed", number(differences.map(|(_, allowed)| allowed))),
    ])
    .into()
}

fn reason_of(message: &JsValue) -> Option<Reason> {
    let differences = (number(message, "difference"), number(message, "allowed"));
    Reason::from_parts(
        &text(message, "code"),
        &text(message, "detail"),
        differences,
    )
}
