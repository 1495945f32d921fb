//! Handles actions and results: new state, request, address, notices.

use wasm_bindgen_futures::spawn_local;

use super::Page;
use crate::bindings::Refusal;
use crate::browser::chunk_loader::ChunkState;
use crate::browser::controls::Control as _;
use crate::engine::PageRun;
use crate::i18n::{Key, text};
use crate::message::ChangeSource;
use crate::present::address_history::{Change, HistoryMode};
use crate::present::comparison::changes_to_a;
use crate::present::learned::is_readable;
use crate::present::notice_text;
use crate::present::run::Run;
use crate::state::imported::cache;
use crate::state::imported::url::PendingLink;
use crate::state::initial::{self, Initial};
use crate::state::request_builder::same_computation;
use crate::state::{
    Action, Adjustment, AutoSelection, Field, LinkWarning, PreferredHead, State, learned, reduce,
    url,
};

impl Page {
    /// Opens the state of the address: at the start, and when it was changed from outside.
    pub(crate) fn open(&mut self) {
        let fragment = self.address.fragment();
        let language = |state: &State| self.environment.language(state);
        let Initial {
            state,
            notes,
            is_unchosen,
        } = initial::open(&fragment, language);
        self.wanted = PendingLink::new(&fragment, &notes).or(self.wanted.take());
        self.notices.change(self.language, |all| all.clear());
        self.noticed = None;
        self.preferred_head = PreferredHead::default();
        self.auto_selection = AutoSelection::open(is_unchosen);
        self.reset_announcement();
        self.reset_zoom();
        self.lesson.return_to(&state);
        self.set_state(state);
        self.show_undo();
        // In the language that the state may just have brought.
        self.note(&notes);
    }

    /// Opens the address again if something else wrote it: back, forward, a pasted link.
    pub(crate) fn reopen(&mut self) {
        if self.address.is_foreign() {
            let before = self.state.clone();
            self.open();
            self.undo.visit(&before, &self.state);
            self.show_undo();
        }
    }

    /// Applies the action of a control.
    pub(crate) fn act(&mut self, action: Action, change: Change) {
        let field = action.field();
        let is_repeated = action.is_amount() && change == Change::Commit;
        let is_dragged = action.is_amount() && change == Change::Input;
        self.stale.picture |= self.held_range.follow(is_dragged);
        self.by = ChangeSource::Person;
        match change {
            Change::Input => self.panels.scheduler.input_started(),
            Change::Commit if is_repeated => {}
            Change::Commit => self.panels.scheduler.input_ended(),
        }
        let is_of_comparison = matches!(action, Action::Compare(_));
        let brings_cell = action.brings_cell();
        let before = self.state.clone();
        let (mut state, notices) = reduce(before.clone(), action);
        self.preferred_head.follow(&before, &mut state, field);
        self.auto_selection
            .follow(&before, &state, (field, brings_cell));
        self.update_notices(field, &notices);
        if is_of_comparison {
            self.tell_of_a(&state, &notices);
        }
        if matches!(field, Some(Field::Text | Field::Second)) {
            // The words have moved away from under the pointer.
            self.hover = None;
        }
        self.remember(&state, field);
        // A slider that is let go says once more what it has said.
        if !is_repeated || state != self.state || !notices.is_empty() {
            self.set_state(state);
        }
        if !before.begins_lesson() {
            self.record(&before, field, change);
        }
        // Refused only for properties that no browser knows.
        let _ = self.invitation.style().set_property("visibility", "hidden");
        let entry =
            if matches!(field, Some(Field::Cell | Field::TaskStep)) || before.begins_lesson() {
                HistoryMode::Replace
            } else {
                HistoryMode::Push
            };
        self.address
            .write(&url::to_fragment(&self.state), change, entry);
    }

    /// Takes away a sentence that was read.
    pub(crate) fn dismiss(&mut self, notice: u32) {
        let language = self.language;
        let read = self.notices.change(language, |all| all.remove(notice));
        self.device = self
            .device
            .filter(|event| read.as_deref() != Some(event.sentence(language)));
    }

    /// Trains the model whose layer came with the page, for what its reader may do next.
    pub(crate) fn train_opening(&mut self) {
        if learned::cached_for(&self.state).is_some() {
            spawn_local(self.engine.client().train(&self.state));
        }
    }

    /// Asks for the numbers of the state, or for the next ones on the way there.
    pub(super) fn ask(&self) {
        if !is_readable(&self.state) {
            // Beside the sentence it says why.
            return;
        }
        let is_cached = learned::cached_for(&self.state).is_some();
        let at_once = is_cached || self.environment.is_motion_reduced();
        self.engine.ask(self.progress.next(&self.state, at_once));
    }

    /// Takes the numbers of `state`; numbers of a state that they do not fit are dropped.
    pub(crate) fn on_result(&mut self, state: State, reply: Result<PageRun, Refusal>) {
        match reply {
            Ok(reply) => {
                if self.progress.record(&state, &self.state) {
                    self.ask();
                    if self.run.is_none() {
                        // What a page opens with is shown when it is there.
                        return;
                    }
                }
                let backend = reply.ran.backend;
                if let Some(run) = Run::new(state, reply, self.run.as_ref()) {
                    self.run = Some(run);
                    self.stale.picture = true;
                    self.choose_most_informative();
                    self.has_run();
                    self.announce_painted_cell();
                    self.beside.follow(backend);
                    self.ask_beside();
                }
            }
            Err(refusal) => {
                let sentence = if refusal.is_unloaded() {
                    Key::PartMissing.text(self.language).to_owned()
                } else {
                    text::compute_refused(self.language, &refusal.message)
                };
                self.notices.change(self.language, |all| all.add(&sentence));
            }
        }
    }

    /// Makes `state` the state, computes what it needs, and marks what has to be painted.
    pub(super) fn set_state(&mut self, state: State) {
        let before = std::mem::replace(&mut self.state, state);
        // Links, history and worker know large numbers by what is in them.
        self.state.imported.iter().for_each(cache::insert);
        let is_other = self.run.is_none() || !same_computation(&before, &self.state);
        // First of all: the worker computes while controls are brought up to date.
        if is_other {
            self.ask();
        }
        self.restyle();
        if before.embed != self.state.embed {
            self.resized();
        }
        self.show_controls();
        self.whole.update(&self.state);
        self.panels.open(self.state.open_panels());
        self.show_brush();
        if is_other {
            self.copy_texts();
        }
        self.stale.picture |= !before.looks_as(&self.state);
        self.stale.pointed |= before.cell != self.state.cell;
        self.show_lesson();
        self.ask_beside();
    }

    /// Brings the controls up to date, in the language of the page.
    pub(super) fn show_controls(&mut self) {
        let shown = self.environment.fill_in(&self.state, self.language);
        self.controls
            .iter_mut()
            .for_each(|control| control.update(&shown));
        self.examples.update(&shown);
        self.import_dialog.update(&shown);
    }

    /// Shows the lesson that is taken, as far as the newest numbers tell.
    pub(super) fn show_lesson(&mut self) {
        self.lesson
            .update(&self.state, self.run.as_ref(), self.language);
    }

    fn update_notices(&mut self, field: Option<Field>, notices: &[Adjustment]) {
        if notices.is_empty() && self.noticed == field {
            return;
        }
        self.noticed = field.filter(|_| !notices.is_empty());
        let language = self.language;
        self.notices.change(language, |all| {
            all.clear();
            for notice in notices {
                all.add(&notice_text::notice(language, notice));
            }
        });
    }

    /// Says what a comparison that was chosen has made of A, and offers to undo it.
    fn tell_of_a(&mut self, state: &State, notices: &[Adjustment]) {
        if !notices.is_empty() {
            return;
        }
        self.noticed = Some(Field::Overrides);
        let sentence = changes_to_a(self.language, &self.state, state);
        self.notices.change(self.language, |all| {
            all.clear();
            if let Some(sentence) = sentence {
                all.offer_undo(&sentence);
            }
        });
    }

    /// Says what was ignored in a link: as much of it as leaves room for the map. Where the texts of its language are on their way, it waits
    /// for them.
    pub(super) fn note(&mut self, notes: &[LinkWarning]) {
        self.unsaid.clear();
        let wanted = self.environment.language(&self.state);
        if self.chunks.state(wanted.code()) == ChunkState::Coming {
            return self.unsaid.extend_from_slice(notes);
        }
        let language = self.language;
        self.notices.change(language, |all| {
            for sentence in notice_text::url_notes(language, notes) {
                all.add(&sentence);
            }
        });
    }

    pub(super) fn remember(&mut self, state: &State, field: Option<Field>) {
        match field {
            Some(Field::Language) => self.environment.remember_language(state.language),
            Some(Field::Theme) => self.environment.remember_theme(state.theme),
            _ => {}
        }
    }
}
