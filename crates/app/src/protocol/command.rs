//! Parses a message into a command, or explains why not.

use super::{SOURCE, VERSION};
use crate::js_tree::JsTree;
use crate::state::external_settings::SettingInput;
use crate::state::{Cell, Theme};

/// Commands from a host page.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Asks whether the page is ready, and which commands are permitted.
    Hello,
    /// Asks for a snapshot of the state on screen.
    Get,
    /// Some settings; the others stay.
    Set(Vec<SettingInput>),
    /// Applies a whole state in link syntax: settings that it does not name take their
    /// defaults.
    Restore(String),
    /// A cell, or none.
    Select(Option<Cell>),
    /// The theme of the page around, or that it is left to the system.
    Theme(Option<Theme>),
}

impl Command {
    /// Whether it changes settings, which only listed origins may.
    pub const fn is_setting(&self) -> bool {
        matches!(self, Self::Set(_) | Self::Restore(_) | Self::Select(_))
    }
}

/// Identifier that the sender gave a message; the answer repeats it.
#[derive(Clone, Debug, PartialEq)]
pub enum Id {
    /// A number.
    Number(f64),
    /// A text of at most [`Id::LONGEST`] bytes.
    Text(String),
}

impl Id {
    /// The longest text that is one.
    pub const LONGEST: usize = 256;

    fn read(data: &JsTree) -> Option<Self> {
        match data {
            JsTree::Number(number) if number.is_finite() => Some(Self::Number(*number)),
            JsTree::Text(text) if text.len() <= Self::LONGEST => Some(Self::Text(text.clone())),
            _ => None,
        }
    }

    /// The same as it came.
    pub fn data(&self) -> JsTree {
        match self {
            Self::Number(number) => JsTree::Number(*number),
            Self::Text(text) => JsTree::text(text),
        }
    }
}

/// A parsed message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its identifier, if it has one.
    pub id: Option<Id>,
    /// Its command.
    pub command: Command,
}

/// Why a message was refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Identifier of the message, if it has one.
    pub id: Option<Id>,
    /// For programs.
    pub code: &'static str,
    /// The part of the message that it is about.
    pub field: String,
    /// Text for developers.
    pub message: String,
}

impl Refusal {
    /// A refusal for a message with this id.
    pub fn new(id: Option<Id>, code: &'static str, field: &str, message: &str) -> Self {
        Self {
            id,
            code,
            field: field.to_owned(),
            message: message.to_owned(),
        }
    }
}

/// Why a part of a message cannot be: code, field, sentence.
type Flaw = (&'static str, String, String);

fn flaw<T>(code: &'static str, field: &str, message: &str) -> Result<T, Flaw> {
    Err((code, field.to_owned(), message.to_owned()))
}

/// Parses a message; `None` for one of another protocol. A value too large to inspect counts as
/// ours, since callers check its `source` first.
pub fn read(data: &JsTree) -> Option<Result<Message, Refusal>> {
    if let JsTree::TooLarge(_) = data {
        let message = "a message is a plain object with few fields";
        return Some(Err(Refusal::new(None, "too_large", "", message)));
    }
    if *data.get("source") != JsTree::text(SOURCE) {
        return None;
    }
    let id = Id::read(data.get("id"));
    let command = check(data).and_then(|()| command(data));
    Some(match command {
        Ok(command) => Ok(Message { id, command }),
        Err((code, field, message)) => Err(Refusal {
            id,
            code,
            field,
            message,
        }),
    })
}

/// Checks the fields that every message has.
fn check(data: &JsTree) -> Result<(), Flaw> {
    match data.get("v") {
        JsTree::Absent => return flaw("missing_field", "v", "a message names its version: v: 1"),
        JsTree::Number(version) if *version == f64::from(VERSION) => {}
        _ => return flaw("unknown_version", "v", "this page speaks version 1"),
    }
    match data.get("id") {
        JsTree::Absent => Ok(()),
        id if Id::read(id).is_some() => Ok(()),
        _ => flaw(
            "wrong_type",
            "id",
            "an id is a finite number or a short text",
        ),
    }
}

fn command(data: &JsTree) -> Result<Command, Flaw> {
    let JsTree::Text(name) = data.get("type") else {
        return match data.get("type") {
            JsTree::Absent => flaw("missing_field", "type", "a message names its type"),
            _ => flaw("unknown_type", "type", "a type is a text"),
        };
    };
    match name.as_str() {
        "hello" => Ok(Command::Hello),
        "get" => Ok(Command::Get),
        "set" => set(data),
        "select" => select(data.get("cell")),
        "theme" => theme(data.get("theme")),
        _ => flaw(
            "unknown_type",
            "type",
            "the types are hello, get, set, select and theme",
        ),
    }
}

fn set(data: &JsTree) -> Result<Command, Flaw> {
    match (data.get("settings"), data.get("fragment")) {
        (JsTree::Absent, JsTree::Absent) => flaw(
            "missing_field",
            "settings",
            "set takes settings or a fragment",
        ),
        (settings, JsTree::Absent) => self::settings(settings).map(Command::Set),
        (JsTree::Absent, JsTree::Text(fragment)) => Ok(Command::Restore(fragment.clone())),
        (JsTree::Absent, JsTree::TooLarge(_)) => {
            flaw("too_large", "fragment", "the fragment is too large")
        }
        (JsTree::Absent, _) => flaw("wrong_type", "fragment", "a fragment is a text"),
        _ => flaw(
            "not_applicable",
            "fragment",
            "set takes settings or a fragment, not both",
        ),
    }
}

/// Settings that are given by themselves, without a message.
///
/// # Errors
/// [`Refusal`] with the field that is not a valid setting.
pub fn given(data: &JsTree) -> Result<Vec<SettingInput>, Refusal> {
    settings(data).map_err(|(code, field, message)| Refusal::new(None, code, &field, &message))
}

fn settings(data: &JsTree) -> Result<Vec<SettingInput>, Flaw> {
    let entries = match data {
        JsTree::Record(entries) => entries,
        JsTree::TooLarge(_) => return flaw("too_large", "settings", "there are too many settings"),
        _ => return flaw("wrong_type", "settings", "settings are a plain object"),
    };
    let given = entries.iter().map(|(key, data)| {
        // Who may set is said by the link alone.
        if key == "origins" {
            return flaw("not_allowed", "origins", "only a link names origins");
        }
        Ok(SettingInput {
            value: written(key, data)?,
            key: key.clone().into_owned(),
        })
    });
    given.collect()
}

/// A value as a link would write it; `None` for the default.
fn written(key: &str, data: &JsTree) -> Result<Option<String>, Flaw> {
    Ok(Some(match data {
        JsTree::Absent => return Ok(None),
        JsTree::Flag(on) => u8::from(*on).to_string(),
        JsTree::Number(number) if number.is_finite() => number.to_string(),
        JsTree::Text(text) => text.clone(),
        JsTree::List(list) if list.is_empty() => "none".to_owned(),
        JsTree::List(list) => {
            let names = list.iter().map(|name| match name {
                JsTree::Text(name) => Some(name.as_str()),
                _ => None,
            });
            match names.collect::<Option<Vec<_>>>() {
                Some(names) => names.join(","),
                None => return flaw("wrong_type", key, "a list holds names"),
            }
        }
        JsTree::TooLarge(_) => return flaw("too_large", key, "the value is too large"),
        JsTree::Number(_) => return flaw("not_finite", key, "a number is finite"),
        JsTree::Singles(_) | JsTree::Doubles(_) | JsTree::Record(_) | JsTree::Other(_) => {
            return flaw(
                "wrong_type",
                key,
                "a setting is a text, a number, a switch or a list of names",
            );
        }
    }))
}

fn select(cell: &JsTree) -> Result<Command, Flaw> {
    if *cell == JsTree::Absent {
        return Ok(Command::Select(None));
    }
    if !matches!(cell, JsTree::Record(_)) {
        return flaw("wrong_type", "cell", "a cell is { query, key } or null");
    }
    let Some(query) = index(cell.get("query"), "query")? else {
        return flaw("missing_field", "query", "a cell names its query");
    };
    let key = index(cell.get("key"), "key")?;
    Ok(Command::Select(Some(Cell { query, key })))
}

/// A row or a column, counted from 0.
fn index(data: &JsTree, field: &str) -> Result<Option<usize>, Flaw> {
    match data {
        JsTree::Absent => Ok(None),
        JsTree::Number(at) if at.fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(at) => {
            Ok(Some(*at as usize))
        }
        JsTree::Number(_) => flaw("out_of_range", field, "counted from 0, without a fraction"),
        _ => flaw("wrong_type", field, "a whole number, counted from 0"),
    }
}

fn theme(data: &JsTree) -> Result<Command, Flaw> {
    match data {
        JsTree::Absent => flaw("missing_field", "theme", "light, dark or auto"),
        JsTree::Text(name) if name == "auto" => Ok(Command::Theme(None)),
        JsTree::Text(name) => match Theme::from_name(name) {
            Some(theme) => Ok(Command::Theme(Some(theme))),
            None => flaw("unknown_option", "theme", "light, dark or auto"),
        },
        _ => flaw("wrong_type", "theme", "light, dark or auto"),
    }
}
