//! The line below the map: the cell under the pointer with its exact value.

use web_sys::{Element, HtmlElement};

use crate::browser::dom::{Attribute, MissingPart, Root, Text};
use crate::browser::language;
use crate::browser::map::Pointed;
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::present::displayed_matrix::{DisplayedMatrix, Entry};
use crate::scene::layout::Side;

/// The line and its spoken twin.
pub(crate) struct Readout {
    query: Text,
    arrow: Text,
    key: Text,
    value: Text,
    /// The hues of row and column.
    classes: [Attribute; 2],
    hint: HtmlElement,
    spoken: Text,
}

impl Readout {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        let class = |selector| -> Result<Attribute, MissingPart> {
            Ok(Attribute::new(root.find::<Element>(selector)?, "class"))
        };
        Ok(Self {
            classes: [class("#cell .is-query-text")?, class("#cell .is-key-text")?],
            query: Text::find(root, "#cell .is-query-text")?,
            arrow: Text::find(root, "#cell .arrow")?,
            key: Text::find(root, "#cell .is-key-text")?,
            value: Text::find(root, "#cell .value")?,
            hint: root.find("#cell-hint")?,
            spoken: Text::find(root, "#map-cell")?,
        })
    }

    /// Shows a cell, a row, or how to point at one.
    pub(crate) fn update(
        &mut self,
        exhibit: &DisplayedMatrix<'_>,
        pointed: Pointed,
        is_locked: bool,
        language: Language,
    ) {
        let [row, column] = named(exhibit, pointed, language);
        let [row_side, column_side] = exhibit.sides().map(class);
        self.classes[0].set(row_side);
        self.classes[1].set(column_side);
        self.query.set_text(&row);
        self.key.set_text(&column);
        let value = value(exhibit, pointed, language);
        self.arrow.set_text(match (&value, exhibit.is_pairs()) {
            (None, _) => "",
            (Some(_), true) => "→",
            (Some(_), false) => "·",
        });
        self.value.set_text(&value.unwrap_or_default());
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
    pub(crate) fn speak(
        &mut self,
        exhibit: &DisplayedMatrix<'_>,
        pointed: Pointed,
        language: Language,
    ) {
        let [query, key] = named(exhibit, pointed, language);
        let value = value(exhibit, pointed, language);
        self.spoken.set_text(&match (value, exhibit.is_pairs()) {
            (Some(value), true) => text::spoken_cell(language, &query, &key, &value),
            (Some(value), false) => text::spoken_entry(language, &query, &key, &value),
            (None, true) => text::spoken_row(language, &query),
            (None, false) => text::spoken_entry_row(language, &query),
        });
    }
}

/// What row and column are called; empty where none is pointed out.
fn named(exhibit: &DisplayedMatrix<'_>, pointed: Pointed, language: Language) -> [String; 2] {
    let row = pointed.query.map(|row| exhibit.row_name(row, language));
    let column = pointed.key;
    let column = column.map(|column| exhibit.column_name(column, language));
    [row, column].map(Option::unwrap_or_default)
}

/// The class that gives the hue of one side.
pub(super) fn class(side: Side) -> &'static str {
    match side {
        Side::Queries => "is-query-text",
        Side::Keys => "is-key-text",
        Side::Neither => "",
    }
}

fn value(exhibit: &DisplayedMatrix<'_>, pointed: Pointed, language: Language) -> Option<String> {
    Some(match exhibit.entry(pointed.query?, pointed.key?)? {
        Entry::Value(value) => number::exact(value),
        Entry::Visible => Key::VisibleCell.text(language).to_owned(),
        Entry::Hidden => Key::HiddenCells.text(language).to_owned(),
    })
}
