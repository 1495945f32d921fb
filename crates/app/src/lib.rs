//! The page without a browser: its state, what happens to it, what follows, and what is shown.
//!
//! [`App::update`] handles a [`Message`]: it changes the state and returns [`Effect`]s for the runtime to carry out. Time, the
//! browser environment and the state of code chunks are passed in.
//!
//! | module | holds |
//! |---|---|
//! | [`state`] | the validated record of all settings, its links, and the actions on it |
//! | [`present`] | view models: what to show and say about a state and its run |
//! | [`scene`] | shapes, colours, scales and layouts of pictures |
//! | [`views`] | panels as functions from view models to markup |
//! | [`import`], [`export`], [`share`] | files in, files out, links and embeds |
//! | [`protocol`] | messages of pages that embed this one |
//! | [`js_tree`] | a plain JavaScript value |
//! | [`i18n`] | every text that people read |

mod effect;
pub mod export;
pub mod i18n;
pub mod import;
pub mod js_tree;
pub mod message;
pub mod present;
pub mod protocol;
pub mod queue;
mod refusal;
pub mod scene;
pub mod share;
pub mod state;
mod update;
pub mod views;

pub use effect::{Effect, File, View};
pub use message::Message;
pub use refusal::Refusal;
pub use update::{
    App, ChunkState, Chunks, DirtyMap, EnvironmentSnapshot, LaneState, Memory, Outside, PANELS,
    Sheet, WITH_PANELS,
};
