//! What window and worker send each other as plain objects: commands, and the fields of what is sent, are named once for both sides.

use js_sys::{Array, Float32Array, Object};
use wasm_bindgen::{JsCast, JsValue};

use super::js_object::{get, number, object, text};
use app::Refusal;
use app::import::ReadTensors;
use app::present::backend_comparison::Comparison;
use engine::{Backend, GpuState, GpuStatus, Reason, RunInfo};
use formats::{Labels, Tensor};

macro_rules! commands {
    ($($command:ident $name:literal)*) => {
        /// What a message asks the worker for.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(super) enum Command {
            $($command),*
        }

        impl Command {
            const fn name(self) -> &'static str {
                match self {
                    $(Self::$command => $name),*
                }
            }

            /// The command of a message.
            pub(super) fn of(message: &JsValue) -> Option<Self> {
                match text(message, "kind").as_str() {
                    $($name => Some(Self::$command),)*
                    _ => None,
                }
            }
        }
    };
}

commands! {
    Abort "abort"
    Backends "backends"
    Compare "compare"
    Compute "compute"
    Data "data"
    DisableAutoGpu "disable_auto_gpu"
    Free "free"
    Half "half"
    Layer "layer"
    LayerCompute "layer_compute"
    Leave "leave"
    Measure "measure"
    Model "model"
    ModelCall "model_call"
    Page "page"
    Read "read"
    Trace "trace"
    Train "train"
}

impl Command {
    /// `{ kind, id }`: `id` is that of a call, or of the layer, model or page that it is about.
    pub(super) fn message(self, id: u32) -> Object {
        object([("kind", self.name().into()), ("id", id.into())])
    }
}

/// A value in a message.
pub(super) trait InMessage: Sized {
    /// The value. Buffers that move with the message instead of being copied are added to `transfer`.
    fn to_js(&self, transfer: &Array) -> JsValue;
    /// `None` for anything else.
    fn from_js(value: &JsValue) -> Option<Self>;
}

macro_rules! objects {
    ($($type:ident { $($field:ident),* })*) => {$(
        impl InMessage for $type {
            fn to_js(&self, transfer: &Array) -> JsValue {
                object([$((stringify!($field), self.$field.to_js(transfer))),*]).into()
            }

            fn from_js(value: &JsValue) -> Option<Self> {
                Some(Self { $($field: InMessage::from_js(&get(value, stringify!($field)))?),* })
            }
        }
    )*};
}

objects! {
    Comparison { difference, allowed, head, row, column, cpu, webgpu, cpu_ms, webgpu_ms }
    GpuStatus { state, adapter, is_software, reason }
    Labels { title, names }
    ReadTensors { tensors, notes }
    Refusal { code, message, field, value }
    RunInfo { backend, adapter, reason }
    Tensor { name, shape, data, labels }
}

pub(super) use objects;

macro_rules! numbers {
    ($($type:ident)*) => {$(
        impl InMessage for $type {
            fn to_js(&self, _: &Array) -> JsValue {
                JsValue::from_f64(*self as f64)
            }

            fn from_js(value: &JsValue) -> Option<Self> {
                value.as_f64().map(|number| number as Self)
            }
        }
    )*};
}

numbers! { f32 f64 usize }

macro_rules! lists {
    ($($type:ident)*) => {$(
        impl InMessage for Vec<$type> {
            fn to_js(&self, transfer: &Array) -> JsValue {
                self.iter().map(|own| own.to_js(transfer)).collect::<Array>().into()
            }

            fn from_js(value: &JsValue) -> Option<Self> {
                value.dyn_ref::<Array>()?.iter().map(|own| $type::from_js(&own)).collect()
            }
        }
    )*};
}

pub(super) use lists;

lists! { Labels String Tensor usize }

impl InMessage for Vec<f32> {
    fn to_js(&self, transfer: &Array) -> JsValue {
        let numbers = Float32Array::from(self.as_slice());
        transfer.push(&numbers.buffer());
        numbers.into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        value.dyn_ref::<Float32Array>().map(Float32Array::to_vec)
    }
}

impl InMessage for String {
    fn to_js(&self, _: &Array) -> JsValue {
        self.into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        value.as_string()
    }
}

impl InMessage for bool {
    fn to_js(&self, _: &Array) -> JsValue {
        (*self).into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        Some(value.is_truthy())
    }
}

/// `null` where it is not there.
impl<T: InMessage> InMessage for Option<T> {
    fn to_js(&self, transfer: &Array) -> JsValue {
        self.as_ref()
            .map_or(JsValue::NULL, |own| own.to_js(transfer))
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        Some(T::from_js(value))
    }
}

impl InMessage for Backend {
    fn to_js(&self, _: &Array) -> JsValue {
        self.name().into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        Self::named(&value.as_string()?)
    }
}

impl InMessage for GpuState {
    fn to_js(&self, _: &Array) -> JsValue {
        self.name().into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        let name = value.as_string()?;
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl InMessage for Reason {
    fn to_js(&self, transfer: &Array) -> JsValue {
        let (difference, allowed) = self.differences().unzip();
        object([
            ("code", self.code().into()),
            ("detail", self.detail().map(str::to_owned).to_js(transfer)),
            ("difference", difference.to_js(transfer)),
            ("allowed", allowed.to_js(transfer)),
        ])
        .into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        let differences = (number(value, "difference"), number(value, "allowed"));
        Self::from_parts(&text(value, "code"), &text(value, "detail"), differences)
    }
}
