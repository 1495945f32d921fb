//! Carries out the effects of a message.

use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

use super::Page;
use crate::bindings::tell_missing_chunk;
use crate::browser::controls::Control as _;
use crate::browser::dom;
use crate::browser::language;
use crate::browser::panels::AppPanel;
use app::present::displayed_matrix::DisplayedMatrix;
use app::present::learned::is_readable;
use app::state::request_builder::same_anywhere;
use app::state::{Field, Panel, request_builder};
use app::{Effect, View};
use engine::GpuState;

impl Page {
    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Ask(lane, state) => self.engine.ask(lane, *state),
            Effect::CompareBackends(state) => {
                self.backend.compare.start(self.app.language);
                self.engine.compare(&state);
            }
            Effect::Train(state) => spawn_local(self.engine.client().train(&state)),
            Effect::Write {
                fragment,
                change,
                mode,
            } => self.address.write(&fragment, change, mode),
            Effect::Remember(field) => self.remember(field),
            Effect::Show(view) => self.show(view),
            Effect::Announce(sentence) => self.live_region.set_text(&sentence),
            Effect::Speak(pointed) => {
                let (step, head) = (self.app.shown(), self.app.head());
                if let Some(run) = self.app.main.run.as_ref() {
                    let displayed = DisplayedMatrix::new(run, step, head);
                    let how = (self.app.state.scale, self.app.language);
                    self.main_view.readout.speak(&displayed, pointed, how);
                }
            }
            Effect::Tick(Panel::Steps, interval) => self.main_view.player.ticks.set(interval),
            Effect::Tick(panel, interval) => self.of_app(panel, |body| body.ticks.set(interval)),
            Effect::Watch(interval) => self.main_view.learning.ticks.set(interval),
            Effect::RevealStep(card) => self.panels.steps.reveal(card),
            Effect::Download(Some(panel), file) => self.of_app(panel, |body| body.save(file)),
            Effect::Download(None, file) => {
                let bytes = &file.bytes;
                self.download.save_file(&file.name, file.kind, bytes);
            }
            Effect::CopyText(panel, text) => self.of_app(panel, |body| body.copy(&text)),
            Effect::SelectText(panel, id) => self.of_app(panel, |body| body.select(id)),
            Effect::CopyShared(text) => self.share.copy(&text),
            Effect::SelectShared => self.share.select(),
            Effect::SaveOneFile(file) => self.share.save(file, &self.window),
            Effect::Save(request) => self.save.carry_out(request, &self.app),
            Effect::Focus(panel, place) => self.of_app(panel, |body| body.focus(&place)),
            Effect::Start(panel, number, job) => {
                self.of_app(panel, |body| body.start(number, job));
            }
            Effect::Stop(panel) => self.of_app(panel, AppPanel::stop),
            Effect::Model(number, call) => self.models.carry_out(number, call),
            Effect::KeepModelFiles => self.models.keep(self.import_dialog.take()),
            Effect::ReadFiles(number) => self.import_dialog.read(number, &self.app),
            Effect::OpenImport => self.import_dialog.open(),
            Effect::FocusImport => self.import_dialog.focus(),
            Effect::RevealImported => {
                if let Ok(banner) = self.root.find::<Element>("#imported") {
                    banner.scroll_into_view();
                }
            }
            Effect::FocusMap => {
                self.element.focus().ok();
            }
            Effect::FocusSheet(sheet) => self.sheets.focus(sheet),
            Effect::FocusInspector => self.main_view.inspector.focus(),
            Effect::ToggleFullScreen => self.zoom_buttons.toggle_full_screen(),
            Effect::FocusLesson => self.lesson.focus(),
            Effect::ScrollLesson => self.lesson.scroll_to_top(),
            Effect::FocusLessonOpener => self.lesson.focus_opener(),
            Effect::FocusLessonText => self.lesson.focus_text(),
            Effect::ReadLessonFile => self.lesson.read_file(),
            Effect::Lecture(is_lecture) => self.lesson.lecture(is_lecture),
            Effect::RevealMap => self.lesson.reveal_map(),
            Effect::ForgetCopy => self.forget_copy(),
            Effect::TellMissingTexts(language) => {
                tell_missing_chunk(self.root.element(), language.code());
            }
        }
    }

    fn show(&mut self, view: View) {
        match view {
            View::Style => self.restyle(),
            View::Words => self.show_words(),
            View::Room => self.resized(),
            View::Controls => self.show_controls(),
            View::Texts => self.copy_texts(),
            View::Panel(Panel::Compare) => self.comparison.show(&self.app),
            View::Panel(panel) => {
                if let Some(body) = self.panels.of_app(panel) {
                    body.show(&self.app, &self.colours);
                }
            }
            View::PanelMarks(panel) => {
                if let Some(body) = self.panels.of_app(panel) {
                    body.write(&self.app, &self.colours);
                }
            }
            View::Walk => {
                let is_playing = self.app.steps.is_playing;
                let player = &mut self.main_view.player;
                player.show_playing(is_playing, self.app.language);
            }
            View::Learning => {
                let is_watched = self.app.learning.is_watched();
                let learning = &mut self.main_view.learning;
                learning.show_playing(is_watched, self.app.language);
            }
            View::Brush => self.show_brush(),
            View::Zoom => self.show_zoom(),
            View::Undo => self.undo_buttons.update(self.app.undo_steps()),
            View::Notices => self.notices.update(&self.app.notices, self.app.language),
            View::Backend => self.show_backend(),
            View::Lesson => self.lesson.show(&self.app),
            View::Import => self.import_dialog.show(&self.app),
            View::Share => self.share.show(&self.app),
            View::Save => self.save.show(&self.app),
            View::Coach => self.coach.show(&self.app),
            View::Sheet => self.sheets.show(self.app.sheet),
        }
    }

    fn of_app(&mut self, panel: Panel, act: impl FnOnce(&mut AppPanel)) {
        if let Some(body) = self.panels.of_app(panel) {
            act(body);
        }
    }

    #[inline(never)]
    fn remember(&mut self, field: Field) {
        match field {
            Field::Language => self
                .environment
                .remember_language(self.app.environment.remembered),
            Field::Theme => self.environment.remember_theme(self.app.state.theme),
            _ => {}
        }
    }

    /// Puts the words of the markup into the language of the page.
    fn show_words(&mut self) {
        let language = self.app.language;
        if !language::is_applied(&self.root, language) {
            language::apply(&self.root, language);
        }
        self.examples.name(language);
    }

    /// Brings the controls up to date, in the language of the page.
    fn show_controls(&mut self) {
        let mut shown = self.environment.fill_in(&self.app.state, self.app.language);
        shown.trained = self.app.trained();
        self.controls
            .iter_mut()
            .for_each(|control| control.update(&shown));
        self.all_settings.show(self.app.shows_all_settings);
        self.sheets.follow_parts();
        self.examples.update(&shown);
        self.whole.update(&self.app.state);
    }

    /// Copies the texts behind their fields, with the tokens as they are split now.
    pub(super) fn copy_texts(&mut self) {
        let state = &self.app.state;
        let sides = request_builder::tokens(state);
        // Words that the model cannot read are not those of the map on screen.
        let words = if is_readable(state) {
            &sides.queries.words[..]
        } else {
            &[]
        };
        let second = state.second.as_deref().unwrap_or_default();
        let source = sides
            .source
            .as_ref()
            .map_or(&[][..], |tokens| &tokens.words);
        self.main_view
            .copy_texts([(&state.text, words), (second, source)]);
    }

    /// Shows whether the brush is up.
    fn show_brush(&mut self) {
        self.brush_buttons.update(self.app.has_brush());
        dom::set_flag(&self.element, "data-painting", self.app.can_paint());
    }

    /// Shows which buttons of the zoom there are, and how they stand.
    pub(super) fn show_zoom(&mut self) {
        let is_framing = self.app.is_framing();
        dom::set_flag(&self.element, "data-framing", is_framing);
        let (is_zoomable, is_zoomed) = (self.app.is_zoomable(), self.app.viewport().is_some());
        self.zoom_buttons.update(is_zoomable, is_framing, is_zoomed);
    }

    /// Shows on badge and panel where the picture was computed, in the language of the page.
    fn show_backend(&mut self) {
        let is_opening = matches!(self.app.status.state, GpuState::Checking | GpuState::Lost);
        if is_opening != self.opening.is_some() {
            self.opening = is_opening.then(|| self.root.activity().begin());
        }
        let Some(run) = &self.app.main.run else {
            return;
        };
        self.backend
            .compare
            .keep_only(|state| same_anywhere(state, &run.state));
        self.backend
            .update(&run.reply.ran, &self.app.status, self.app.language);
    }
}
