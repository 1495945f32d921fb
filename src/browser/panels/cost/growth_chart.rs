//! Curves over the sequence length: chart, layers, crossings, and a table of the same.

wasm_chunks::chunk!("more": listen);

use std::fmt::Write as _;

use wasm_bindgen::JsCast as _;
use web_sys::{
    Element, HtmlDetailsElement, HtmlElement, HtmlInputElement, KeyboardEvent, MouseEvent,
};

use super::layers::{Layers, layer_of};
use super::{Back, Inner, Shown};
use crate::browser::dom::{self, Attribute, MissingPart, Root, Symbols, Text};
use crate::browser::event_listener::Listener;
use crate::browser::observers::ResizeWatcher;
use crate::browser::text_measurer::{self, TextMeasurer};
use crate::browser::view::View;
use app::i18n::{Key, text};
use app::present::cost::{
    Benchmark, Choice, GrowthChart, GrowthSource, HELD, PROJECTIONS, reading_after, written,
};
use app::scene::line_chart::SIZE;
use app::scene::svg;
use app::views::cost as views;
use app::views::math::{Hue, math};
use attention::complexity::Measure;

/// Height over width, within these heights.
const ASPECT: f64 = 0.42;
const HEIGHTS: (f64, f64) = (300.0, 440.0);

/// Where the curves are read at first.
const READ_AT: f64 = 1024.0;

/// Abbreviations in the formulas of layers, with their definitions.
const ABBREVIATIONS: [(&str, &str, &str); 2] = [
    ("#cost-whole .formula", "P(g) =", PROJECTIONS),
    ("#cost-held .formula", "M(g) =", HELD),
];

/// Everything about growth.
pub(super) struct Growth {
    choice: Choice,
    /// The n at which the curves are read.
    reading: f64,
    chart: HtmlElement,
    /// How wide the chart is. Asking for it costs a layout where something was written before.
    width: f64,
    pen: TextMeasurer,
    /// The chart as it was drawn, and the markup that was written.
    drawing: Option<(GrowthChart, String)>,
    now: Attribute,
    said: Attribute,
    note: Text,
    at: Text,
    crossings: View,
    layers: Layers,
    letters: Symbols,
    whole: [Element; 2],
    details: HtmlDetailsElement,
    table: View,
    is_table_stale: bool,
}

impl Growth {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        let chart: HtmlElement = root.find("#cost-chart")?;
        for (place, letter, formula) in ABBREVIATIONS {
            let formula = math(&format!("{letter} {formula}"), Hue::None).into_string();
            root.find::<Element>(place)?.set_inner_html(&formula);
        }
        Ok(Self {
            choice: Choice::default(),
            reading: READ_AT,
            width: 0.0,
            pen: TextMeasurer::new(&chart, "400", text_measurer::family_of(&chart)),
            drawing: None,
            now: Attribute::new(chart.clone(), "aria-valuenow"),
            said: Attribute::new(chart.clone(), "aria-valuetext"),
            note: Text::find(root, "#cost-count-note")?,
            at: Text::find(root, "#cost-at")?,
            crossings: View::find(root, "#cost-crossings")?,
            layers: Layers::new(root)?,
            letters: Symbols::new(root.find("#cost-letters")?),
            whole: [root.find("#cost-whole")?, root.find("#cost-held")?],
            details: root.find("#cost-as-table")?,
            table: View::find(root, "#cost-as-table .table")?,
            is_table_stale: true,
            chart,
        })
    }

    /// Returns the data of the chart.
    pub(super) fn source<'a>(
        &'a self,
        shown: &'a Shown,
        measured: &'a [Benchmark],
    ) -> GrowthSource<'a> {
        GrowthSource {
            choice: &self.choice,
            setting: &shown.setting,
            measured,
            length: shown.lengths.0,
            language: shown.language,
        }
    }

    /// Fonts have changed.
    pub(super) fn restyle(&mut self) {
        self.pen.set_family(text_measurer::family_of(&self.chart));
        self.drawing = None;
    }

    /// Takes how wide the chart is; whether that is another width.
    pub(super) fn measure(&mut self) -> bool {
        let width = f64::from(self.chart.client_width());
        std::mem::replace(&mut self.width, width) != width
    }

    /// Updates the curves of a setting, and its measured times.
    pub(super) fn update(&mut self, shown: &Shown, measured: &[Benchmark]) {
        if self.width <= 0.0 {
            self.measure();
        }
        if self.width <= 0.0 {
            return;
        }
        let size = (
            self.width,
            (self.width * ASPECT).clamp(HEIGHTS.0, HEIGHTS.1),
        );
        let source = self.source(shown, measured);
        let chart = GrowthChart::new(&source, size, &|text, size| self.pen.measure(text, size));
        let markup = markup(&chart, self.width);
        if self
            .drawing
            .as_ref()
            .is_none_or(|(_, before)| *before != markup)
        {
            self.chart.set_inner_html(&markup);
            self.crossings
                .update(views::crossings(&chart, shown.language));
            self.is_table_stale = true;
        }
        self.drawing = Some((chart, markup));
        self.note.set_text(
            match self.choice.measure {
                Measure::Flops => Key::CostCountFlopsNote,
                Measure::Leading => Key::CostCountLeadingNote,
                Measure::Memory => Key::CostCountMemoryNote,
            }
            .text(shown.language),
        );
        let wanted = [Measure::Flops, Measure::Memory];
        for (formula, measure) in self.whole.iter().zip(wanted) {
            dom::set_flag(formula, "hidden", self.choice.measure != measure);
        }
        self.say_letters(shown);
        self.read(shown);
        self.show_table(shown);
    }

    /// Shows the values where the curves are read.
    fn read(&mut self, shown: &Shown) {
        let Some((drawing, _)) = &self.drawing else {
            return;
        };
        let (choice, n) = (&self.choice, self.reading);
        if let Ok(Some(reading)) = self.chart.query_selector(".reading") {
            let shapes = drawing.reading(&self.source(shown, &[]), n);
            reading.set_inner_html(&svg::on_page(&shapes));
        }
        self.layers
            .update(choice, &shown.setting, n, shown.language);
        let written_n = format!("{n:.0}");
        let at = text::cost_at(shown.language, &written_n);
        let mut said = at.clone();
        for line in &drawing.lines {
            if let Some(value) = choice.value(*line, n, &shown.setting) {
                let value = written(choice.measure, value);
                let _ = write!(said, "; {} {value}", line.name(shown.language));
            }
        }
        self.at.set_text(&at);
        self.now.set(&written_n);
        self.said.set(&said);
    }

    fn say_letters(&mut self, shown: &Shown) {
        let dims = &shown.setting.dims;
        self.letters.set_text(&text::cost_letters(
            shown.language,
            &dims.heads,
            &dims.d_model,
            &dims.d_k,
            &dims.window,
            &dims.stride,
            &dims.projected,
            &dims.kernel,
        ));
    }

    /// Writes the table if it is open and out of date.
    fn show_table(&mut self, shown: &Shown) {
        let Some((drawing, _)) = self.drawing.as_ref().filter(|_| self.is_table_stale) else {
            return;
        };
        if !self.details.open() {
            return;
        }
        self.is_table_stale = false;
        let table = drawing.table(&self.source(shown, &[]));
        self.table.update(views::growth_table(&table));
    }

    /// Reads at the place under the pointer.
    fn point(&mut self, x: f64) {
        let drawing = self.drawing.as_ref();
        if let Some(n) = drawing.and_then(|(chart, _)| chart.layout.x_at(x)) {
            self.reading = n.round();
        }
    }

    /// Reads where a key leads; `false` for a key that leads nowhere.
    fn step(&mut self, key: &str) -> bool {
        let to = reading_after(self.reading, key);
        self.reading = to.unwrap_or(self.reading);
        to.is_some()
    }
}

/// SVG of the chart, with a group for the marks of the reading.
fn markup(chart: &GrowthChart, width: f64) -> String {
    let shapes = svg::on_page(&chart.shapes);
    svg::element(
        (width, chart.layout.height + 0.5 * SIZE),
        &format!("{shapes}<g class=\"reading\"></g>"),
    )
}

/// Listens to the toggles, the choice of measure, and hovering by mouse and keyboard.
pub(super) fn listen(root: &Root, back: &Back) -> Result<Vec<Listener>, MissingPart> {
    let chart: HtmlElement = root.find("#cost-chart")?;
    let growth: Element = root.find(".cost-growth")?;
    let details: Element = root.find("#cost-as-table")?;
    let (pointed, own) = (back.clone(), chart.clone());
    let point = move |event: web_sys::Event| {
        if let Ok(event) = event.dyn_into::<MouseEvent>() {
            let at = (f64::from(event.client_x()), f64::from(event.client_y()));
            let (x, _) = dom::place_in(&own, at);
            with(&pointed, |inner, shown| {
                inner.growth.point(x);
                inner.growth.read(shown);
            });
        }
    };
    let keyed = back.clone();
    let key = move |event: web_sys::Event| {
        let Ok(event) = event.dyn_into::<KeyboardEvent>() else {
            return;
        };
        with(&keyed, |inner, shown| {
            if inner.growth.step(&event.key()) {
                event.prevent_default();
                inner.growth.read(shown);
            }
        });
    };
    let (changed, toggled) = (back.clone(), back.clone());
    let change = move |event: web_sys::Event| {
        let input = event.target().and_then(|target| target.dyn_into().ok());
        if let Some(input) = input {
            with(&changed, |inner, shown| inner.choose(&input, shown));
        }
    };
    let toggle = move |_| {
        with(&toggled, |inner, shown| inner.growth.show_table(shown));
    };
    Ok(vec![
        Listener::new(&chart, "pointermove", point.clone()),
        Listener::new(&chart, "pointerdown", point),
        Listener::new(&chart, "keydown", key),
        Listener::new(&growth, "change", change),
        Listener::new(&details, "toggle", toggle),
    ])
}

/// Draws the chart again whenever it has another width, as when the panel is opened.
pub(super) fn watch(root: &Root, back: &Back) -> Result<Option<ResizeWatcher>, MissingPart> {
    let (chart, sized): (Element, Back) = (root.find("#cost-chart")?, back.clone());
    Ok(ResizeWatcher::new(&chart, move || {
        with(&sized, |inner, shown| {
            if inner.growth.measure() {
                let measured = inner.tries.fitting(&shown.setting);
                inner.growth.update(shown, measured);
            }
        });
    }))
}

impl Inner {
    /// A toggle or a radio button of the panel was changed.
    fn choose(&mut self, input: &HtmlInputElement, shown: &Shown) {
        let choice = &mut self.growth.choice;
        if let Some(layer) = layer_of(&input.value()) {
            choice.set(layer, input.checked());
        }
        if input.value() == views::PARTS_ID {
            choice.has_parts = input.checked();
        }
        choice.measure = match input.value().as_str() {
            "flops" => Measure::Flops,
            "leading" => Measure::Leading,
            "memory" => Measure::Memory,
            _ => choice.measure,
        };
        self.growth
            .update(shown, self.tries.fitting(&shown.setting));
    }
}

/// Runs `act` with the panel and its data.
fn with(back: &Back, act: impl FnOnce(&mut Inner, &Shown)) {
    let Some(inner) = back.upgrade() else { return };
    let Ok(mut inner) = inner.try_borrow_mut() else {
        return;
    };
    let Some(shown) = inner.shown.take() else {
        return;
    };
    act(&mut inner, &shown);
    inner.shown = Some(shown);
}
