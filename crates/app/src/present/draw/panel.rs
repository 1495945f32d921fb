//! The drawing panel: a lab whose descent takes some steps in each tick, and the controls beside it.

use super::lab::DrawLab;
use super::pattern::Pattern;
use super::view::DrawView;
use crate::present::painted_grid::{GridChange, GridEvent, place_of};
use crate::present::panel::{
    Clock, FRAME_MS, PageOfPanel, PanelContext, PanelEvent, PanelRequest, PanelState,
};
use crate::present::small_chart::chart_width;
use attention::Error;

/// How long steps are taken in a tick.
const WORK_MS: f64 = 8.0;
/// As long where nothing moves.
const SILENT_WORK_MS: f64 = 30.0;
/// Steps of a tick, so that the fall of the distance is seen.
const STEPS_OF_TICK: usize = 12;

/// The panel.
pub struct DrawPanel {
    lab: DrawLab,
    /// Error text of a descent that has ended early.
    problem: String,
    work: Option<Work>,
    requests: Vec<PanelRequest>,
}

/// Work in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// Steps towards the target, with a picture after each tick's; with reduced motion only at the end.
    Finding,
    /// Steps towards it at every `d_k`, with a picture after each of them.
    Sweeping,
}

impl PanelState for DrawPanel {
    /// A panel for the page's sentence.
    fn new(page: &PageOfPanel<'_>) -> Self {
        Self {
            lab: DrawLab::new(tokens(page)),
            problem: String::new(),
            work: None,
            requests: vec![PanelRequest::Show],
        }
    }

    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest> {
        let tokens = tokens(page);
        match event {
            PanelEvent::Follow if self.lab.reads(tokens) => {}
            PanelEvent::Follow => self.change(|lab| lab.read(tokens)),
            PanelEvent::Close if self.work.take().is_some() => self.show(),
            PanelEvent::Press(name) => self.press(&name),
            PanelEvent::Enter(name, value, _) => self.enter(&name, &value),
            PanelEvent::Paint(event) => self.paint(event),
            PanelEvent::Tick => self.tick(page.is_motion_reduced, page.clock),
            _ => {}
        }
        std::mem::take(&mut self.requests)
    }

    fn interval(&self) -> Option<i32> {
        self.work.map(|_| FRAME_MS)
    }
}

/// Tokens of the page's sentence.
fn tokens<'a>(page: &PageOfPanel<'a>) -> &'a [String] {
    page.run.map_or(&[], |run| run.words()[0])
}

impl DrawPanel {
    /// The lab.
    pub fn lab(&self) -> &DrawLab {
        &self.lab
    }

    /// View of the lab.
    pub fn view<'a>(&'a self, context: PanelContext<'a>) -> DrawView<'a> {
        self.lab.view(
            &context.colours.lut,
            chart_width(context.room),
            context.language,
        )
    }

    /// Why the descent has ended early; empty where it has not.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// Whether steps towards the target are taken.
    pub fn is_finding(&self) -> bool {
        self.work == Some(Work::Finding)
    }

    /// Whether steps are taken at every `d_k`.
    pub fn is_sweeping(&self) -> bool {
        self.work == Some(Work::Sweeping)
    }

    fn show(&mut self) {
        self.requests.push(PanelRequest::Show);
    }

    fn press(&mut self, name: &str) {
        match name {
            "clear" => return self.change(DrawLab::clear),
            "find" if self.is_finding() => self.work = None,
            "find" => {
                if self.lab.is_done() {
                    self.lab.start_again();
                }
                self.start(Work::Finding);
            }
            "sweep" if self.is_sweeping() => self.work = None,
            "sweep" if self.lab.has_sweep() => self.start(Work::Sweeping),
            "sweep" => self.begin_sweep(),
            _ => {}
        }
        self.show();
    }

    fn enter(&mut self, name: &str, value: &str) {
        let (mut options, number) = (self.lab.options(), || value.parse().unwrap_or(1));
        match name {
            "pattern" => {
                let pattern = Pattern::from_name(value).unwrap_or(Pattern::Own);
                return self.change(|lab| lab.choose(pattern));
            }
            "d_k" => options.d_k = number(),
            "heads" => options.heads = number(),
            "positions" => options.has_positions = value == "true",
            _ => return,
        }
        self.change(|lab| lab.set_options(options));
    }

    /// Changes the target or the options of the lab.
    fn change(&mut self, change: impl FnOnce(&mut DrawLab)) {
        let was_begun = self.lab.is_begun();
        change(&mut self.lab);
        self.go_on(was_begun);
    }

    /// Restarts the work that was running or done for the previous target.
    fn go_on(&mut self, was_begun: bool) {
        match self.work {
            Some(Work::Sweeping) if self.lab.has_sweep() => {}
            Some(Work::Sweeping) => self.begin_sweep(),
            _ if was_begun && !self.lab.is_begun() => self.start(Work::Finding),
            _ => {}
        }
        self.show();
    }

    fn paint(&mut self, event: GridEvent) {
        let was_begun = self.lab.is_begun();
        match self.lab.take(event) {
            GridChange::Nothing | GridChange::Released => {}
            GridChange::Painted => self.go_on(was_begun),
            GridChange::Focused => self.show(),
            GridChange::Moved => {
                self.show();
                let cell = self.lab.grid().place();
                self.requests.push(PanelRequest::Focus(place_of(cell)));
            }
        }
    }

    fn begin_sweep(&mut self) {
        self.lab.begin_sweep();
        self.start(Work::Sweeping);
    }

    fn start(&mut self, work: Work) {
        self.problem.clear();
        self.work = (!self.lab.grid().is_empty()).then_some(work);
    }

    fn tick(&mut self, is_motion_reduced: bool, clock: Clock<'_>) {
        let Some(work) = self.work else { return };
        let swept = self.lab.swept();
        let (step, most, milliseconds): (Step, _, _) = match work {
            Work::Finding if is_motion_reduced => (DrawLab::step, usize::MAX, SILENT_WORK_MS),
            Work::Finding => (DrawLab::step, STEPS_OF_TICK, WORK_MS),
            Work::Sweeping => (DrawLab::step_sweep, usize::MAX, SILENT_WORK_MS),
        };
        self.take_steps(step, most, clock, clock() + milliseconds);
        let has_moved = match work {
            Work::Finding => !is_motion_reduced,
            Work::Sweeping => self.lab.swept() != swept,
        };
        if self.work.is_none() || has_moved {
            self.show();
        }
    }

    fn take_steps(&mut self, step: Step, most: usize, clock: Clock<'_>, end: f64) {
        for _ in 0..most {
            match step(&mut self.lab) {
                Ok(true) if clock() < end => continue,
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => self.problem = error.to_string(),
            }
            self.work = None;
            return;
        }
    }
}

/// Takes a step; whether there are more to take.
type Step = fn(&mut DrawLab) -> Result<bool, Error>;
