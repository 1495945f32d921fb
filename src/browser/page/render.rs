//! Paints what is out of date.

use super::Page;
use crate::browser::dom;
use crate::browser::environment::Stage;
use crate::browser::main_view::ViewContext;
use crate::browser::map::{Pointed, read_palette};
use crate::browser::timer::Deadline;
use app::message::{LessonAction, SaveEvent};
use app::present::displayed_matrix::DisplayedMatrix;
use app::present::frame_schedule::PendingWork;
use app::present::panel::PanelEvent;
use app::present::panel_scheduler::Dirty;
use app::scene::colour::Lut;
use app::scene::scale::Scale;
use app::state::{Panel, StepKind};
use app::views::print_caption::print_caption;
use app::{DirtyMap, Message, PANELS};

/// How long panels may take in a frame, so that there is a next one in time; a single panel may take longer.
const PANELS_MS: f64 = 4.0;

/// Name of the performance mark that is set when the first map is on screen; `js/opening.js` sets it where it has drawn that map.
const FIRST_MAP: &str = "first-map";

/// Name of the performance mark that is set with the engine's own first map.
const ENGINE_MAP: &str = "engine-map";

/// Current focus for a frame.
struct FrameFocus {
    step: StepKind,
    head: usize,
    /// The query that is read.
    row: usize,
    pointed: Pointed,
    is_locked: bool,
}

/// The time budget of the panels in a frame.
struct PanelBudget {
    /// How long it may take; `None` is as long as they need.
    milliseconds: Option<f64>,
}

impl Page {
    /// Returns the outdated work that can be painted now, or once input is idle. Panels wait while
    /// a run is pending: painting them would delay the map.
    pub(in crate::browser) fn left(&self) -> PendingWork {
        let (scheduler, has_run) = (&self.app.scheduler, self.app.main.run.is_some());
        if self.app.stale.is_map() {
            return PendingWork::ForFrame;
        }
        let has_news = has_run && self.app.has_news;
        match has_run && self.engine.is_idle() {
            true if scheduler.is_due() => PendingWork::ForFrame,
            true if has_news && !scheduler.is_moving() => PendingWork::ForFrame,
            _ if has_run && scheduler.waits_for_idle() => PendingWork::ForRest,
            true if has_news => PendingWork::ForRest,
            _ => PendingWork::Nothing,
        }
    }

    /// Paints everything outdated: the map and the parts beside it, and the panels below in frames
    /// of their own.
    pub(in crate::browser) fn paint(&mut self) {
        self.paint_within(Some(PANELS_MS));
        if self.engine.is_idle()
            && !self.app.scheduler.is_moving()
            && let Some(news) = self.app.announce()
        {
            self.live_region.set_text(&news);
        }
    }

    /// Paints everything for paper, as it is about to be printed.
    #[inline(never)]
    pub(super) fn begin_print(&mut self) {
        self.environment.set_printing(true);
        self.resized();
        self.paint_everything();
        if let Some(run) = &self.app.main.run {
            let address = self.whole.address(&self.app.state);
            let caption = print_caption(run, address.as_deref(), self.app.language);
            self.print_caption.update(caption);
        }
        self.lesson.print(&self.app);
    }

    /// Goes back to colours and size of the screen.
    pub(super) fn end_print(&mut self) {
        self.environment.set_printing(false);
        self.resized();
    }

    /// Paints everything, in sight or not.
    #[inline(never)]
    fn paint_everything(&mut self) {
        self.paint_within(None);
        while self.app.main.run.is_some() && self.app.scheduler.is_due() {
            self.paint_within(None);
        }
    }

    /// Paints what waits, so that nothing that is read next is older than the picture.
    pub(super) fn paint_waiting(&mut self) {
        // Browsers tell of dialogs and details that are opened by a press only after it.
        drop(self.root.activity().begin());
        let scheduler = &self.app.scheduler;
        if self.app.stale.picture || scheduler.is_due() || scheduler.waits_for_idle() {
            self.paint_everything();
        }
    }

    /// Paints the map first, then the parts beside it, and last the panels below, which have so
    /// many milliseconds in this frame, or as many as they need.
    fn paint_within(&mut self, milliseconds: Option<f64>) {
        let stale = std::mem::take(&mut self.app.stale);
        self.app.has_news |= stale.is_map();
        let focus = self.focus();
        self.app.read = focus.row;
        let Some(run) = &mut self.app.main.run else {
            return;
        };
        if stale.picture {
            run.prepare(focus.step, focus.head);
        }
        let largest = run.largest(self.app.state.range, focus.head);
        let keys = run.keys.len();
        let scale = Scale::new(self.app.state.scale, largest).over_keys(keys);
        self.colours.scale = self.app.held_range.hold(StepKind::Weights, scale);
        let turn = self.turn_of_panels(stale, milliseconds);
        if self.app.shows_curves() {
            let room = stale.picture.then_some(self.room.plot_height);
            self.app.follow_curves(room);
        }
        self.show_map(stale, &focus);
        if let Some(turn) = &turn {
            self.show_panels(turn);
        }
        if stale.is_map() || (turn.is_some() && self.app.scheduler.is_open(Panel::Cost)) {
            self.show_saving();
        }
        if stale.picture {
            self.show_zoom();
            if !self.app.state.lesson.is_empty() {
                self.update(Message::Lesson(LessonAction::Painted));
            }
            self.mark_first();
        }
    }

    /// Shows in an open Save menu what can be saved now. One that was taken off the document is closed, without a word.
    fn show_saving(&mut self) {
        if self.app.save.as_ref().is_some_and(|save| save.is_open) {
            self.update(Message::Save(match self.save.is_open() {
                true => SaveEvent::Painted,
                false => SaveEvent::Toggled(false),
            }));
        }
    }

    /// Returns the current focus.
    fn focus(&self) -> FrameFocus {
        FrameFocus {
            step: self.app.shown(),
            head: self.app.head(),
            row: self.app.row(),
            pointed: self.app.pointed(),
            is_locked: self.app.locked_key().is_some(),
        }
    }

    /// Marks in each panel the changes that it has not shown. `None` if no panel is painted in this
    /// frame: panels wait while the picture changes, unless they are overdue or everything is
    /// painted at once.
    fn turn_of_panels(
        &mut self,
        stale: DirtyMap,
        milliseconds: Option<f64>,
    ) -> Option<PanelBudget> {
        let scheduler = &mut self.app.scheduler;
        if stale.is_map() {
            scheduler.outdate(stale.picture);
        }
        let is_all_at_once = milliseconds.is_none();
        if is_all_at_once {
            scheduler.input_ended();
        }
        let is_due = !stale.is_map() || is_all_at_once || scheduler.is_overdue();
        is_due.then(|| PanelBudget {
            milliseconds: milliseconds.filter(|_| scheduler.is_budgeted()),
        })
    }

    /// Updates outdated panels one after another while there is time.
    fn show_panels(&mut self, turn: &PanelBudget) {
        let deadline = Deadline::new(&self.window, turn.milliseconds);
        while let Some((at, missed)) = self.app.scheduler.next_ready() {
            if (self.panels).is_ready(at, &self.chunks, self.app.language) {
                self.turn_to(PANELS[at], missed);
            }
            if deadline.is_over() {
                break;
            }
        }
    }

    /// Has the app bring a panel up to date, and shows it.
    fn turn_to(&mut self, panel: Panel, missed: Dirty) {
        match panel {
            Panel::Steps => self.show_steps(missed),
            Panel::Compare => {
                self.app.follow_compared(missed.picture);
                let dpr = self.room.dpr;
                self.comparison.update(&self.app, &self.colours, dpr);
            }
            _ => self.show_panel(panel, missed),
        }
    }

    fn show_steps(&mut self, missed: Dirty) {
        if missed.picture {
            self.update(Message::Panel(Panel::Steps, PanelEvent::Follow));
            let dpr = self.room.dpr;
            self.panels.steps.show(&self.app, &self.colours, dpr);
        }
        self.panels.steps.point(&self.app, &self.colours);
    }

    #[inline(never)]
    fn show_panel(&mut self, panel: Panel, missed: Dirty) {
        let event = if missed.picture {
            PanelEvent::Follow
        } else {
            PanelEvent::Pointed
        };
        self.update(Message::Panel(panel, event));
        if let Some(body) = self.panels.of_app(panel) {
            body.refresh(&self.app, &self.colours);
        }
    }

    /// Shows the map and the parts beside it where they are outdated: canvases first.
    fn show_map(&mut self, stale: DirtyMap, focus: &FrameFocus) {
        let viewport = self.app.viewport().cloned();
        let Some(run) = &self.app.main.run else {
            return;
        };
        let displayed = DisplayedMatrix::new(run, focus.step, focus.head);
        let context = ViewContext {
            state: &self.app.state,
            run,
            head: focus.head,
            displayed: &displayed,
            colours: &self.colours,
            room: self.room,
            viewport: viewport.as_ref(),
            frame: self.app.zoom.frame,
            language: self.app.language,
            pointed: focus.pointed,
            row: focus.row,
            is_locked: focus.is_locked,
            lit: &self.app.lit,
            curves: &self.app.curves,
            is_playing: self.app.steps.is_playing,
            history: self.app.learning.history(run),
            is_watched: self.app.learning.is_watched(),
            is_head_off: self.app.learning.is_head_off(run),
            is_motion_reduced: self.app.environment.is_motion_reduced,
            chunks: &self.chunks,
            stands_out: self.app.hover.is_some() && self.app.is_lecture(),
        };
        if stale.is_map() {
            let held_range = stale.picture.then_some(&mut self.app.held_range);
            self.main_view.draw(&context, held_range);
        }
        if stale.picture {
            self.main_view.show_picture(&context);
        }
        if stale.is_map() {
            self.main_view.show_pointed(&context);
        }
    }

    /// The room, the screen's density or the system's theme has changed.
    pub(super) fn resized(&mut self) {
        self.load_again();
        self.environment.refresh();
        let stage = Stage {
            is_full: self.zoom_buttons.notice_full_screen(),
            is_lecture: self.app.is_lecture(),
        };
        let room = self.environment.room(&self.element, &self.app.state, stage);
        // What is hidden, as a slide to come, keeps its size: what is laid out as it is shown again goes by that.
        if room.width > 0.0 {
            self.main_view.resized();
            self.app.stale.picture |= room != self.room;
            self.app.stale.pointed = true;
            self.room = room;
        }
        self.restyle();
    }

    /// The page has another height: a map in a frame has the room that the rest leaves.
    pub(super) fn grown(&mut self) {
        let is_lecture = self.app.is_lecture();
        if self.environment.is_bounded(&self.app.state, is_lecture) {
            self.resized();
        }
    }

    /// A canvas was emptied by the browser, as when its GPU process ends, and can be painted on again.
    #[inline(never)]
    pub(super) fn restored(&mut self) {
        self.main_view.restyle();
        self.panels.restyle();
        self.comparison.restyle();
        self.app.stale.picture = true;
    }

    /// The table was opened.
    #[inline(never)]
    pub(super) fn show_table(&mut self) {
        let (step, head, language) = (self.app.shown(), self.app.head(), self.app.language);
        if let Some(run) = &self.app.main.run {
            let displayed = DisplayedMatrix::new(run, step, head);
            self.main_view.table.update(&displayed, language);
        }
    }

    /// Applies theme and colours of the state.
    pub(super) fn restyle(&mut self) {
        let theme = self.environment.theme(&self.app.state);
        let element = self.root.element();
        self.layout.set(if self.app.state.embed {
            "embed"
        } else {
            "page"
        });
        self.ground.set(if self.app.state.host_theme {
            "host"
        } else {
            "own"
        });
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
        let ground = self.environment.ground(&self.app.state);
        let coloured = (self.app.state.colours, ground);
        if self.coloured == coloured {
            return;
        }
        if self.coloured.1 != ground
            && let Ok(palette) = read_palette(&self.root, &self.window, ground)
        {
            self.colours.palette = palette;
        }
        self.coloured = coloured;
        self.colours.lut = Lut::new(self.app.state.colours, ground);
        self.main_view.restyle();
        self.panels.restyle();
        self.comparison.restyle();
        self.app.stale.picture = true;
    }

    fn mark_first(&mut self) {
        if std::mem::replace(&mut self.app.is_marked, true) {
            return;
        }
        // From here on the head's name stands there, in whatever language.
        let was_drawn = self.main_view.show_first(&self.root);
        let performance = self.has_marks.then(|| self.window.performance());
        if let Some(performance) = performance.flatten() {
            // Refused only for names that the browser keeps for itself.
            let _ = performance.mark(ENGINE_MAP);
            if !was_drawn {
                let _ = performance.mark(FIRST_MAP);
            }
        }
    }
}
