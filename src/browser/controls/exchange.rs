//! Words of the sentence that can be exchanged where a model has learned, and why it cannot read a text.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlSelectElement};

use super::Control;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use crate::browser::view::View;
use app::i18n::Language;
use app::present::address_history::Change;
use app::present::learned;
use app::state::{Action, Field, State, Value};
use app::views::learned as views;
/// The menus on words of the sentence, and the line below it.
pub(super) struct Exchange {
    page: Element,
    place: Element,
    words: View,
    problem: Text,
    problem_place: Element,
    text: Rc<RefCell<String>>,
    _listener: Listener,
}

impl Exchange {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let words = View::find(root, "#exchange")?;
        let place: Element = root.find("#exchange")?;
        let text = Rc::new(RefCell::new(String::new()));
        let (exchanging, current) = (sender.clone(), Rc::clone(&text));
        let exchange = move |chosen: &str| {
            let (at, other) = chosen.split_once(':')?;
            let other = learned::exchanged(&current.borrow(), at.parse().ok()?, other)?;
            exchanging.act(Action::Set(Field::Text, Value::Text(other)), Change::Commit);
            Some(())
        };
        Ok(Self {
            _listener: Listener::new(&place, "change", move |event| {
                let menu = event.target();
                let menu = menu.and_then(|menu| menu.dyn_into::<HtmlSelectElement>().ok());
                menu.and_then(|menu| exchange(&menu.value()));
            }),
            page: root.find(".page")?,
            place,
            words,
            problem: Text::find(root, "#learned-problem")?,
            problem_place: root.find("#learned-problem")?,
            text,
        })
    }
}

impl Control for Exchange {
    fn update(&mut self, state: &State) {
        let language = state.language.unwrap_or(Language::En);
        self.text.borrow_mut().clone_from(&state.text);
        let words = learned::exchangeable(state);
        dom::set_flag(&self.place, "hidden", words.is_empty());
        self.words
            .update(views::exchange(&state.text, &words, language));
        dom::set_flag(&self.page, "data-unfinished", !learned::is_readable(state));
        let problem = learned::lasting_problem(state, language);
        dom::set_flag(&self.problem_place, "hidden", problem.is_none());
        self.problem.set_text(&problem.unwrap_or_default());
    }
}
