//! The chosen row and its head beside the map: in a line, as bars, in numbers, and among the other rows.

use web_sys::Element;

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::view::View;
use crate::present::reading::{largest, left_out, measures, top_keys};
use crate::present::{names, notice_text};
use crate::views::reading as views;
use attention::analysis::Places;

const MEASURES: [&str; 5] = [
    "#entropy",
    "#entropy-share",
    "#self-weight",
    "#diagonal",
    "#off-diagonal",
];

/// What is said of row and head.
pub(crate) struct Reading {
    row: View,
    head: Text,
    bars: View,
    rest: Text,
    measures: Vec<Text>,
    /// What says something only where keys are the queries' own tokens.
    of_places: Vec<Element>,
    are_places: Option<bool>,
    top_keys: View,
    _listener: Listener,
}

impl Reading {
    /// `choose` is called with the row whose line is pressed.
    pub(crate) fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        let top_keys = View::find(root, "#most")?;
        let measures = MEASURES.map(|selector| Text::find(root, selector));
        Ok(Self {
            row: View::find(root, "#story")?,
            head: Text::find(root, "#story-head")?,
            bars: View::find(root, "#bars")?,
            rest: Text::find(root, "#bars-rest")?,
            measures: measures.into_iter().collect::<Result<_, _>>()?,
            of_places: root.all(".reading .of-places"),
            are_places: None,
            _listener: top_keys.on("click", "data-row", choose),
            top_keys,
        })
    }

    pub(crate) fn update(&mut self, sight: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            row,
            language,
            ..
        } = *sight;
        let role = notice_text::head_role(language, &run.state, head);
        self.head
            .set_text(&role.unwrap_or_else(|| names::head(&run.state, head, language)));
        self.row.update(views::row(run, head, row, language));
        let column = sight.pointed.key.filter(|_| sight.exhibit.is_pairs());
        let list = largest(run, head, row);
        self.bars.update(views::bars(&list.bars, run, column));
        self.rest.set_text(&left_out(&list, language));
        let lines = top_keys(run, head, row, language);
        self.top_keys.update(views::top_keys(&lines, row));
        for (text, measure) in
            (self.measures.iter_mut()).zip(measures(run, head, row, language).iter().flatten())
        {
            text.set_text(measure);
        }
        self.show_places(run.places() == Places::Same);
    }

    fn show_places(&mut self, are_places: bool) {
        if self.are_places.replace(are_places) != Some(are_places) {
            for part in &self.of_places {
                dom::set_flag(part, "hidden", !are_places);
            }
        }
    }
}
