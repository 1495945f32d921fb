//! The Save menu, and what is copied from the map.

wasm_chunks::chunk!("more");

use super::App;
use crate::export::figures::{
    Choices, FigureSources, FigureView, Measure, NamedFigure, Subject, compose, file_stem,
    is_available,
};
use crate::export::matrix_text::{Extent, Form, MatrixOnMap, Refusal};
use crate::export::save_menu::SaveRequest;
use crate::export::tensors;
use crate::i18n::text;
use crate::message::SaveEvent;
use crate::present::address_history::Change;
use crate::present::displayed_matrix::DisplayedMatrix;
use crate::present::names;
use crate::present::panel::PanelEvent;
use crate::scene::hit::Pointed;
use crate::state::StepKind;
use crate::views::Markup;
use crate::views::save::{SavePage, menu};
use crate::{Effect, View};

impl App {
    /// The menu, once it was opened; `figure` is the one that is chosen in it.
    pub fn save_view(&self, figure: Option<&NamedFigure>) -> Option<Markup> {
        let save = self.save.as_deref()?;
        let language = self.language;
        let matrix = self.with_matrix(self.selected(), |matrix| {
            let (rows, columns) = matrix.displayed.size();
            let name = names::map(matrix.run, matrix.displayed.step, matrix.head, language);
            let note = match &save.text {
                Ok(text) => matrix.note(text, save.form),
                Err(refusal) => matrix.refusal(*refusal),
            };
            (text::numbers_size(language, &name, &rows, &columns), note)
        });
        let (numbers, note) = matrix.unwrap_or_default();
        let subjects = Subject::ALL.map(|subject| (subject, self.is_offered(subject)));
        let page = SavePage {
            subjects,
            figure: figure.map(|named| &named.figure),
            numbers,
            note,
        };
        Some(menu(save, &page, language))
    }

    /// The figure that is chosen in the menu; `None` where there is none.
    pub fn chosen_figure(&self, measure: Measure<'_>) -> Option<NamedFigure> {
        self.figure(&self.save.as_deref()?.choices, measure)
    }

    /// The figure of these choices; `None` where there is none.
    pub fn figure(&self, choices: &Choices, measure: Measure<'_>) -> Option<NamedFigure> {
        let pointed = self.selected();
        self.with_matrix(pointed, |matrix| {
            let view = FigureView {
                state: &self.state,
                run: matrix.run,
                head: matrix.head,
                displayed: matrix.displayed,
                scale: *self.held_range.last(StepKind::Weights)?,
                language: self.language,
                pointed: [pointed.query, pointed.key],
                row: self.read,
            };
            compose(&view, &self.figure_sources(), choices, measure)
        })?
    }

    /// The cell of the map that is pointed out, or otherwise its row, as text; and what is said once it is copied.
    pub fn pointed_text(&self) -> Option<(String, String)> {
        let (pointed, language) = (self.pointed(), self.language);
        self.with_matrix(pointed, |matrix| {
            if pointed.key.is_some() {
                let text = matrix.written(Extent::Cell, Form::Tabs).ok()?;
                let sentence = text::text_cell_copied(language, &text);
                return Some((text, sentence));
            }
            let text = matrix.written(Extent::Row, Form::Tabs).ok()?;
            let row = pointed.query.unwrap_or(0);
            let row = matrix.displayed.row_name(row, language);
            Some((text, text::text_row_copied(language, &row)))
        })?
    }

    /// Handles an event of the menu.
    #[inline(never)]
    pub(super) fn use_save(&mut self, event: SaveEvent) {
        let save = self.save.get_or_insert_default();
        match event {
            SaveEvent::Open(picture) => save.open(&picture),
            SaveEvent::Toggled(is_open) if is_open == save.is_open => return,
            SaveEvent::Toggled(is_open) => save.is_open = is_open,
            SaveEvent::View(PanelEvent::Enter(field, value, Change::Commit)) => {
                save.enter(&field, &value);
            }
            SaveEvent::View(PanelEvent::Press(name)) => return self.press_save(&name),
            SaveEvent::View(PanelEvent::Copied(is_copied)) => {
                save.is_copied = Some(is_copied);
                if let Some(text) = save.text.clone().ok().filter(|_| !is_copied) {
                    self.effect(Effect::Save(SaveRequest::Select(text)));
                }
            }
            SaveEvent::View(_) => return,
            SaveEvent::Picture(file) => save.picture = Some(file),
            SaveEvent::Numbers(file) => save.numbers = Some(file),
            SaveEvent::Painted => save.forget_files(),
        }
        self.follow_save();
    }

    fn press_save(&mut self, name: &str) {
        let Some(save) = self.save.as_deref() else {
            return;
        };
        let request = match name {
            "picture" => Some(SaveRequest::Picture),
            "numbers" => self.with_matrix(self.selected(), |matrix| {
                let (state, step) = (&matrix.run.state, matrix.displayed.step);
                let stem = file_stem(Subject::Map, state, step, matrix.head);
                SaveRequest::Numbers {
                    name: format!("{stem}.{}", save.kind.extension()),
                    kind: save.kind,
                    tensor: tensors::of_map(state, step, &matrix.displayed.matrix),
                }
            }),
            _ => save.text.clone().ok().map(SaveRequest::Copy),
        };
        self.effects.extend(request.map(Effect::Save));
    }

    /// Shows the menu as it is for the map; a closed one holds nothing.
    fn follow_save(&mut self) {
        if let Some(mut save) = self.save.take() {
            if save.is_open {
                let text = self.with_matrix(self.selected(), |matrix| {
                    matrix.written(save.extent, save.form)
                });
                let is_offered = self.is_offered(save.choices.subject);
                save.follow(is_offered, text.unwrap_or(Err(Refusal::Nothing)));
            }
            self.save = Some(save);
        }
        self.show(View::Save);
    }

    fn is_offered(&self, subject: Subject) -> bool {
        let run = self.main.run.as_ref();
        run.is_some_and(|run| is_available(subject, run, self.head(), &self.figure_sources()))
    }

    fn figure_sources(&self) -> FigureSources<'_> {
        FigureSources {
            b: self.other(),
            growth: self.growth(),
        }
    }

    /// Calls `act` with the matrix on the map, on which `pointed` is pointed out; does nothing before the first one.
    fn with_matrix<T>(
        &self,
        pointed: Pointed,
        act: impl FnOnce(&MatrixOnMap<'_>) -> T,
    ) -> Option<T> {
        let run = self.main.run.as_ref()?;
        let (step, head) = (self.shown(), self.head());
        Some(act(&MatrixOnMap {
            run,
            head,
            displayed: &DisplayedMatrix::new(run, step, head),
            row: pointed.query,
            column: pointed.key,
            language: self.language,
        }))
    }
}
