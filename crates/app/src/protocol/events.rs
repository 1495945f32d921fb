//! Messages to the host page.

use super::{ChangeSource, Id, Refusal, SOURCE, Snapshot, VERSION};
use crate::js_tree::JsTree;
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
    /// Snapshot of the state on screen, in answer to `get`.
    State(Option<Id>, &'a Snapshot),
    /// Confirms a command, except for the settings listed; see [`refused_settings`].
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
    pub fn data(&self) -> JsTree {
        let mut message = JsTree::record([
            ("source", JsTree::text(SOURCE)),
            ("v", JsTree::Number(VERSION.into())),
            ("type", JsTree::text(self.name())),
        ]);
        if let (JsTree::Record(entries), JsTree::Record(own)) = (&mut message, self.own()) {
            entries.extend(own);
        }
        message
    }

    fn own(&self) -> JsTree {
        match self {
            Self::Ready {
                id,
                version,
                may,
                height,
            } => JsTree::record([
                ("id", name(id.as_ref())),
                ("version", JsTree::text(version)),
                (
                    "may",
                    JsTree::List(may.iter().map(|may| JsTree::text(may)).collect()),
                ),
                ("height", JsTree::Number(*height)),
            ]),
            Self::State(id, snapshot) => {
                JsTree::record([("id", name(id.as_ref())), ("state", snapshot.data())])
            }
            Self::Reply(id, notes) => JsTree::record([
                ("id", name(id.as_ref())),
                ("refused", refused_settings(notes)),
            ]),
            Self::Refused(refusal) => JsTree::record([
                ("id", name(refusal.id.as_ref())),
                ("code", JsTree::text(refusal.code)),
                ("field", JsTree::text(&refusal.field)),
                ("message", JsTree::text(&refusal.message)),
            ]),
            Self::Change(by, snapshot) | Self::Select(by, snapshot) => {
                JsTree::record([("by", JsTree::text(by.name())), ("state", snapshot.data())])
            }
            Self::Resize(height) => JsTree::record([("height", JsTree::Number(*height))]),
        }
    }
}

fn name(id: Option<&Id>) -> JsTree {
    id.map(Id::data).into()
}

/// Settings that were refused or adjusted: `{ code, field, value, message }` of each.
pub fn refused_settings(notes: &[LinkWarning]) -> JsTree {
    let refused = notes.iter().map(|note| {
        JsTree::record([
            ("code", JsTree::text(code(&note.rule))),
            ("field", JsTree::text(&note.key)),
            ("value", JsTree::text(&note.value)),
            (
                "message",
                JsTree::text(&format!("{} {}", note.key, note.rule)),
            ),
        ])
    });
    JsTree::List(refused.collect())
}

/// A rule for programs, named as in the API where that has the same.
fn code(rule: &SettingError) -> &'static str {
    match rule {
        SettingError::Range { .. }
        | SettingError::DecimalRange { .. }
        | SettingError::Cell { .. } => "out_of_range",
        SettingError::TeachingHeads { .. } | SettingError::Given | SettingError::Learned => {
            "not_applicable"
        }
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
