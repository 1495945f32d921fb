//! Models: calls of the public API on a stack of layers, and their results.

wasm_chunks::chunk!("models");

mod attribution;
mod changes;
mod config;
mod devices;
mod generation;
mod inference;
mod inputs;
mod learning;
mod opening;
mod reads;
mod stored;
mod tensors;

use super::fields::Fields;
use super::limits;
use super::options::{self, named, whole};
use super::tensor::{Flags, Tensor};
use app::js_tree::JsTree;

pub use devices::Devices;
pub use opening::{FileInfo, Opening};
pub use stored::{ModelAnswer, StoredModel};

use model::task::{TASKS, Task};

/// Lists the tasks: `[{ name, words, length, about }]`.
pub fn tasks() -> JsTree {
    let tasks = TASKS.iter().filter_map(|name| Task::named(name).ok());
    let about = |task: Task| {
        JsTree::record([
            ("name", JsTree::text(task.name())),
            ("words", JsTree::texts(task.words())),
            ("length", JsTree::index(task.length())),
            ("about", JsTree::text(task.about())),
        ])
    };
    JsTree::List(tasks.map(about).collect())
}
