//! The cost panel: what is counted, where the curves are read, and the benchmark.

use std::rc::Rc;

use super::{
    Benchmark, CARDS, Choice, CostSetting, End, GrowthChart, GrowthSource, HIGH, LOW, Load, MOST,
    Timings, reading_after,
};
use crate::Refusal;
use crate::i18n::Language;
use crate::present::backend_status::reason;
use crate::present::memo::Memo;
use crate::present::panel::{
    Job, Outcome, PageOfPanel, PanelContext, PanelEvent, PanelRequest, PanelState,
};
use crate::scene::line_chart::SIZE;
use crate::state::{Hiding, State};
use attention::complexity::{Measure, Memory, total};
use engine::{Backend, GpuState};

/// Name of the chart in events.
pub const CHART: &str = "growth";

/// Name of the toggle of the setting's parts.
pub const PARTS: &str = "parts";

/// Where the curves are read at first.
const READ_AT: f64 = 1024.0;

/// The panel. Its own controls affect nothing else: their values are part of neither state nor links.
pub struct CostPanel {
    choice: Choice,
    /// The n at which the curves are read.
    reading: f64,
    /// Whether the curves are shown as a table as well.
    has_table: bool,
    shown: Option<Shown>,
    /// The chart, which stays while it is read. Its key: language, width, and that of a text, which fonts decide.
    drawn: Memo<(Language, [u64; 2]), GrowthChart>,
    /// Longest length to measure.
    most: usize,
    /// The benchmark, running or finished.
    series: Vec<Benchmark>,
    /// Its setting.
    measured: Option<(State, CostSetting)>,
    /// The series whose run is waited for.
    waits: Option<usize>,
    /// Number of the last job.
    asked: u32,
    requests: Vec<PanelRequest>,
}

/// The setting whose cost is shown.
struct Shown {
    state: State,
    setting: CostSetting,
    /// Lengths of queries and keys.
    lengths: [usize; 2],
}

impl PanelState for CostPanel {
    fn new(_: &PageOfPanel<'_>) -> Self {
        Self {
            choice: Choice::default(),
            reading: READ_AT,
            has_table: false,
            shown: None,
            drawn: Memo::default(),
            most: MOST,
            series: Vec::new(),
            measured: None,
            waits: None,
            asked: 0,
            requests: Vec::new(),
        }
    }

    fn update(&mut self, event: PanelEvent, page: &PageOfPanel<'_>) -> Vec<PanelRequest> {
        match event {
            PanelEvent::Follow => self.follow(page),
            PanelEvent::Close => self.end(),
            PanelEvent::Press(name) => match &*name {
                "run" => self.begin(page),
                "stop" => self.end(),
                _ => {}
            },
            PanelEvent::Enter(name, value, _) => self.enter(&name, &value),
            PanelEvent::Point(name, (x, _)) if name == CHART => self.point(x),
            PanelEvent::Key(name, key) if name == CHART => {
                self.reading = reading_after(self.reading, &key).unwrap_or(self.reading);
                self.requests.push(PanelRequest::Show);
            }
            PanelEvent::Ended(number, answer) if number == self.asked => {
                self.took(answer, page);
            }
            _ => {}
        }
        std::mem::take(&mut self.requests)
    }
}

impl CostPanel {
    /// Data of the chart; `None` before a setting is shown.
    pub fn source(&self, language: Language) -> Option<GrowthSource<'_>> {
        let Shown {
            setting, lengths, ..
        } = self.shown.as_ref()?;
        Some(GrowthSource {
            choice: &self.choice,
            setting,
            measured: self.fitting(setting),
            length: lengths[0],
            language,
        })
    }

    /// The chart in a size.
    pub fn chart(
        &self,
        source: &GrowthSource<'_>,
        size: (f64, f64),
        context: PanelContext<'_>,
    ) -> Rc<GrowthChart> {
        let widths = [size.0, (context.measure)("1024", SIZE)].map(f64::to_bits);
        let make = || GrowthChart::new(source, size, context.measure);
        self.drawn.get((context.language, widths), make)
    }

    /// What hidden cells of the shown setting are.
    pub fn hiding(&self) -> Hiding {
        let shown = self.shown.as_ref();
        shown.map_or_else(Hiding::default, |shown| shown.state.hiding)
    }

    /// The n at which the curves are read.
    pub fn reading(&self) -> f64 {
        self.reading
    }

    /// Whether the curves are shown as a table as well.
    pub fn has_table(&self) -> bool {
        self.has_table
    }

    /// Longest length to measure.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Whether the benchmark is running.
    pub fn is_running(&self) -> bool {
        self.waits.is_some()
    }

    /// The benchmark in words.
    pub fn timings(&self, language: Language) -> Timings {
        let measured = self.measured.as_ref().map(|(_, setting)| setting);
        let shown = self.shown.as_ref();
        let is_stale = shown.is_none_or(|shown| self.fitting(&shown.setting).is_empty());
        Timings::new(&self.series, measured, is_stale, language)
    }

    /// The measured series if it applies to `setting`; empty otherwise.
    fn fitting(&self, setting: &CostSetting) -> &[Benchmark] {
        let measured = self.measured.as_ref();
        match measured.is_some_and(|(_, own)| own.measures_as(setting)) {
            true => &self.series,
            false => &[],
        }
    }

    fn show(&mut self) {
        self.drawn.clear();
        self.requests.push(PanelRequest::Show);
    }

    fn follow(&mut self, page: &PageOfPanel<'_>) {
        let Some(run) = page.run else { return };
        let lengths = [run.queries.len(), run.sides.keys().words.len()];
        let is_same = |shown: &Shown| shown.state == run.state && shown.lengths == lengths;
        if !self.shown.as_ref().is_some_and(is_same) {
            self.shown = Some(Shown {
                setting: CostSetting::from_state(&run.state, lengths[0], lengths[1]),
                state: run.state.clone(),
                lengths,
            });
            self.show();
        }
    }

    /// A field of the panel was changed.
    fn enter(&mut self, name: &str, value: &str) {
        let is_on = value == "true";
        match name {
            "most" => self.most = value.parse().unwrap_or(self.most),
            "table" => self.has_table = is_on,
            "count" => {
                self.choice.measure = match value {
                    "leading" => Measure::Leading,
                    "memory" => Measure::Memory,
                    _ => Measure::Flops,
                }
            }
            PARTS => self.choice.has_parts = is_on,
            _ => {
                let card = CARDS.iter().find(|card| card.id == name);
                if let Some(card) = card {
                    self.choice.set(card.layer, is_on);
                }
            }
        }
        self.show();
    }

    /// Reads the curves at a share of the plot's width.
    fn point(&mut self, share: f64) {
        if (0.0..=1.0).contains(&share) {
            self.reading = libm::round(LOW * libm::pow(HIGH / LOW, share));
            self.requests.push(PanelRequest::Show);
        }
    }

    /// Clears earlier results, and starts.
    fn begin(&mut self, page: &PageOfPanel<'_>) {
        let Some(shown) = &self.shown else { return };
        let mut series = [Backend::Cpu, Backend::WebGpu].map(|on| Benchmark::new(on, self.most));
        if page.status.state != GpuState::Ready
            && let Some(why) = &page.status.reason
        {
            series[1].end(End::Refused(reason(page.language, why)));
        }
        self.series = series.into();
        self.measured = Some((shown.state.clone(), shown.setting.clone()));
        self.ask();
    }

    /// Asks for the next run, of the first series that goes on.
    fn ask(&mut self) {
        let next = |(at, series): (usize, &Benchmark)| Some((at, series.backend, series.next()?));
        let next = self.series.iter().enumerate().find_map(next);
        self.waits = next.map(|(at, ..)| at);
        if let (Some((_, backend, n)), Some((state, _))) = (next, &self.measured) {
            self.asked += 1;
            let state = Box::new(state.clone());
            let job = Job::Time { state, n, backend };
            self.requests.push(PanelRequest::Start(self.asked, job));
        }
        self.show();
    }

    fn took(&mut self, answer: Result<Outcome, Refusal>, page: &PageOfPanel<'_>) {
        let (Some(at), Some((_, setting))) = (self.waits, &self.measured) else {
            return;
        };
        let Some(series) = self.series.get_mut(at) else {
            return;
        };
        match answer {
            Ok(Outcome::Time(ms)) => series.took(ms, |n| load(setting, n)),
            Ok(_) => series.end(End::Stopped),
            Err(refusal) => {
                let why = page.status.reason.as_ref();
                let why = why.filter(|_| series.backend == Backend::WebGpu);
                let cause = why.map_or(refusal.message, |why| reason(page.language, why));
                series.end(End::Refused(cause));
            }
        }
        self.ask();
    }

    /// Ends every series where it is.
    fn end(&mut self) {
        if self.waits.take().is_some() {
            for series in &mut self.series {
                series.end(End::Stopped);
            }
            self.requests.push(PanelRequest::Stop);
            self.show();
        }
    }
}

fn load(setting: &CostSetting, n: usize) -> Load {
    let plan = setting.at(n);
    Load {
        bytes: Memory::from_plan(&plan).peak(),
        flops: total(&plan).flops as f64,
    }
}
