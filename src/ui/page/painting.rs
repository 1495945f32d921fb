//! Bringing the screen up to date.

use super::Page;
use crate::app::agenda::Missed;
use crate::app::{Panel, model, url};
use crate::ui::dom;
use crate::ui::exhibit::Exhibit;
use crate::ui::folds::Folds;
use crate::ui::gate::Left;
use crate::ui::language;
use crate::ui::map::Palette;
use crate::ui::sights::Sight;
use crate::ui::timer::Deadline;
use crate::view::colour::Lut;
use crate::view::scale::Scale;

/// How long panels may take in a frame, so that there is a next one in time; a single panel may take longer.
const PANELS_MS: f64 = 4.0;

/// Name of the performance mark that is set when the first map is on screen.
const FIRST_MAP: &str = "first-map";

impl Page {
    /// What is out of date and can be painted now, or when the hand rests. Panels wait while numbers are on their way: a
    /// frame for them would keep the map waiting.
    pub fn left(&self) -> Left {
        let (agenda, has_run) = (&self.folds.agenda, self.run.is_some());
        if self.stale.picture || self.stale.pointed {
            return Left::ForFrame;
        }
        match has_run && self.engine.is_idle() {
            true if agenda.is_due() => Left::ForFrame,
            _ if has_run && agenda.waits_for_rest() => Left::ForRest,
            _ => Left::Nothing,
        }
    }

    /// Paints what is out of date: the map and what stands beside it, and the panels below in frames of their own.
    pub fn paint(&mut self) {
        self.paint_within(Some(PANELS_MS));
    }

    /// Paints everything for paper, as it is about to be printed.
    pub fn lay_on_paper(&mut self) {
        self.surroundings.lay_on_paper(true);
        self.restyle();
        self.paint_everything();
    }

    /// Goes back to the colours of the screen.
    pub fn take_off_paper(&mut self) {
        self.surroundings.lay_on_paper(false);
        self.restyle();
    }

    /// Paints everything, in sight or not.
    fn paint_everything(&mut self) {
        self.paint_within(None);
        while self.run.is_some() && self.folds.agenda.is_due() {
            self.paint_within(None);
        }
    }

    /// Paints what waits, so that nothing that is read next is older than the picture.
    pub fn paint_waiting(&mut self) {
        let agenda = &self.folds.agenda;
        if self.stale.picture || agenda.is_due() || agenda.waits_for_rest() {
            self.paint_everything();
        }
    }

    /// A moment has passed.
    pub fn pass(&mut self) {
        self.folds.agenda.pass();
    }

    /// Panels have come into sight, or have gone out of it.
    pub fn see(&mut self, panels: &[(Panel, bool)]) {
        for (panel, is_in_sight) in panels {
            self.folds.agenda.see(*panel, *is_in_sight);
        }
    }

    /// Panels have so many milliseconds in this frame, or as many as they need.
    fn paint_within(&mut self, milliseconds: Option<f64>) {
        let stale = std::mem::take(&mut self.stale);
        let is_map_stale = stale.picture || stale.pointed;
        let (head, row, pointed, is_locked) = (
            self.head(),
            self.row(),
            self.pointed(),
            self.locked_key().is_some(),
        );
        self.read = row;
        let step = self.shown();
        let fragment = self.name_of_picture();
        let Some(run) = &mut self.run else { return };
        let agenda = &mut self.folds.agenda;
        if is_map_stale {
            agenda.outdate(stale.picture);
        }
        let is_for_print = milliseconds.is_none();
        if is_for_print {
            agenda.still();
        }
        let milliseconds = milliseconds.filter(|_| agenda.is_sparing());
        let are_panels_due = !is_map_stale || is_for_print || agenda.is_overdue();
        run.fragment = fragment;
        if stale.picture {
            run.prepare(step, head);
        }
        let run = &*run;
        let exhibit = Exhibit::new(run, step, head);
        self.look.scale = Scale::new(self.state.scale, run.largest);
        let (look, room, language) = (&self.look, self.room, self.language);
        let sight = Sight {
            state: &self.state,
            run,
            head,
            exhibit: &exhibit,
            look,
            room,
            language,
            pointed,
            row,
            is_locked,
            lit: &self.lit,
        };
        if is_map_stale {
            self.sights.draw(&sight, stale.picture);
        }
        if stale.picture {
            self.sights.show_picture(&sight);
        }
        if is_map_stale {
            self.sights.show_pointed(&sight);
        }
        let beside = match are_panels_due {
            true => {
                let deadline = Deadline::new(&self.window, milliseconds);
                show_panels(&mut self.folds, &sight, &deadline)
            }
            false => None,
        };
        if let Some(missed) = beside {
            self.paint_beside(missed);
        }
        if is_map_stale || (are_panels_due && self.folds.has_chart()) {
            self.show_saving();
        }
        if stale.picture {
            self.mark_first();
        }
    }

    /// The room, the screen's density or the system's theme has changed.
    pub fn resized(&mut self) {
        self.surroundings.look_around();
        let room = self.surroundings.room(&self.element, &self.state);
        self.stale.picture |= room != self.room;
        self.room = room;
        self.restyle();
    }

    /// A canvas was emptied by the browser, as when its GPU process ends, and can be painted on again.
    pub fn restored(&mut self) {
        self.sights.restyle();
        self.folds.restyle();
        self.beside.restyle();
        self.stale.picture = true;
    }

    /// The table was opened.
    pub fn show_table(&mut self) {
        let (step, head, language) = (self.shown(), self.head(), self.language);
        if let Some(run) = &self.run {
            let exhibit = Exhibit::new(run, step, head);
            self.sights.table.show(&exhibit, language);
        }
    }

    /// Language, theme and colours as the state says.
    pub(super) fn restyle(&mut self) {
        let language = self.surroundings.language(&self.state);
        if language != self.language || !self.is_named {
            self.is_named = true;
            self.language = language;
            language::apply(&self.root, language);
            self.examples.name(language);
            self.bringing.name(language);
            self.say_of_device();
            self.show_backend();
            self.stale.picture = true;
        }
        let theme = self.surroundings.theme(&self.state);
        let element = self.root.element();
        self.layout
            .set(if self.state.embed { "embed" } else { "page" });
        self.ground
            .set(if self.state.host_theme { "host" } else { "own" });
        match theme {
            Some(theme) if element.get_attribute("data-theme").as_deref() != Some(theme.name()) => {
                dom::set(element, "data-theme", theme.name());
            }
            None if element.has_attribute("data-theme") => {
                dom::set_flag(element, "data-theme", false)
            }
            _ => {}
        }
        self.recolour();
    }

    fn recolour(&mut self) {
        let ground = self.surroundings.ground(&self.state);
        let coloured = (self.state.colours, ground);
        if self.coloured == coloured {
            return;
        }
        if self.coloured.1 != ground
            && let Ok(palette) = Palette::read(&self.root, &self.window, ground)
        {
            self.look.palette = palette;
        }
        self.coloured = coloured;
        self.look.lut = Lut::new(self.state.colours, ground);
        self.sights.restyle();
        self.folds.restyle();
        self.beside.restyle();
        self.stale.picture = true;
    }

    /// Copies the texts behind their fields, with the tokens as they are split now.
    pub(super) fn copy_texts(&mut self) {
        let sides = model::tokens(&self.state);
        let second = self.state.second.as_deref().unwrap_or_default();
        let source = sides
            .source
            .as_ref()
            .map_or(&[][..], |tokens| &tokens.words);
        self.sights
            .copy_texts([(&self.state.text, &sides.queries.words), (second, source)]);
    }

    /// The fragment of what is painted: the state's own as soon as its numbers are there.
    fn name_of_picture(&self) -> String {
        let Some(run) = &self.run else {
            return String::new();
        };
        url::to_fragment(&run.state.shown_as(&self.state))
    }

    fn mark_first(&mut self) {
        if std::mem::replace(&mut self.is_marked, true) {
            return;
        }
        // From here on the head's name stands there, in whatever language.
        self.sights.claim_head_name(&self.root);
        let performance = self.has_marks.then(|| self.window.performance());
        if let Some(performance) = performance.flatten() {
            // Refused only for names that the browser keeps for itself.
            let _ = performance.mark(FIRST_MAP);
        }
    }
}

/// Shows panels what they have missed, one after another while there is time. What the comparison has missed is left to
/// the page, and ends the turns of this frame.
fn show_panels(folds: &mut Folds, sight: &Sight<'_>, deadline: &Deadline) -> Option<Missed> {
    while let Some((at, missed)) = folds.agenda.take() {
        if !folds.show(at, missed, sight) {
            return Some(missed);
        }
        if deadline.is_over() {
            break;
        }
    }
    None
}
