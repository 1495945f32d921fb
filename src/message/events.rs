//! Messages to the host page.

use super::{ChangeSource, Data, Id, Refusal, SOURCE, Snapshot, VERSION};
use crate::state::{LinkWarning, SettingError};

/// A message to the page around.
#[derive(Clone, Debug)]
pub enum Outgoing<'a> {
    /// The page is ready, and which messages the host may send.
    Ready {
        /// The message that it answers, if any.
        id: Option<Id>,
        /// Version of the page.
        version: &'a str,
        /// Types of messages that are carried out.
        may: &'a [&'static str],
        /// Height of everything, in CSS pixels.
        height: f64,
    },
    /// What is on screen, because it was asked for.
    State(Option<Id>, &'a Snapshot),
    /// What was asked for is done, but for what is listed; see [`refused_settings`].
    Reply(Option<Id>, &'a [LinkWarning]),
    /// It was not done.
    Refused(&'a Refusal),
    /// Settings have changed, and their numbers are on screen.
    Change(ChangeSource, &'a Snapshot),
    /// Another cell was chosen, or none.
    Select(ChangeSource, &'a Snapshot),
    /// The page is higher or lower.
    Resize(f64),
}

impl Outgoing<'_> {
    /// The type of the message.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ready { .. } => "ready",
            Self::State(..) => "state",
            Self::Reply(..) => "reply",
            Self::Refused(_) => "refused",
            Self::Change(..) => "change",
            Self::Select(..) => "select",
            Self::Resize(_) => "resize",
        }
    }

    /// The message as a plain value.
    pub fn data(&self) -> Data {
        let mut message = Data::record([
            ("source", Data::text(SOURCE)),
            ("v", Data::Number(VERSION.into())),
            ("type", Data::text(self.name())),
        ]);
        if let (Data::Record(entries), Data::Record(own)) = (&mut message, self.own()) {
            entries.extend(own);
        }
        message
    }

    fn own(&self) -> Data {
        match self {
            Self::Ready {
                id,
                version,
                may,
                height,
            } => Data::record([
                ("id", name(id.as_ref())),
                ("version", Data::text(version)),
                (
                    "may",
                    Data::List(may.iter().map(|may| Data::text(may)).collect()),
                ),
                ("height", Data::Number(*height)),
            ]),
            Self::State(id, snapshot) => {
                Data::record([("id", name(id.as_ref())), ("state", snapshot.data())])
            }
            Self::Reply(id, notes) => Data::record([
                ("id", name(id.as_ref())),
                ("refused", refused_settings(notes)),
            ]),
            Self::Refused(refusal) => Data::record([
                ("id", name(refusal.id.as_ref())),
                ("code", Data::text(refusal.code)),
                ("field", Data::text(&refusal.field)),
                ("message", Data::text(&refusal.message)),
            ]),
            Self::Change(by, snapshot) | Self::Select(by, snapshot) => {
                Data::record([("by", Data::text(by.name())), ("state", snapshot.data())])
            }
            Self::Resize(height) => Data::record([("height", Data::Number(*height))]),
        }
    }
}

fn name(id: Option<&Id>) -> Data {
    id.map(Id::data).into()
}

/// Settings that were refused or adjusted: `{ code, field, value, message }` of each.
pub fn refused_settings(notes: &[LinkWarning]) -> Data {
    let refused = notes.iter().map(|note| {
        Data::record([
            ("code", Data::text(code(&note.rule))),
            ("field", Data::text(&note.key)),
            ("value", Data::text(&note.value)),
            (
                "message",
                Data::text(&format!("{} {}", note.key, note.rule)),
            ),
        ])
    });
    Data::List(refused.collect())
}

/// A rule for programs, named as in the API where that has the same.
fn code(rule: &SettingError) -> &'static str {
    match rule {
        SettingError::Range { .. }
        | SettingError::DecimalRange { .. }
        | SettingError::Cell { .. } => "out_of_range",
        SettingError::TeachingHeads { .. } | SettingError::Given => "not_applicable",
        SettingError::DataMissing(_) => "missing_field",
        SettingError::Divisor { .. } => "kv_heads_do_not_divide",
        SettingError::Options(_) | SettingError::Names(_) => "unknown_option",
        SettingError::Long { .. }
        | SettingError::Large { .. }
        | SettingError::Painted { .. }
        | SettingError::Many { .. }
        | SettingError::More(_) => "too_large",
        SettingError::Unknown => "unknown_field",
        SettingError::Version { .. } => "unknown_version",
        _ => "wrong_type",
    }
}
