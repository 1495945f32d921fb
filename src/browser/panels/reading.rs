//! The chosen row and its head beside the map: in a line, as bars, in numbers, and among the other rows.

use web_sys::Element;

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::view::View;
use app::present::reading::{Measures, largest, left_out, top_keys};
use app::present::row_numbers::RowNumbers;
use app::present::{learned, names, reading, roles};
use app::state::steps::begins_with_queries;
use app::views::learned as answers;
use app::views::reading as views;
use attention::analysis::Places;

/// Texts about row and head.
pub(crate) struct Reading {
    title: Text,
    row: View,
    head: Text,
    /// Answer of a learned model at the row.
    answer: View,
    /// Where its weights come from.
    note: Text,
    bars: View,
    rest: Text,
    measures: Vec<Text>,
    /// Texts that make sense only if the keys are the queries' own tokens.
    of_places: Group,
    /// Measures of the weights, hidden while another step is on the large map.
    of_weights: Group,
    top_keys: View,
    _listeners: [Listener; 2],
}

impl Reading {
    /// `choose` is called with the row whose line is pressed, and `switch` where the head is to be switched off or on.
    pub(crate) fn new(
        root: &Root,
        choose: impl Fn(usize) + 'static,
        switch: impl Fn(usize) + 'static,
    ) -> Result<Self, MissingPart> {
        let answer = View::find(root, "#learned-answer")?;
        let top_keys = View::find(root, "#most")?;
        let measures = views::MEASURES.map(|selector| Text::find(root, selector));
        Ok(Self {
            title: {
                let title: Element = root.find("#reading-title")?;
                // It names the token, so no change of language may bring the first text back.
                dom::set_flag(&title, "data-t", false);
                Text::new(title)
            },
            row: View::find(root, "#story")?,
            head: Text::find(root, "#story-head")?,
            note: Text::find(root, "#learned-note")?,
            bars: View::find(root, "#bars")?,
            rest: Text::find(root, "#bars-rest")?,
            measures: measures.into_iter().collect::<Result<_, _>>()?,
            of_places: Group::new(root, ".reading .of-places"),
            of_weights: Group::new(root, ".reading .of-weights"),
            _listeners: [
                top_keys.on("click", "data-row", choose),
                answer.on("click", "data-switch-head", switch),
            ],
            answer,
            top_keys,
        })
    }

    pub(crate) fn update(&mut self, context: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            row,
            language,
            ..
        } = *context;
        // Where the rows of the map are no queries, the one that is read stands elsewhere.
        let of_map = match context.pointed.query {
            Some(pointed) if !begins_with_queries(context.displayed.step) => pointed,
            _ => row,
        };
        let numbers = RowNumbers::new(context.displayed, of_map, language);
        let is_of_weights = numbers.is_none();
        self.title
            .set_text(&reading::title(run, is_of_weights.then_some(row), language));
        match &numbers {
            Some(numbers) => self.show_numbers(numbers, context.pointed.key),
            None => self.show_weights(context),
        }
        if run.learned().is_some() {
            let answer = learned::answer(run, head, context.is_head_off, language);
            self.answer.update(answers::answer(answer.as_ref()));
            self.note.set_text(&learned::note(&run.state, language));
        }
        let lines = top_keys(run, head, row, language);
        self.top_keys.update(views::top_keys(&lines, row));
        self.of_places.set_shown(run.places() == Places::Same);
        self.of_weights.set_shown(numbers.is_none());
    }

    /// Shows the row of the weights, and the measures of its head.
    fn show_weights(&mut self, context: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            row,
            language,
            ..
        } = *context;
        let role = roles::caption(run, head, language);
        self.head
            .set_text(&role.unwrap_or_else(|| names::head(run, head, language)));
        self.row.update(views::row(run, head, row, language));
        let column = context.pointed.key.filter(|_| context.displayed.is_pairs());
        let list = largest(run, head, row);
        self.bars.update(views::bars(&list.bars, run, column));
        self.rest.set_text(&left_out(&list, language));
        if let Some(measures) = Measures::new(run, head, row, language) {
            for (text, measure) in self.measures.iter_mut().zip(&measures.0) {
                text.set_text(measure);
            }
        }
    }

    /// The row of another step.
    fn show_numbers(&mut self, numbers: &RowNumbers, column: Option<usize>) {
        self.head.set_text(numbers.axis);
        self.row.update(views::number_row(numbers));
        self.bars.update(views::number_bars(&numbers.lines, column));
        self.rest.set_text(&numbers.rest);
    }
}

/// Elements that come and go together.
struct Group {
    elements: Vec<Element>,
    is_shown: Option<bool>,
}

impl Group {
    fn new(root: &Root, selector: &str) -> Self {
        Self {
            elements: root.all(selector),
            is_shown: None,
        }
    }

    fn set_shown(&mut self, is_shown: bool) {
        if self.is_shown.replace(is_shown) != Some(is_shown) {
            for element in &self.elements {
                dom::set_flag(element, "hidden", !is_shown);
            }
        }
    }
}
