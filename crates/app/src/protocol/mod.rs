//! The protocol of `docs/messages.md` for pages that embed this one, without a browser.
//!
//! A message is a record with `source`, `v` and `type`. Messages of other protocols are ignored; one of ours that cannot be processed
//! is refused with a code, a field and a sentence, and changes nothing.
//!
//! | item | holds |
//! |---|---|
//! | [`read()`] | a message to a command, or why not |
//! | [`forbidden`] | who may do what |
//! | [`Outgoing`] | messages to the host |
//! | [`Snapshot`] | what is on screen, as plain data |
//! | [`Inbox`] | the queue of messages and its limits |

wasm_chunks::chunk!("host");

mod command;
mod events;
mod inbox;
mod permissions;
mod snapshot;
#[cfg(test)]
mod tests;

pub use command::{Command, Id, Message, Refusal, given, read};
pub use events::{Outgoing, refused_settings};
pub use inbox::Inbox;
pub use permissions::{forbidden, may};
pub use snapshot::{Chosen, Measures, Snapshot, settings};

/// Value of `source` that marks a message of this protocol.
pub const SOURCE: &str = "attention-playground";

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// Whose doing something was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangeSource {
    /// Settings that were given from outside, and nothing else.
    #[default]
    Host,
    /// The user.
    Person,
}

impl ChangeSource {
    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Person => "person",
        }
    }
}
