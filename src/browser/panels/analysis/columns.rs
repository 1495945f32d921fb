//! A bar chart that can be read bar by bar, with pointer and keyboard.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, MouseEvent};

use crate::browser::dom::{self, Attribute, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::view::View;
use app::scene::bar_chart::{self, BarChart};
use app::scene::hit::Move;
use app::views::analysis;

/// Bars up to which each has its token below it.
const MOST_LABELS: usize = 24;

/// Events of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarEvent {
    /// It is pointed at.
    At(usize),
    /// None is any more.
    Away,
    /// It is chosen.
    Chosen(usize),
}

/// The chart.
pub(super) struct Columns {
    figure: HtmlElement,
    view_box: Attribute,
    place: Attribute,
    bars: Attribute,
    one: Attribute,
    caps: Attribute,
    top: Text,
    value: Text,
    now: Attribute,
    last: Attribute,
    spoken: Attribute,
    labels: View,
    chart: BarChart,
    bar: Rc<Bars>,
    _listeners: [Listener; 5],
}

/// State shared with the listeners.
#[derive(Default)]
struct Bars {
    count: Cell<usize>,
    /// The bar that stands out.
    now: Cell<usize>,
    /// The bar that is pointed at here.
    over: Cell<Option<usize>>,
}

impl Columns {
    /// Chart in the figure with `id`; `touched` is called with the events of its
    /// bars.
    pub(super) fn new(
        root: &Root,
        id: &str,
        touched: impl Fn(BarEvent) + 'static,
    ) -> Result<Self, MissingPart> {
        let at = |part: &str| format!("#{id} {part}");
        let plot: HtmlElement = root.find(&at(".plot"))?;
        let path = |class: &str| -> Result<Attribute, MissingPart> {
            Ok(Attribute::new(root.find::<Element>(&at(class))?, "d"))
        };
        let bar = Rc::new(Bars::default());
        Ok(Self {
            figure: root.find(&format!("#{id}"))?,
            view_box: Attribute::new(root.find::<Element>(&at(".plot svg"))?, "viewBox"),
            place: path(".place")?,
            bars: path(".bars")?,
            one: path(".bar")?,
            caps: path(".caps")?,
            top: Text::find(root, &at(".top"))?,
            value: Text::find(root, &at(".value"))?,
            now: Attribute::new(plot.clone(), "aria-valuenow"),
            last: Attribute::new(plot.clone(), "aria-valuemax"),
            spoken: Attribute::new(plot.clone(), "aria-valuetext"),
            labels: View::find(root, &at(".ends"))?,
            chart: BarChart::default(),
            _listeners: listen(&plot, &bar, touched),
            bar,
        })
    }

    /// Takes the chart off the page, or puts it there.
    pub(super) fn show_only_if(&self, is_shown: bool) {
        dom::set_flag(&self.figure, "hidden", !is_shown);
    }

    /// Draws the chart; `top` is the label of its upper end.
    pub(super) fn update(&mut self, chart: BarChart, top: &str) {
        let count = chart.values.len();
        self.bar.count.set(count);
        self.view_box.set(&format!("0 0 {} 1", count.max(1)));
        self.bars.set(&chart.bars(bar_chart::unit_plot(count)));
        self.caps.set(&chart.limits(bar_chart::unit_plot(count)));
        self.top.set_text(top);
        self.last.set(&count.max(1).to_string());
        self.chart = chart;
    }

    /// Writes these below their bars, where there is room for all.
    pub(super) fn label(&mut self, labels: &[String]) {
        let labels = Some(labels).filter(|labels| labels.len() <= MOST_LABELS);
        self.labels
            .update(analysis::bar_labels(labels.unwrap_or_default()));
    }

    /// The bar that is pointed at on the chart itself.
    pub(super) fn over(&self) -> Option<usize> {
        self.bar.over.get()
    }

    /// Emphasizes one bar, and shows its meaning.
    pub(super) fn point(&mut self, bar: Option<usize>, said: &str) {
        let count = self.bar.count.get();
        self.place.set(&bar_chart::place(bar, count));
        self.one
            .set(&self.chart.bar(bar_chart::unit_plot(count), bar));
        self.value.set_text(said);
        self.spoken.set(said);
        let bar = bar.unwrap_or(0);
        self.bar.now.set(bar);
        self.now.set(&(bar + 1).to_string());
    }
}

fn listen(
    plot: &HtmlElement,
    bar: &Rc<Bars>,
    touched: impl Fn(BarEvent) + 'static,
) -> [Listener; 5] {
    let touched = Rc::new(touched);
    let on = |event: &'static str, act: fn(&HtmlElement, &Bars, &Event) -> Option<BarEvent>| {
        let (plot, bar, touched) = (plot.clone(), Rc::clone(bar), Rc::clone(&touched));
        Listener::new(&plot.clone(), event, move |event| {
            if let Some(touch) = act(&plot, &bar, &event) {
                touched(touch);
            }
        })
    };
    [
        on("pointermove", |plot, bar, event| {
            let at = under(plot, bar, event)?;
            (bar.over.replace(Some(at)) != Some(at)).then_some(BarEvent::At(at))
        }),
        on("pointerleave", |_, bar, _| away(bar)),
        on("blur", |_, bar, _| away(bar)),
        on("click", |plot, bar, event| {
            let at = under(plot, bar, event)?;
            bar.over.set(Some(at));
            Some(BarEvent::Chosen(at))
        }),
        on("keydown", |plot, bar, event| {
            let event: &KeyboardEvent = event.dyn_ref()?;
            if dom::is_for_page_around(plot, &event.key()) {
                return None;
            }
            let touch = key(bar, event)?;
            event.prevent_default();
            Some(touch)
        }),
    ]
}

fn away(bar: &Bars) -> Option<BarEvent> {
    bar.over.take().map(|_| BarEvent::Away)
}

fn under(plot: &HtmlElement, bar: &Bars, event: &Event) -> Option<usize> {
    let event: &MouseEvent = event.dyn_ref()?;
    let room = plot.get_bounding_client_rect();
    let inside = f64::from(event.client_x()) - room.left();
    bar_chart::under(inside / room.width(), bar.count.get())
}

fn key(bar: &Bars, event: &KeyboardEvent) -> Option<BarEvent> {
    if event.alt_key() || event.meta_key() {
        return None;
    }
    let (now, last) = (bar.now.get(), bar.count.get().checked_sub(1)?);
    let page = (bar.count.get() / 10).max(1);
    let to = match event.key().as_str() {
        "Enter" | " " => return Some(BarEvent::Chosen(now)),
        "Escape" => return away(bar),
        name => match Move::from_key(name, false)? {
            Move::Left | Move::Down => now.saturating_sub(1),
            Move::Right | Move::Up => now + 1,
            Move::PageDown => now.saturating_sub(page),
            Move::PageUp => now + page,
            Move::RowEnd | Move::Last => last,
            Move::RowStart | Move::First => 0,
        },
    };
    let to = to.min(last);
    bar.over.set(Some(to));
    Some(BarEvent::At(to))
}
