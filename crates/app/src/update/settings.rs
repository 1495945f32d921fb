//! Actions on settings: the next state, its address, its notices, and undo.

wasm_chunks::chunk!("input": chunk_came);

use super::{App, ChunkState, Effect, View};
use crate::i18n::{Key, text};
use crate::message::UndoAction;
use crate::present::address_history::{Change, HistoryMode};
use crate::present::comparison::changes_to_a;
use crate::present::learned;
use crate::present::notice_text;
use crate::present::panel::PanelEvent;
use crate::protocol::ChangeSource;
use crate::state::comparison::ComparisonAction;
use crate::state::imported::cache;
use crate::state::imported::url::PendingLink;
use crate::state::initial::{self, Initial};
use crate::state::request_builder::same_computation;
use crate::state::{
    self, Action, Adjustment, AutoSelection, Field, ImportedData, LinkWarning, Origin, Panel,
    Panels, Part, PreferredHead, State, external_settings, presets, reduce, url,
};

impl App {
    /// Opens the state of an address: at the start, and when it was changed from outside.
    pub(super) fn open(&mut self, fragment: &str) {
        let language = |state: &State| self.wanted_language(state);
        let Initial {
            state,
            notes,
            is_unchosen,
        } = initial::open(fragment, language);
        self.wanted = PendingLink::new(fragment, &notes).or(self.wanted.take());
        self.clear_notices();
        self.preferred_head = PreferredHead::default();
        self.auto_selection = AutoSelection::open(is_unchosen);
        self.announced = None;
        self.effect(Effect::Announce(String::new()));
        self.reset_zoom();
        self.return_lesson(&state);
        self.recall_all_settings();
        let (state, unread) = self.readable(state, Change::Commit);
        self.lesson.sets_up = initial::names_lesson_alone(fragment);
        self.set_state(state);
        self.show(View::Undo);
        // In the language that the state may just have brought.
        self.note(&notes);
        self.notify_unread(unread, &self.state.clone());
    }

    /// Opens an address that something else wrote.
    #[inline(never)]
    pub(super) fn reopen(&mut self, fragment: &str) {
        let before = self.state.clone();
        self.open(fragment);
        self.undo.visit(&before, &self.state);
        self.show(View::Undo);
    }

    /// Applies the action of a control.
    #[inline(never)]
    pub(super) fn act(&mut self, action: Action, change: Change) {
        let field = action.field();
        self.end_watching(field != Some(Field::Trained));
        let is_repeated = action.is_amount() && change == Change::Commit;
        let is_dragged = action.is_amount() && change == Change::Input;
        self.stale.picture |= self.held_range.follow(is_dragged);
        self.by = ChangeSource::Person;
        match change {
            Change::Input => self.scheduler.input_started(),
            Change::Commit if is_repeated => {}
            Change::Commit => self.scheduler.input_ended(),
        }
        let is_comparison = matches!(action, Action::Compare(ComparisonAction::Preset(..)));
        let brings_cell = action.brings_cell();
        let before = self.state.clone();
        let (state, notices) = reduce(before.clone(), action);
        let (mut state, unread) = self.readable(state, change);
        self.preferred_head.follow(&before, &mut state, field);
        self.auto_selection
            .follow(&before, &state, (field, brings_cell));
        self.update_notices(field, &notices);
        self.note_comparison(is_comparison.then_some(&state));
        self.notify_unread(unread, &state);
        self.notify_replaced(&before, &state);
        if matches!(field, Some(Field::Text | Field::Second)) {
            // The words have moved away from under the pointer.
            self.hover = None;
        }
        self.remember(&state, field);
        // A slider that is let go says once more what it has said.
        if !is_repeated || state != self.state || !notices.is_empty() {
            self.set_state(state);
            self.leave_head(&before, field);
        }
        if !before.begins_lesson() {
            self.record(&before, field, change);
        }
        let is_in_place =
            matches!(field, Some(Field::Cell | Field::TaskStep)) || before.begins_lesson();
        let mode = if is_in_place {
            HistoryMode::Replace
        } else {
            HistoryMode::Push
        };
        self.write(change, mode);
    }

    /// Makes `state` the current one, requests its run, and marks the parts to paint.
    pub(super) fn set_state(&mut self, state: State) {
        let before = std::mem::replace(&mut self.state, state);
        self.learning.follow(&before, &self.state);
        if self.learning.is_watched() {
            self.leave_watching();
        }
        self.coach.follow(&before, &self.state);
        self.show(View::Coach);
        self.follow_settings(&before);
        self.follow_sheet(&before);
        // Links, history and worker know large numbers by what is in them.
        self.state.imported.iter().for_each(cache::insert);
        let is_other = self.main.run.is_none() || !same_computation(&before, &self.state);
        // First of all: the worker computes while controls are brought up to date.
        if is_other {
            self.ask();
        }
        self.restyle();
        if before.embed != self.state.embed {
            self.show(View::Room);
        }
        if before.imported != self.state.imported {
            self.show(View::Import);
        }
        self.show(View::Controls);
        self.scheduler.open(self.state.open_panels());
        self.close_panels(before.open_panels());
        self.show(View::Brush);
        if is_other {
            self.show(View::Texts);
        }
        self.stale.picture |= !before.looks_as(&self.state);
        self.stale.pointed |= before.cell != self.state.cell;
        self.follow_lesson();
        self.ask_compared();
    }

    /// Undoes or redoes a step, or resets to the standard settings.
    #[inline(never)]
    pub(super) fn undo(&mut self, action: UndoAction) {
        if self.state.is_locked(Part::Undo) {
            return;
        }
        self.end_watching(true);
        let state = match action {
            UndoAction::Undo => self.undo.undo(&self.state),
            UndoAction::Redo => self.undo.redo(&self.state),
            UndoAction::Reset => {
                return self.act(Action::Standard(self.language), Change::Commit);
            }
        };
        if let Some(state) = state {
            self.go_to(state);
        }
    }

    /// Whether *Undo*, *Redo* and *Reset* are available.
    pub fn undo_steps(&self) -> [bool; 3] {
        let (standard, _) = reduce(self.state.clone(), Action::Standard(self.language));
        let is_free = !self.state.is_locked(Part::Undo);
        let can = [
            self.undo.can_undo(),
            self.undo.can_redo(),
            standard != self.state,
        ];
        can.map(|can| can && is_free)
    }

    /// Removes a notice.
    #[inline(never)]
    pub(super) fn dismiss(&mut self, notice: u32) {
        let read = self.notices.remove(notice);
        self.show(View::Notices);
        let language = self.language;
        self.device = self
            .device
            .filter(|event| read.as_deref() != Some(event.sentence(language)));
    }

    /// Shows warnings about a link, as many as leave room for the map. While the texts of its
    /// language are loading, the warnings wait.
    pub(super) fn note(&mut self, notes: &[LinkWarning]) {
        self.late_warnings.clear();
        let wanted = self.wanted_language(&self.state);
        if self.chunks.state(wanted.code()) == ChunkState::Coming {
            return self.late_warnings.extend_from_slice(notes);
        }
        for sentence in notice_text::url_notes(self.language, notes) {
            self.notices.add(&sentence);
        }
        self.show(View::Notices);
    }

    /// Removes the notices about the last change.
    pub(super) fn clear_notices(&mut self) {
        self.notices.clear();
        self.noticed = None;
        self.show(View::Notices);
    }

    /// Whether the notices are about a change of the user.
    pub(super) fn has_noticed(&self) -> bool {
        self.noticed.is_some()
    }

    /// A chunk has loaded, or has failed to: updates the parts that need it, which show an error
    /// otherwise.
    #[inline(never)]
    pub(super) fn chunk_came(&mut self) {
        self.scheduler.outdate(true);
        self.stale.picture = true;
        self.restyle();
        self.show(View::Controls);
        self.ask_compared();
        self.follow_lesson();
        let late_warnings = std::mem::take(&mut self.late_warnings);
        if !late_warnings.is_empty() {
            self.note(&late_warnings);
        }
        let wanted = self.wanted_language(&self.state);
        if wanted != self.language {
            self.effect(Effect::TellMissingTexts(wanted));
        }
    }

    /// Applies the language of the state, once its texts are loaded, and its theme and colours.
    pub(super) fn restyle(&mut self) {
        let wanted = self.wanted_language(&self.state);
        let has_texts = self.chunks.has(wanted.code());
        let language = if has_texts { wanted } else { self.language };
        if language != self.language || !self.is_named {
            self.is_named = true;
            self.language = language;
            self.show(View::Words);
            if self.import.opened.is_some() || self.state.imported.is_some() {
                self.show(View::Import);
            }
            self.say_of_device();
            self.show(View::Backend);
            self.stale.picture = true;
        }
        self.show(View::Style);
        if self.share.as_ref().is_some_and(|dialog| dialog.is_open) {
            self.follow_share();
        }
    }

    /// Resets the preferred head and the automatic selection: another state was set.
    pub(super) fn forget_choices(&mut self) {
        (self.preferred_head, self.auto_selection) = Default::default();
    }

    /// Records the step from `before` to the state, after an action on `field`, for *Undo*.
    pub(super) fn record(&mut self, before: &State, field: Option<Field>, change: Change) {
        let is_done = change == Change::Commit;
        let states = (before, &self.state);
        if self.undo.record(states, field, is_done, (self.clock)()) {
            self.show(View::Undo);
        }
    }

    fn go_to(&mut self, state: State) {
        self.by = ChangeSource::Person;
        self.scheduler.input_ended();
        self.clear_notices();
        self.note_comparison(None);
        for field in [Field::Language, Field::Theme] {
            if state.get(field) != self.state.get(field) {
                self.remember(&state, Some(field));
            }
        }
        self.forget_choices();
        self.return_lesson(&state);
        let (state, _) = self.readable(state, Change::Commit);
        self.set_state(state);
        self.show(View::Undo);
        // An entry of its own: what was undone is one step back as well.
        self.write(Change::Commit, HistoryMode::Push);
    }

    fn remember(&mut self, state: &State, field: Option<Field>) {
        if !self.environment.has_memory {
            return;
        }
        match field {
            Some(Field::Language) => self.environment.remembered = state.language,
            Some(Field::Theme) => {}
            _ => return,
        }
        self.effects.extend(field.map(Effect::Remember));
    }

    fn update_notices(&mut self, field: Option<Field>, notices: &[Adjustment]) {
        if notices.is_empty() && self.noticed == field {
            return;
        }
        self.clear_notices();
        self.noticed = field.filter(|_| !notices.is_empty());
        for notice in notices {
            self.notices
                .add(&notice_text::notice(self.language, notice));
        }
    }

    /// Notes in the panel how a comparison that was chosen has changed A; nothing after any other action.
    #[inline(never)]
    fn note_comparison(&mut self, compared: Option<&State>) {
        let changes = compared.and_then(|state| changes_to_a(self.language, &self.state, state));
        self.comparison.changed = changes.unwrap_or_default();
    }

    /// The state with hand-built heads where its model cannot read its text, and why; while a word is typed that may still become
    /// one of the model's, and where parameters are locked, it stays as it is.
    pub(super) fn readable(&self, state: State, change: Change) -> (State, Option<String>) {
        let is_typed = change == Change::Input && state::learned::is_unfinished(&state.text);
        let unread = if is_typed || state.is_locked(Part::Weights) {
            None
        } else {
            learned::problem(&state, self.language)
        };
        match unread {
            Some(_) => (reduce(state, Action::HandBuilt).0, unread),
            None => (state, None),
        }
    }

    /// Notifies the user that hand-built heads have taken over, and offers both ways back.
    fn notify_unread(&mut self, unread: Option<String>, state: &State) {
        let Some(unread) = unread else { return };
        self.clear_notices();
        self.noticed = Some(Field::Text);
        let sentence = text::learned_left(self.language, &unread);
        let shown = State {
            language: Some(self.language),
            ..state.clone()
        };
        self.notices
            .offer_example(&sentence, presets::learned(&shown).id);
    }

    /// Notifies the user that the model's sentence has taken the place of one of their own.
    fn notify_replaced(&mut self, before: &State, state: &State) {
        let is_learned = |state: &State| state.origin == Origin::Learned;
        let is_own = presets::all().iter().all(|own| own.text != before.text);
        if is_learned(state) && !is_learned(before) && is_own && before.text != state.text {
            self.clear_notices();
            self.noticed = Some(Field::Text);
            self.notices
                .offer_undo(Key::LearnedReplaced.text(self.language));
        }
    }

    /// Ends the work of panels that have just been closed.
    fn close_panels(&mut self, before: Panels) {
        let begun = [
            (Panel::Training, self.training.is_some()),
            (Panel::Draw, self.draw.is_some()),
            (Panel::Streaming, self.streaming.is_some()),
            (Panel::Cost, self.cost.is_some()),
        ];
        for (panel, is_begun) in begun {
            if is_begun && before.contains(panel) && !self.scheduler.is_open(panel) {
                self.panel(panel, PanelEvent::Close);
            }
        }
    }

    pub(super) fn waited_for(&mut self, imported: &ImportedData) -> Option<String> {
        let wanted = self.wanted.take_if(|wanted| wanted.waits_for(imported));
        wanted.map(|wanted| wanted.fragment)
    }

    /// Applies a link, in a history entry of its own. Locks and permitted origins stay.
    pub(super) fn take_link(&mut self, fragment: &str) {
        let (state, notes) = url::parse(fragment);
        let state = external_settings::laid_out_as(state, &self.state);
        self.act(Action::Replace(Box::new(state)), Change::Commit);
        self.notices.clear();
        self.note(&notes);
    }
}
