//! The matrix on the map: its copied text, and the note about the copy.

use super::{Extent, Form, Refusal, Selection, TextMatrix, formula};
use crate::export::figures;
use crate::i18n::{Key, Language, text};
use crate::present::displayed_matrix::DisplayedMatrix;
use crate::present::names;
use crate::present::run::Run;

/// The most characters that are shown of a text.
const MOST_SHOWN: usize = 20_000;

/// The matrix on the map, and the row and column that are pointed out on it.
#[derive(Clone, Copy)]
pub struct MatrixOnMap<'a> {
    pub run: &'a Run,
    pub head: usize,
    pub displayed: &'a DisplayedMatrix<'a>,
    pub row: Option<usize>,
    pub column: Option<usize>,
    pub language: Language,
}

impl MatrixOnMap<'_> {
    /// All of it, the row that is pointed out, or the cell.
    ///
    /// # Errors
    /// Where there is nothing of the kind, or too much of it.
    pub fn written(&self, extent: Extent, form: Form) -> Result<String, Refusal> {
        let (displayed, language) = (self.displayed, self.language);
        let titles = displayed
            .titles(language)
            .map(|title| title.trim_end_matches([' ', '→', '↓']));
        let name = names::map(self.run, displayed.step, self.head, language);
        let mechanism = figures::mechanism(language, &self.run.state);
        let sheet = TextMatrix {
            titles,
            rows: &displayed.rows,
            columns: &displayed.columns,
            values: &displayed.matrix.values,
            is_hidden: &|row, column| displayed.hidden.is_hidden(row, column),
            caption: &text::text_caption(language, &name, &mechanism),
            formula: &formula(displayed.step, &self.run.config),
        };
        let (row, column) = match (extent, self.row, self.column) {
            (Extent::Matrix, ..) => (None, None),
            (Extent::Row, row @ Some(_), _) => (row, None),
            (Extent::Cell, row @ Some(_), column @ Some(_)) => (row, column),
            _ => return Err(Refusal::Nothing),
        };
        sheet.written(Selection { row, column }, form)
    }

    /// Note about the generated text: that it was truncated, or how hidden
    /// cells appear.
    pub fn note(&self, text: &str, form: Form) -> String {
        if text.len() > MOST_SHOWN {
            return text::text_beginning(self.language, &text.chars().count());
        }
        match (self.displayed.hidden.count(), form.hidden()) {
            (0, _) => String::new(),
            (_, "") => Key::TextHidden.text(self.language).to_owned(),
            (_, sign) => text::text_hidden_as(self.language, &sign),
        }
    }

    /// Why nothing was written.
    pub fn refusal(&self, refusal: Refusal) -> String {
        let is_empty = self.displayed.matrix.values.is_empty();
        match refusal {
            Refusal::Nothing if is_empty => Key::TextEmpty.text(self.language).to_owned(),
            Refusal::Nothing => Key::TextNothing.text(self.language).to_owned(),
            Refusal::TooLarge { most } => text::text_too_large(self.language, &most),
        }
    }
}

/// Returns the part of a text to show, cut at the end of a line.
pub fn beginning(text: &str) -> &str {
    if text.len() <= MOST_SHOWN {
        return text;
    }
    let end = (0..=MOST_SHOWN).rfind(|at| text.is_char_boundary(*at));
    let shown = &text[..end.unwrap_or(0)];
    &shown[..shown.rfind('\n').unwrap_or(shown.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::computed;
    use crate::state::StepKind;

    fn with<T>(link: &str, place: [Option<usize>; 2], act: impl Fn(&MatrixOnMap<'_>) -> T) -> T {
        let run = computed(link);
        let [row, column] = place;
        act(&MatrixOnMap {
            displayed: &DisplayedMatrix::new(&run, StepKind::Weights, 0),
            run: &run,
            head: 0,
            row,
            column,
            language: Language::En,
        })
    }

    #[test]
    fn a_part_is_copied_where_it_is_pointed_out() {
        let lines = |place, extent| {
            with("text=a+b+c&heads=1", place, |map| {
                let text = map.written(extent, Form::Python);
                text.map(|text| text.matches('.').count())
            })
        };
        assert_eq!(lines([None, None], Extent::Matrix), Ok(9));
        assert_eq!(lines([Some(1), None], Extent::Row), Ok(3));
        assert_eq!(lines([Some(1), Some(2)], Extent::Cell), Ok(1));
        assert_eq!(lines([Some(1), None], Extent::Cell), Err(Refusal::Nothing));
        assert_eq!(lines([None, Some(1)], Extent::Row), Err(Refusal::Nothing));
    }

    #[test]
    fn hidden_cells_and_cut_texts_are_told_of() {
        let note = |link, text: &str, form| with(link, [None, None], |map| map.note(text, form));
        assert_eq!(note("text=a+b&heads=1", "1", Form::Tabs), "");
        let causal = "text=a+b&heads=1&mask=causal";
        let hidden = Key::TextHidden.text(Language::En);
        assert_eq!(note(causal, "1", Form::Tabs), hidden);
        assert_ne!(note(causal, "1", Form::Python), hidden);
        let long = "é\n".repeat(MOST_SHOWN);
        assert!(note(causal, &long, Form::Tabs).contains(&(2 * MOST_SHOWN).to_string()));
        assert!(beginning(&long).len() < MOST_SHOWN && beginning(&long).ends_with('é'));
        assert_eq!(beginning("a\nb"), "a\nb");
    }

    #[test]
    fn nothing_is_refused_as_what_it_is() {
        let refusal = |link| with(link, [None, None], |map| map.refusal(Refusal::Nothing));
        assert_eq!(
            refusal("text=a&heads=1"),
            Key::TextNothing.text(Language::En)
        );
        assert_eq!(refusal("text=&heads=1"), Key::TextEmpty.text(Language::En));
    }
}
