//! The cost panel: by step, over the sequence length, and measured on this device.
//!
//! Its own controls affect only this panel: their values are not part of the state or of links.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl Inner);

mod benchmark_runner;
mod growth_chart;
mod layers;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use crate::bindings::Client;
use crate::browser::dom::{MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::observers::ResizeWatcher;
use crate::browser::panels::registry::PanelView;
use crate::browser::view::View;
use app::export::figures::Measure;
use app::i18n::Language;
use app::present::cost::{CostSetting, GrowthChart, StepTable};
use app::state::State;
use app::views::cost as views;
use benchmark_runner::BenchmarkRunner;
use growth_chart::Growth;

/// The panel.
pub(crate) struct Cost {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
    _watched: Option<ResizeWatcher>,
}

/// A way back to the panel for its own listeners.
type Back = Weak<RefCell<Inner>>;

struct Inner {
    summary: Text,
    steps: [View; 3],
    growth: Growth,
    tries: BenchmarkRunner,
    shown: Option<Shown>,
}

/// Setting whose cost the panel shows.
struct Shown {
    state: State,
    setting: CostSetting,
    lengths: (usize, usize),
    language: Language,
}

impl Cost {
    pub(crate) fn new(root: &Root, client: Client) -> Result<Self, MissingPart> {
        let inner = Rc::new(RefCell::new(Inner {
            summary: Text::find(root, "#cost-summary")?,
            steps: [
                View::find(root, "#cost-steps")?,
                View::find(root, "#cost-all")?,
                View::find(root, "#cost-totals")?,
            ],
            growth: Growth::new(root)?,
            tries: BenchmarkRunner::new(root, client)?,
            shown: None,
        }));
        let back = Rc::downgrade(&inner);
        let mut listeners = growth_chart::listen(root, &back)?;
        listeners.extend(benchmark_runner::listen(root, &back)?);
        Ok(Self {
            inner,
            _listeners: listeners,
            _watched: growth_chart::watch(root, &back)?,
        })
    }
}

impl PanelView for Cost {
    fn update(&mut self, context: &ViewContext<'_>) {
        let run = context.run;
        let lengths = (run.queries.len(), run.sides.keys().words.len());
        // Busy only where a listener of the panel itself leads here, which then shows everything anew.
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.set_setting(&run.state, lengths, context.language);
        }
    }

    fn restyle(&mut self) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.growth.restyle();
        }
    }

    fn close(&mut self) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.tries.end();
        }
    }

    fn chart(&self, size: (f64, f64), measure: Measure<'_>) -> Option<GrowthChart> {
        let inner = self.inner.try_borrow().ok()?;
        let shown = inner.shown.as_ref()?;
        let measured = inner.tries.fitting(&shown.setting);
        let source = inner.growth.source(shown, measured);
        Some(GrowthChart::new(&source, size, measure))
    }
}

impl Inner {
    fn set_setting(&mut self, state: &State, lengths: (usize, usize), language: Language) {
        let is_same = |shown: &Shown| shown.state == *state && shown.lengths == lengths;
        let setting = match self.shown.take().filter(is_same) {
            Some(shown) => shown.setting,
            None => CostSetting::from_state(state, lengths.0, lengths.1),
        };
        self.shown = Some(Shown {
            state: state.clone(),
            setting,
            lengths,
            language,
        });
        self.update();
    }

    fn update(&mut self) {
        let Some(shown) = &self.shown else { return };
        let table = StepTable::new(&shown.setting, shown.state.hiding, shown.language);
        self.summary.set_text(&table.summary);
        let markups = [
            views::steps(&table),
            views::all(&table),
            views::totals(&table),
        ];
        for (view, markup) in self.steps.iter_mut().zip(markups) {
            view.update(markup);
        }
        self.tries.update(shown);
        self.growth
            .update(shown, self.tries.fitting(&shown.setting));
    }
}
