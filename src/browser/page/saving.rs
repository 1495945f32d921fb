//! Handles actions of the Save panel.

wasm_chunks::chunk!("more": compose, save);

use std::rc::Rc;

use super::Page;
use crate::browser::dom::{MissingPart, Root};
use crate::browser::export::{ExportAction, ExportPanel, Numbers};
use crate::browser::text_measurer::TextMeasurer;
use app::export::figures::{
    Choices, FigureSources, FigureView, NamedFigure, Subject, compose, file_stem, is_available,
};
use app::export::tensors;
use app::present::displayed_matrix::DisplayedMatrix;
use app::present::names;
use app::scene::figure::palette::SANS;

/// The export panel, and its text measurer.
pub(super) struct Saving {
    panel: ExportPanel,
    numbers: Numbers,
    pen: TextMeasurer,
}

impl Saving {
    pub(super) fn new(
        root: &Root,
        act: impl Fn(ExportAction) + 'static,
    ) -> Result<Self, MissingPart> {
        let act: Rc<dyn Fn(ExportAction)> = Rc::new(act);
        let own = Rc::clone(&act);
        Ok(Self {
            panel: ExportPanel::new(root, move |action| own(action))?,
            numbers: Numbers::new(root, &act)?,
            pen: TextMeasurer::new(root.element(), "600", SANS.to_owned()),
        })
    }
}

impl Page {
    /// Handles an action of the export panel.
    #[inline(never)]
    pub(super) fn save(&mut self, action: ExportAction) {
        match action {
            ExportAction::Changed => {
                self.saving.panel.settle();
                self.show_saving();
            }
            ExportAction::TakeNumbers => self.save_numbers(),
            ExportAction::Take => {
                if let Some(composed) = self.compose(&self.saving.panel.choices()) {
                    self.saving
                        .panel
                        .download_figure(composed, self.app.language);
                }
            }
        }
    }

    /// Shows in the open panel what can be saved now. A closed one holds nothing.
    pub(super) fn show_saving(&mut self) {
        if !self.saving.panel.is_open() {
            self.saving.panel.release_preview();
            return;
        }
        self.show_numbers();
        self.show_text();
        self.saving.panel.offer(|subject| self.has(subject));
        if let Some(composed) = self.compose(&self.saving.panel.choices()) {
            self.saving.panel.update(&composed, self.app.language);
        }
    }

    /// Shows which numbers can be saved now.
    fn show_numbers(&mut self) {
        let Some(run) = &self.app.main.run else {
            return;
        };
        let (step, head) = (self.app.shown(), self.app.head());
        let size = DisplayedMatrix::new(run, step, head).size();
        let what = names::map(run, step, head, self.app.language);
        self.saving.numbers.update(&what, size, self.app.language);
    }

    fn save_numbers(&mut self) {
        let Some(run) = &self.app.main.run else {
            return;
        };
        let (step, head) = (self.app.shown(), self.app.head());
        let displayed = DisplayedMatrix::new(run, step, head);
        let tensor = tensors::of_map(&run.state, displayed.step, &displayed.matrix);
        let stem = file_stem(Subject::Map, &run.state, displayed.step, head);
        self.saving
            .numbers
            .download_tensor(tensor, &stem, self.app.language);
    }

    fn has(&self, subject: Subject) -> bool {
        let is_there = |run| is_available(subject, run, self.app.head(), &self.others());
        self.app.main.run.as_ref().is_some_and(is_there)
    }

    fn others(&self) -> FigureSources<'_> {
        FigureSources {
            b: self.app.other(),
            growth: self.app.growth(),
        }
    }

    fn compose(&self, choices: &Choices) -> Option<NamedFigure> {
        self.with_context(self.app.selected(), |context| {
            let view = FigureView {
                state: context.state,
                run: context.run,
                head: context.head,
                displayed: context.displayed,
                scale: context.colours.scale,
                language: context.language,
                pointed: [context.pointed.query, context.pointed.key],
                row: context.row,
            };
            let measure = |text: &str, size| self.saving.pen.measure(text, size);
            compose(&view, &self.others(), choices, &measure)
        })?
    }
}
