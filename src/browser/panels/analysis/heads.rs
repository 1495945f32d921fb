//! The table of all heads, sortable by any column.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{Element, HtmlElement};

use crate::browser::dom::{self, Attribute, MissingPart, Property, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::language;
use crate::browser::panels::keyed_list::{Row, Rows};
use crate::i18n::{Language, text};
use crate::present::findings::Findings;
use crate::present::head_patterns::{Scene, label};
use crate::present::head_table::{Column, order, value};
use crate::present::names;
use crate::present::run::Run;
use attention::analysis::Places;

/// Stands where there is no number.
const NONE: &str = "–";
/// Columns after that of the heads themselves.
const OTHERS: usize = Column::ALL.len() - 1;

/// The table. It sorts itself, so what it was shown last is kept.
pub(super) struct HeadTable(Rc<RefCell<Inner>>);

struct Inner {
    headers: Vec<Header>,
    lines: Rows<Line>,
    by: (Column, bool),
    places: Option<Places>,
    shown: Vec<Shown>,
    defined: HtmlElement,
    definition: HtmlElement,
    language: Language,
    choose: Rc<dyn Fn(usize)>,
    _listeners: Vec<Listener>,
}

/// What stands above a column.
struct Header {
    element: Element,
    order: Attribute,
    /// Unit and range of what stands below.
    range: Text,
}

/// What a head's line says.
struct Shown {
    name: String,
    is_chosen: bool,
    /// For sorting, one for each column.
    values: Vec<Option<f64>>,
    /// The words and the share of its range for each column after the first.
    cells: Vec<(String, f64)>,
}

struct Line {
    row: HtmlElement,
    name: Text,
    pressed: Attribute,
    head: Attribute,
    cells: Vec<LineCell>,
    listener: Option<Listener>,
}

struct LineCell {
    element: Element,
    text: Text,
    share: Property,
}

impl Row for Line {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let row: HtmlElement = dom::append(parent, "tr", "")?;
        let header: Element = dom::append(&row, "th", "")?;
        dom::set(&header, "scope", "row");
        let button: Element = dom::append(&header, "button", "")?;
        dom::set(&button, "type", "button");
        let cell = |_| {
            let cell: Element = dom::append(&row, "td", "")?;
            let text: Element = dom::append(&cell, "span", "")?;
            Some(LineCell {
                text: Text::new(text),
                share: Property::new(cell.clone(), "--share"),
                element: cell,
            })
        };
        let cells: Option<Vec<_>> = (0..OTHERS).map(cell).collect();
        Some(Self {
            pressed: Attribute::new(button.clone(), "aria-pressed"),
            name: Text::new(button),
            head: Attribute::new(row.clone(), "data-head"),
            cells: cells?,
            listener: None,
            row,
        })
    }

    fn element(&self) -> &Element {
        &self.row
    }
}

impl HeadTable {
    /// `choose` is called with the head whose line is pressed.
    pub(super) fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        let headers: Vec<Element> = root.all("#analysis-heads thead th");
        let inner = Rc::new(RefCell::new(Inner {
            headers: headers.iter().filter_map(Header::of).collect(),
            lines: Rows::new(root.find("#analysis-heads tbody")?),
            by: (Column::Head, false),
            places: None,
            shown: Vec::new(),
            defined: root.find("#analysis-defined")?,
            definition: root.find("#analysis-definition")?,
            language: Language::default(),
            choose: Rc::new(choose),
            _listeners: Vec::new(),
        }));
        let listeners = headers
            .iter()
            .zip(Column::ALL)
            .flat_map(|(header, column)| {
                let on = |event, act: fn(&mut Inner, Column)| {
                    let inner = Rc::downgrade(&inner);
                    Listener::capturing(header, event, move |_| {
                        if let Some(inner) = inner.upgrade()
                            && let Ok(mut inner) = inner.try_borrow_mut()
                        {
                            act(&mut inner, column);
                        }
                    })
                };
                [
                    on("click", Inner::sort),
                    on("focus", Inner::define),
                    on("pointerenter", Inner::define),
                ]
            });
        let listeners = listeners.collect();
        inner.borrow_mut()._listeners = listeners;
        Ok(Self(inner))
    }

    pub(super) fn update(
        &mut self,
        run: &Run,
        findings: &Findings,
        chosen: usize,
        scene: Scene<'_>,
        language: Language,
    ) {
        let Ok(mut inner) = self.0.try_borrow_mut() else {
            return;
        };
        inner.language = language;
        inner.shown = (0..run.heads())
            .map(|head| Shown::new(run, findings, (head, chosen), scene, language))
            .collect();
        inner.hide_columns(findings.places);
        for (header, column) in inner.headers.iter_mut().zip(Column::ALL) {
            header.range.set_text(&range(column, findings, language));
        }
        inner.write();
    }
}

impl Inner {
    /// Sorts by `column`, or the other way round where it is sorted by it already.
    fn sort(&mut self, column: Column) {
        let (by, is_descending) = self.by;
        self.by = if by == column {
            (column, !is_descending)
        } else {
            (column, !column.begins_small())
        };
        self.define(column);
        self.write();
    }

    /// Says what a column means.
    fn define(&mut self, column: Column) {
        language::bind(&self.defined, column.title(), self.language);
        language::bind(&self.definition, column.meaning(), self.language);
    }

    /// Takes columns away that say nothing here.
    fn hide_columns(&mut self, places: Places) {
        if self.places.replace(places) != Some(places) {
            for (header, column) in self.headers.iter().zip(Column::ALL) {
                dom::set_flag(&header.element, "hidden", !column.says_something(places));
            }
        }
        if !self.by.0.says_something(places) {
            self.by = (Column::Head, false);
        }
    }

    fn write(&mut self) {
        let (by, is_descending) = self.by;
        for (header, column) in self.headers.iter_mut().zip(Column::ALL) {
            header.order.set(match (column == by, is_descending) {
                (false, _) => "none",
                (true, false) => "ascending",
                (true, true) => "descending",
            });
        }
        let at = Column::ALL.iter().position(|column| *column == by);
        let value = |shown: &Shown| at.and_then(|at| shown.values.get(at).copied().flatten());
        let values: Vec<Option<f64>> = self.shown.iter().map(value).collect();
        let order = order(&values, is_descending);
        let places = self.places.unwrap_or(Places::Same);
        for (line, head) in self.lines.take(order.len()).iter_mut().zip(order) {
            line.listen(&self.choose);
            line.update(head, &self.shown[head], places);
        }
    }
}

impl Header {
    fn of(element: &Element) -> Option<Self> {
        Some(Self {
            order: Attribute::new(element.clone(), "aria-sort"),
            range: Text::new(element.query_selector(".range").ok()??),
            element: element.clone(),
        })
    }
}

impl Shown {
    fn new(
        run: &Run,
        findings: &Findings,
        (head, chosen): (usize, usize),
        scene: Scene<'_>,
        language: Language,
    ) -> Self {
        let values: Vec<Option<f64>> = Column::ALL
            .map(|column| value(column, head, &run.reply.stats, findings))
            .to_vec();
        let cell = |(column, value): (&Column, &Option<f64>)| {
            let said = match (*column, *value) {
                (Column::Reading, _) => findings
                    .heads
                    .get(head)
                    .map_or_else(String::new, |found| label(language, &found.reading, scene)),
                (Column::Similar, _) => similar(findings, head, language),
                (column, Some(value)) => write(column, value),
                (_, None) => NONE.to_owned(),
            };
            (said, share(*column, *value, findings, head))
        };
        Self {
            name: names::head(&run.state, head, language),
            is_chosen: head == chosen,
            cells: Column::ALL.iter().zip(&values).skip(1).map(cell).collect(),
            values,
        }
    }
}

impl Line {
    fn update(&mut self, head: usize, shown: &Shown, places: Places) {
        self.head.set(&head.to_string());
        self.name.set_text(&shown.name);
        self.pressed
            .set(if shown.is_chosen { "true" } else { "false" });
        let columns = Column::ALL.iter().skip(1);
        for ((cell, column), (said, share)) in self.cells.iter_mut().zip(columns).zip(&shown.cells)
        {
            cell.text.set_text(said);
            cell.share.set(&format!("{share:.3}"));
            dom::set_flag(&cell.element, "hidden", !column.says_something(places));
        }
    }

    fn listen(&mut self, choose: &Rc<dyn Fn(usize)>) {
        if self.listener.is_some() {
            return;
        }
        let (choose, row) = (Rc::clone(choose), self.row.clone());
        self.listener = Some(Listener::new(&self.row, "click", move |_| {
            let head = row.get_attribute("data-head");
            let head = head.and_then(|head| head.parse().ok());
            head.into_iter().for_each(|head| choose(head));
        }));
    }
}

/// "0 … 2.40 nats".
fn range(column: Column, findings: &Findings, language: Language) -> String {
    match column {
        Column::Head | Column::Reading => String::new(),
        Column::Entropy => text::nats(language, &format!("0 … {:.2}", findings.largest_entropy())),
        Column::EntropyShare => "0 … 100 %".to_owned(),
        Column::Distance => text::analysis_tokens(language, &format!("0 … {}", farthest(findings))),
        _ => "0 … 1".to_owned(),
    }
}

/// The largest distance between two tokens.
fn farthest(findings: &Findings) -> usize {
    findings.visible.keys().saturating_sub(1)
}

fn write(column: Column, value: f64) -> String {
    match column {
        Column::EntropyShare => format!("{:.0} %", 100.0 * value),
        Column::Distance => format!("{value:.2}"),
        // A mean of a few nothings may come out below zero by a rounding error.
        _ => format!("{:.3}", value.max(0.0)),
    }
}

fn similar(findings: &Findings, head: usize, language: Language) -> String {
    let Some((other, alike)) = findings.similarity.nearest(head) else {
        return NONE.to_owned();
    };
    let (head, value) = (names::number(other, language), format!("{alike:.2}"));
    text::analysis_similar_value(language, &head, &value)
}

/// How much of its range a value takes; 0 where it has none to show.
fn share(column: Column, value: Option<f64>, findings: &Findings, head: usize) -> f64 {
    let value = value.unwrap_or(0.0);
    let share = match column {
        Column::Head | Column::Reading => 0.0,
        Column::Entropy => findings
            .heads
            .get(head)
            .and_then(|found| found.entropy_share)
            .unwrap_or(0.0),
        Column::Distance => value / farthest(findings).max(1) as f64,
        _ => value,
    };
    share.clamp(0.0, 1.0)
}
