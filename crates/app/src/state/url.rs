//! State to link and back.
//!
//! The part of an address after `#` is never sent to a server. It is `v=1` and then `key=value` for every field that is not at its
//! default, in the order of [`Field::ALL`], joined by `&`: the same state always has the same link. A compact page has the word `embed`
//! first, so that frames can be recognised by their address. Values are percent-encoded as in an HTML form (a space is `+`), but
//! letters and signs of every language stay readable.
//!
//! Reading never fails: invalid settings are left out, and each is reported.

use super::{Field, MapView, SettingError, State, former_curves};
use crate::i18n;
use attention::text::tokens::is_invisible;

/// The version of links that this page writes.
const VERSION: u32 = 1;

/// The most bytes that are read: twice the longest text, four bytes a character, three letters a byte, and some more.
const LARGEST: usize = 512 * 1024;

/// The most notes about one link; more are counted.
const MOST_NOTES: usize = 12;

/// How many characters of a refused key or value a note quotes.
const QUOTED: usize = 40;

/// A part of a link that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkWarning {
    /// Its key; the beginning of it, where it is long.
    pub key: String,
    /// Its value, decoded where that is possible; the beginning of it, where it is long.
    pub value: String,
    /// The rule that it breaks.
    pub rule: SettingError,
}

/// The fragment of a state, without `#`.
pub fn to_fragment(state: &State) -> String {
    let embed = if state.embed { "embed&" } else { "" };
    let settings = join(settings(state).filter(|(field, _)| *field != Field::Embed));
    let joint = if settings.is_empty() { "" } else { "&" };
    format!("{embed}v={VERSION}{joint}{settings}")
}

/// Every setting that is not at its default, as it is written, in the order of links.
pub(crate) fn settings(state: &State) -> impl Iterator<Item = (Field, String)> {
    Field::ALL.into_iter().filter_map(|field| {
        let value = state.get(field);
        (value != state.default_of(field)).then(|| (field, value.to_param()))
    })
}

/// Settings as `key=value`, encoded, with `&` between them.
pub(crate) fn join(settings: impl Iterator<Item = (Field, String)>) -> String {
    let mut fragment = String::new();
    for (field, value) in settings {
        if !fragment.is_empty() {
            fragment.push('&');
        }
        fragment.push_str(field.key());
        fragment.push('=');
        encode(&value, &mut fragment);
    }
    fragment
}

/// The parts of a fragment: each key and its value, still encoded.
pub(crate) fn split(fragment: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = fragment.split('&').filter(|written| !written.is_empty());
    parts.map(|written| written.split_once('=').unwrap_or((written, "")))
}

/// Parses a fragment, with or without its `#`, and returns the state and a warning for each part
/// that was left out.
///
/// Fields that are absent or refused have their default.
pub fn parse(fragment: &str) -> (State, Vec<LinkWarning>) {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    let mut state = State::default();
    let (mut given, mut notes) = read(fragment);
    show_former_curves(&mut given, &state);
    // What was brought decides others, and stands last because it may be long.
    for field in data_first() {
        let named = given.iter().find(|part| part.field == field);
        if named.is_some_and(|part| apply_part(&mut state, part, &mut notes)) {
            continue;
        }
        let default = state.default_of(field);
        // A default is always possible beside the fields before it; should that ever change, a test says so.
        let _ = state.set(field, default);
    }
    (state, shortened(notes))
}

/// Every field, in the order in which they are applied.
pub(crate) fn data_first() -> impl Iterator<Item = Field> {
    let others = Field::ALL.into_iter().filter(|field| *field != Field::Data);
    std::iter::once(Field::Data).chain(others)
}

/// Takes the fields named in `settings`, written like a fragment, and leaves the others as they are.
pub(crate) fn apply(state: &mut State, settings: &str) -> Vec<LinkWarning> {
    let (mut given, mut notes) = read(settings);
    show_former_curves(&mut given, state);
    for field in data_first() {
        if let Some(part) = given.iter().find(|part| part.field == field) {
            apply_part(state, part, &mut notes);
        }
    }
    shortened(notes)
}

/// The beginning of a text that came from outside, for quoting.
pub(crate) fn beginning(text: &str) -> String {
    i18n::beginning(text, QUOTED)
}

/// One `key=value` of a known field.
struct Param {
    field: Field,
    value: String,
}

fn show_former_curves(given: &mut Vec<Param>, state: &State) {
    let written = |field| Some(&*given.iter().find(|part| part.field == field)?.value);
    if former_curves::is_opened(state, written) {
        given.push(Param {
            field: Field::View,
            value: MapView::Curves.name().to_owned(),
        });
    }
}

fn apply_part(state: &mut State, part: &Param, notes: &mut Vec<LinkWarning>) -> bool {
    let (known, unknown) = part.field.known_names(&part.value);
    let taken = (part.field)
        .parse(&known)
        .and_then(|value| state.set(part.field, value));
    if let (Ok(()), Some((names, rule))) = (&taken, unknown) {
        notes.push(note(part.field.key(), &names, rule));
    }
    match taken {
        Ok(()) => true,
        Err(rule) => {
            notes.push(note(part.field.key(), &part.value, rule));
            false
        }
    }
}

pub(crate) fn note(key: &str, value: &str, rule: SettingError) -> LinkWarning {
    LinkWarning {
        key: beginning(key),
        value: beginning(value),
        rule,
    }
}

/// Splits and decodes, and checks the version, without looking at what values mean.
fn read(fragment: &str) -> (Vec<Param>, Vec<LinkWarning>) {
    if fragment.len() > LARGEST {
        return (
            Vec::new(),
            vec![note(
                "",
                fragment,
                SettingError::Large {
                    max: LARGEST as u32,
                },
            )],
        );
    }
    let (mut parts, mut notes) = (Vec::<Param>::new(), Vec::new());
    let mut versions = 0;
    for (key, raw) in split(fragment) {
        let rule = match (Field::from_key(key), decode(raw)) {
            (None, _) if key == "v" => {
                versions += 1;
                version_problem(raw, versions)
            }
            (None, _) => Some(SettingError::Unknown),
            (_, None) => Some(SettingError::Encoding),
            (Some(field), _) if parts.iter().any(|part| part.field == field) => {
                Some(SettingError::Repeated)
            }
            (Some(field), Some(mut value)) => {
                if field == Field::Embed && value.is_empty() {
                    value.push('1');
                }
                parts.push(Param { field, value });
                None
            }
        };
        notes.extend(
            rule.map(|rule| note(key, &decode(raw).unwrap_or_else(|| beginning(raw)), rule)),
        );
    }
    (parts, notes)
}

fn version_problem(written: &str, count: usize) -> Option<SettingError> {
    match written.parse::<u32>() {
        _ if count > 1 => Some(SettingError::Repeated),
        Ok(VERSION) => None,
        Ok(_) => Some(SettingError::Version { known: VERSION }),
        Err(_) => Some(SettingError::Number),
    }
}

pub(crate) fn shortened(mut notes: Vec<LinkWarning>) -> Vec<LinkWarning> {
    if notes.len() > MOST_NOTES {
        let more = notes.split_off(MOST_NOTES - 1).len() as u32;
        notes.push(note("", "", SettingError::More(more)));
    }
    notes
}

fn encode(text: &str, fragment: &mut String) {
    let mut bytes = [0; 4];
    for c in text.chars() {
        if c == ' ' {
            fragment.push('+');
        } else if is_readable(c) {
            fragment.push(c);
        } else {
            for byte in c.encode_utf8(&mut bytes).bytes() {
                fragment.push_str(&format!("%{byte:02X}"));
            }
        }
    }
}

/// Whether a character may stand in a link as it is: no blank, nothing invisible, nothing that ends a link in running
/// text or that a browser would encode among ASCII.
fn is_readable(c: char) -> bool {
    match c {
        _ if c.is_ascii() => c.is_ascii_alphanumeric() || "-_.,:;!?'*/".contains(c),
        _ => !c.is_whitespace() && !is_invisible(c),
    }
}

/// `None` for a `%` without two hexadecimal digits and for bytes that are not UTF-8.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = match first {
            b'%' => {
                let [high, low, after @ ..] = tail else {
                    return None;
                };
                bytes.push(digit(*high)? << 4 | digit(*low)?);
                after
            }
            b'+' => {
                bytes.push(b' ');
                tail
            }
            _ => {
                bytes.push(*first);
                tail
            }
        };
    }
    String::from_utf8(bytes).ok()
}

fn digit(letter: u8) -> Option<u8> {
    char::from(letter)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}
