//! The key with the most weight for each token; choosing a line selects its row.

use std::rc::Rc;

use web_sys::{Element, HtmlElement};

use super::keyed_list::{Row, Rows};
use super::row_summary::{Look, look};
use crate::browser::dom::{self, Attribute, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::i18n::number::CellStyle;
use crate::i18n::{Key, Language};
use crate::present::run::Run;

/// Lines that there is room for; longer sentences show those around the selected row.
const MOST: usize = 32;
const STYLE: CellStyle = CellStyle {
    decimals: 2,
    leading_zero: false,
};

/// The list of lines.
pub(crate) struct TopKeys {
    rows: Rows<Line>,
    choose: Rc<dyn Fn(usize)>,
}

struct Line {
    item: Element,
    button: HtmlElement,
    query: Text,
    key: Text,
    weight: Text,
    pressed: Attribute,
    row: Attribute,
    listener: Option<Listener>,
}

impl Row for Line {
    fn make(parent: &Element, _: usize) -> Option<Self> {
        let item: Element = dom::append(parent, "li", "")?;
        let button: HtmlElement = dom::append(&item, "button", "")?;
        dom::set(&button, "type", "button");
        let query: Element = dom::append(&button, "span", "is-query-text")?;
        let key: Element = dom::append(&button, "span", "is-key-text")?;
        let weight: Element = dom::append(&button, "span", "value")?;
        Some(Self {
            query: Text::new(query),
            key: Text::new(key),
            weight: Text::new(weight),
            pressed: Attribute::new(button.clone(), "aria-pressed"),
            row: Attribute::new(button.clone(), "data-row"),
            listener: None,
            item,
            button,
        })
    }

    fn element(&self) -> &Element {
        &self.item
    }
}

impl TopKeys {
    /// `choose` is called with the row whose line is pressed.
    pub(crate) fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        Ok(Self {
            rows: Rows::new(root.find("#most")?),
            choose: Rc::new(choose),
        })
    }

    /// Shows a line per query of one head.
    pub(crate) fn update(&mut self, run: &Run, head: usize, selected: usize, language: Language) {
        let first = first_line(run.queries.len(), selected);
        let lines = self.rows.take(run.queries.len().min(MOST));
        for (line, query) in lines.iter_mut().zip(first..) {
            line.listen(&self.choose);
            line.update(run, head, query, language);
            line.pressed
                .set(if selected == query { "true" } else { "false" });
        }
    }
}

/// The first of the lines shown, so that `selected` is among them.
fn first_line(queries: usize, selected: usize) -> usize {
    let last = queries.saturating_sub(MOST);
    selected.saturating_sub(MOST / 2).min(last)
}

impl Line {
    fn update(&mut self, run: &Run, head: usize, query: usize, language: Language) {
        let token = |tokens: &[String], at: usize| tokens.get(at).cloned().unwrap_or_default();
        self.row.set(&query.to_string());
        self.query.set_text(&token(&run.queries, query));
        let (key, weight) = match run.most(head, query) {
            // Of equal weights the first is no more looked at than the last.
            Some(_) if matches!(look(run, head, query), Look::Evenly) => {
                (String::new(), Key::LooksEvenly.text(language).to_owned())
            }
            Some((key, weight)) => {
                let key = token(&run.keys, key);
                (format!("→ {key}"), STYLE.write(weight))
            }
            None => (String::new(), Key::LooksNowhere.text(language).to_owned()),
        };
        self.key.set_text(&key);
        self.weight.set_text(&weight);
    }

    fn listen(&mut self, choose: &Rc<dyn Fn(usize)>) {
        if self.listener.is_some() {
            return;
        }
        let (choose, button) = (Rc::clone(choose), self.button.clone());
        self.listener = Some(Listener::new(&self.button, "click", move |_| {
            let row = button
                .get_attribute("data-row")
                .and_then(|row| row.parse().ok());
            row.into_iter().for_each(|row| choose(row));
        }));
    }
}
