//! What a page that embeds this one may say to it, and what it hears: the protocol of `docs/messages.md`, without a
//! browser.
//!
//! A message is a record with `source`, `v` and `type`. What is not marked as ours is none of our business; what is
//! and cannot be is refused with a code, a field and a sentence, and changes nothing.
//!
//! | module | answers |
//! |---|---|
//! | [`Data`] | what a message may consist of |
//! | [`read()`] | a message to a command, or why not |
//! | [`forbidden`] | who may do what |
//! | [`Outgoing`] | what is said to the page around |
//! | [`Snapshot`] | what is on screen, as plain data |
//! | [`Inbox`] | how much is done at once, and what waits |

mod command;
mod events;
mod inbox;
mod permissions;
mod snapshot;
#[cfg(test)]
mod tests;
mod value;

pub use command::{Command, Id, Message, Refusal, given, read};
pub use events::{Outgoing, refused_settings};
pub use inbox::Inbox;
pub use permissions::{forbidden, may};
pub use snapshot::{Chosen, Measures, Snapshot, settings};
pub use value::Data;

/// What marks a message as one of this protocol.
pub const SOURCE: &str = "attention-playground";

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// Whose doing something was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangeSource {
    /// Settings that were given from outside, and nothing else.
    #[default]
    Host,
    /// A reader's hand.
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
