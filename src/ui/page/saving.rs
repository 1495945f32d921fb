//! Taking away what is on screen.

use super::Page;
use crate::app::picture::Subject;
use crate::ui::dom::{MissingPart, Root};
use crate::ui::exhibit::Exhibit;
use crate::ui::save::{Choices, Composed, Deed, Pen, Save, compose};
use crate::ui::sights::Sight;

/// The panel, and what it measures text with.
pub struct Saving {
    panel: Save,
    pen: Pen,
}

impl Saving {
    pub fn new(root: &Root, act: impl Fn(Deed) + 'static) -> Result<Self, MissingPart> {
        Ok(Self {
            panel: Save::new(root, act)?,
            pen: Pen::new(root.element()),
        })
    }
}

impl Page {
    /// Does what is done with the panel.
    pub fn save(&mut self, deed: Deed) {
        match deed {
            Deed::Changed => self.show_saving(),
            Deed::Take => {
                if let Some(composed) = self.compose(&self.saving.panel.choices()) {
                    self.saving.panel.take(composed, self.language);
                }
            }
        }
    }

    /// Shows in the open panel what can be saved now.
    pub(super) fn show_saving(&mut self) {
        if !self.saving.panel.is_open() {
            return;
        }
        self.saving.panel.offer(|subject| self.has(subject));
        if let Some(composed) = self.compose(&self.saving.panel.choices()) {
            self.saving.panel.show(&composed, self.language);
        }
    }

    fn has(&self, subject: Subject) -> bool {
        self.run.is_some() && subject == Subject::Map
    }

    fn compose(&self, choices: &Choices) -> Option<Composed> {
        let run = self.run.as_ref()?;
        let (step, head) = (self.shown(), self.head());
        let exhibit = Exhibit::new(run, step, head);
        let sight = Sight {
            state: &self.state,
            run,
            head,
            exhibit: &exhibit,
            look: &self.look,
            room: self.room,
            language: self.language,
            pointed: self.selected(),
            row: self.read,
            is_locked: self.locked_key().is_some(),
            lit: &self.lit,
        };
        compose(&sight, choices, &self.saving.pen)
    }
}
