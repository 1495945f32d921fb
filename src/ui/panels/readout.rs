//! The line below the map: the cell that is pointed out, with its exact value.

use web_sys::HtmlElement;

use crate::ui::dom::{MissingPart, Root, Text};
use crate::ui::language;
use crate::ui::map::Pointed;
use crate::ui::run::Run;
use crate::view::format;
use crate::words::{Key, Language, fill, say};

/// The line and its spoken twin.
pub struct Readout {
    query: Text,
    arrow: Text,
    key: Text,
    value: Text,
    hint: HtmlElement,
    spoken: Text,
}

impl Readout {
    pub fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            query: Text::find(root, "#cell .is-query-text")?,
            arrow: Text::find(root, "#cell .arrow")?,
            key: Text::find(root, "#cell .is-key-text")?,
            value: Text::find(root, "#cell .value")?,
            hint: root.find("#cell-hint")?,
            spoken: Text::find(root, "#map-cell")?,
        })
    }

    /// Shows a cell, a row, or how to point at one.
    pub fn show(
        &mut self,
        run: &Run,
        head: usize,
        pointed: Pointed,
        is_locked: bool,
        language: Language,
    ) {
        let token = |tokens: &[String], at: Option<usize>| {
            at.and_then(|at| tokens.get(at))
                .cloned()
                .unwrap_or_default()
        };
        self.query.say(&token(&run.queries, pointed.query));
        self.key.say(&token(&run.keys, pointed.key));
        let value = cell(run, head, pointed).map(|cell| cell.written(language));
        self.arrow.say(if value.is_some() { "→" } else { "" });
        self.value.say(&value.unwrap_or_default());
        language::bind(
            &self.hint,
            if is_locked {
                Key::MapLocked
            } else {
                Key::MapHint
            },
            language,
        );
    }

    /// Says a cell to those who listen instead of looking.
    pub fn speak(&mut self, run: &Run, head: usize, pointed: Pointed, language: Language) {
        let token = |tokens: &[String], at: Option<usize>| {
            at.and_then(|at| tokens.get(at))
                .cloned()
                .unwrap_or_default()
        };
        let (query, key) = (
            token(&run.queries, pointed.query),
            token(&run.keys, pointed.key),
        );
        self.spoken.say(&match cell(run, head, pointed) {
            Some(cell) => {
                let value = cell.written(language);
                fill(
                    language,
                    Key::SpokenCell,
                    &[("query", &query), ("key", &key), ("value", &value)],
                )
            }
            None => fill(language, Key::SpokenRow, &[("query", &query)]),
        });
    }
}

/// What a cell holds.
enum Cell {
    Weight(f32),
    Hidden,
}

impl Cell {
    fn written(&self, language: Language) -> String {
        match self {
            Self::Weight(weight) => format::exact(*weight),
            Self::Hidden => say(language, Key::HiddenCells).to_owned(),
        }
    }
}

fn cell(run: &Run, head: usize, pointed: Pointed) -> Option<Cell> {
    let (query, key) = (pointed.query?, pointed.key?);
    let weight = *run.row(head, query).get(key)?;
    Some(if run.hidden().is_hidden(query, key) {
        Cell::Hidden
    } else {
        Cell::Weight(weight)
    })
}
