//! Measures runs of growing length on the worker, one after the other, and stops them.

wasm_chunks::chunk!("more": listen);

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlButtonElement, HtmlSelectElement};

use super::{Back, Inner, Shown};
use crate::bindings::{BenchmarkRequest, Client, Refusal};
use crate::browser::activity::Activity;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::view::View;
use app::i18n::Language;
use app::present::backend_status::reason;
use app::present::cost::{Benchmark, CostSetting, End, Load, Timings};
use app::state::State;
use app::views::cost as views;
use attention::complexity::{Memory, total};
use engine::Backend;
use engine::GpuState;

/// The benchmark, running or finished.
pub(super) struct BenchmarkRunner {
    client: Client,
    series: Vec<Benchmark>,
    /// Setting of the current or last benchmark.
    setting: Option<CostSetting>,
    /// The run that is waited for.
    run: Option<u32>,
    activity: Activity,
    start: HtmlButtonElement,
    stop: HtmlButtonElement,
    most: HtmlSelectElement,
    intro: Text,
    stands: View,
    measured: Element,
    times: View,
    grew: View,
    rate: Text,
    stale: Text,
}

impl BenchmarkRunner {
    pub(super) fn new(root: &Root, client: Client) -> Result<Self, MissingPart> {
        Ok(Self {
            client,
            series: Vec::new(),
            setting: None,
            run: None,
            activity: root.activity().clone(),
            start: root.find("#cost-run")?,
            stop: root.find("#cost-stop")?,
            most: root.find("#cost-most")?,
            intro: Text::find(root, "#cost-try-note")?,
            stands: View::find(root, "#cost-said")?,
            measured: root.find("#cost-measured")?,
            times: View::find(root, "#cost-times")?,
            grew: View::find(root, "#cost-grew")?,
            rate: Text::find(root, "#cost-scaled")?,
            stale: Text::find(root, "#cost-stale")?,
        })
    }

    pub(super) fn update(&mut self, shown: &Shown) {
        let is_stale = self.fitting(&shown.setting).is_empty();
        let setting = self.setting.as_ref();
        let timings = Timings::new(&self.series, setting, is_stale, shown.language);
        self.intro.set_text(&timings.intro);
        self.stands.update(views::sentences(&timings.stands));
        dom::set_flag(&self.measured, "hidden", timings.times.is_empty());
        self.times.update(views::times(&timings.times));
        self.grew.update(views::sentences(&timings.grew));
        self.rate.set_text(&timings.rate);
        self.stale.set_text(timings.stale);
    }

    /// Returns the measured series if it applies to `setting`; empty otherwise.
    pub(super) fn fitting(&self, setting: &CostSetting) -> &[Benchmark] {
        let is_same = |own: &CostSetting| own.measures_as(setting);
        if self.setting.as_ref().is_some_and(is_same) {
            &self.series
        } else {
            &[]
        }
    }

    /// Clears earlier results, and starts.
    fn begin(&mut self, shown: &Shown) {
        let most = self.most.value().parse().unwrap_or(0);
        let mut series = [Backend::Cpu, Backend::WebGpu].map(|on| Benchmark::new(on, most));
        let status = self.client.status();
        if status.state != GpuState::Ready
            && let Some(why) = &status.reason
        {
            series[1].end(End::Refused(reason(shown.language, why)));
        }
        self.series = series.into();
        self.setting = Some(shown.setting.clone());
        self.switch(true);
    }

    /// The next run, of this series at this length.
    fn next(&self) -> Option<(usize, Backend, usize)> {
        let next = |(at, series): (usize, &Benchmark)| Some((at, series.backend, series.next()?));
        self.series.iter().enumerate().find_map(next)
    }

    fn took(&mut self, at: usize, taken: Result<f64, Refusal>, language: Language) {
        let load = |n| {
            self.setting
                .as_ref()
                .map_or(NOTHING, |setting| load(setting, n))
        };
        let status = self.client.status();
        let Some(series) = self.series.get_mut(at) else {
            return;
        };
        match taken {
            Ok(ms) => series.took(ms, load),
            Err(refusal) => {
                let why = status.reason.filter(|_| series.backend == Backend::WebGpu);
                let cause = why.map_or(refusal.message, |why| reason(language, &why));
                series.end(End::Refused(cause));
            }
        }
    }

    /// Ends every series where it is.
    pub(super) fn end(&mut self) {
        let is_under_way = |series: &&mut Benchmark| series.next().is_some();
        for series in self.series.iter_mut().filter(is_under_way) {
            series.end(End::Stopped);
        }
        if let Some(run) = self.run.take() {
            self.client.stop(run);
        }
        self.switch(false);
    }

    /// Replaces the start button by the stop button, or the reverse, and keeps the
    /// focus.
    fn switch(&self, is_under_way: bool) {
        let (shown, hidden) = if is_under_way {
            (&self.stop, &self.start)
        } else {
            (&self.start, &self.stop)
        };
        let has_focus = hidden.matches(":focus").unwrap_or(false);
        dom::set_flag(shown, "hidden", false);
        if has_focus {
            // Fails only for an element that cannot be focused.
            let _ = shown.focus();
        }
        dom::set_flag(hidden, "hidden", true);
    }
}

const NOTHING: Load = Load {
    bytes: 0,
    flops: 1.0,
};

fn load(setting: &CostSetting, n: usize) -> Load {
    let plan = setting.at(n);
    Load {
        bytes: Memory::from_plan(&plan).peak(),
        flops: total(&plan).flops as f64,
    }
}

/// The buttons.
pub(super) fn listen(root: &Root, back: &Back) -> Result<Vec<Listener>, MissingPart> {
    let [start, stop]: [HtmlButtonElement; 2] = [root.find("#cost-run")?, root.find("#cost-stop")?];
    let (starts, stops) = (back.clone(), back.clone());
    Ok(vec![
        Listener::new(&start, "click", move |_| begin(&starts)),
        Listener::new(&stop, "click", move |_| {
            act(&stops, |inner| inner.tries.end());
        }),
    ])
}

fn begin(back: &Back) {
    let begun = act(back, |inner| {
        let shown = inner.shown.as_ref()?;
        inner.tries.begin(shown);
        let pending = inner.tries.activity.begin();
        Some((shown.state.clone(), pending))
    });
    if let Some((state, pending)) = begun.flatten() {
        let back = back.clone();
        spawn_local(async move {
            run(back, state).await;
            drop(pending);
        });
    }
}

/// Runs the benchmark until every series has ended, or the panel is gone.
async fn run(back: Back, state: State) {
    loop {
        let started = act(&back, |inner| {
            let (at, backend, n) = inner.tries.next()?;
            let request = BenchmarkRequest {
                state: &state,
                n,
                backend,
            };
            let (id, taken) = inner.tries.client.measure(&request);
            inner.tries.run = Some(id);
            Some((at, taken))
        });
        let Some((at, taken)) = started.flatten() else {
            break;
        };
        let taken = taken.await;
        act(&back, |inner| {
            let language = inner
                .shown
                .as_ref()
                .map_or(Language::En, |shown| shown.language);
            inner.tries.took(at, taken, language);
        });
    }
    act(&back, |inner| {
        if inner.tries.next().is_none() {
            inner.tries.run = None;
            inner.tries.switch(false);
        }
    });
}

/// Runs `act` on the panel, then updates it.
fn act<T>(back: &Back, act: impl FnOnce(&mut Inner) -> T) -> Option<T> {
    let inner: Rc<_> = back.upgrade()?;
    let mut inner = inner.try_borrow_mut().ok()?;
    let done = act(&mut inner);
    inner.update();
    Some(done)
}
