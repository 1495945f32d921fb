//! Compares both backends on request.

wasm_chunks::chunk!("more");

use std::rc::Rc;

use web_sys::{Element, HtmlButtonElement};

use crate::bindings::Comparison;
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::language;
use crate::browser::view::View;
use app::i18n::{Key, Language, text};
use app::present::backend_status::reason;
use app::state::State;
use app::views::backend_comparison::backend_comparison;
use engine::Reason;
use engine::{GpuState, GpuStatus};

/// The button, and what came of it.
pub(crate) struct Compare {
    button: HtmlButtonElement,
    note: Text,
    result: Element,
    content: View,
    shown: Option<Compared>,
    _listener: Listener,
}

/// A comparison, and the state that it belongs to.
pub(crate) struct Compared {
    /// State that was compared.
    pub state: State,
    /// How far apart both are.
    pub comparison: Comparison,
    /// The query and the key where they are furthest apart.
    pub tokens: [String; 2],
}

impl Compare {
    pub(crate) fn new(root: &Root, compare: impl Fn() + 'static) -> Result<Self, MissingPart> {
        let button: HtmlButtonElement = root.find("#compare")?;
        let (own, compare) = (button.clone(), Rc::new(compare));
        let result: Element = root.find("#comparison")?;
        Ok(Self {
            note: Text::find(root, "#compare-note")?,
            content: View::new(result.clone()),
            result,
            shown: None,
            _listener: Listener::new(&button, "click", move |_| {
                if !own.has_attribute("aria-disabled") {
                    compare();
                }
            }),
            button,
        })
    }

    /// Enables the button if there is a second backend, and otherwise explains why not. `shown` is
    /// the reason that is already displayed above it.
    pub(crate) fn allow(&mut self, shown: Option<&Reason>, status: &GpuStatus, language: Language) {
        let why = match status.state {
            GpuState::Ready => None,
            GpuState::Checking => Some(&Reason::Checking),
            GpuState::Absent | GpuState::Lost => status.reason.as_ref(),
        };
        let why = match why {
            _ if status.state == GpuState::Ready => String::new(),
            Some(why) if Some(why) != shown => reason(language, why),
            _ => Key::CompareNeedsBoth.text(language).to_owned(),
        };
        self.note.set_text(&why);
        self.button.set_disabled(!why.is_empty());
        if let Some(compared) = self.shown.take() {
            self.update(compared, language);
        }
    }

    /// Shows that a comparison is running. The button keeps the focus, and does nothing.
    pub(crate) fn start(&mut self, language: Language) {
        self.forget();
        self.note.set_text("");
        dom::set(&self.button, "aria-disabled", "true");
        language::bind(&self.button, Key::Comparing, language);
    }

    /// The comparison has ended.
    pub(crate) fn end(&mut self, language: Language) {
        dom::set_flag(&self.button, "aria-disabled", false);
        language::bind(&self.button, Key::Compare, language);
    }

    /// Shows what came.
    pub(crate) fn update(&mut self, compared: Compared, language: Language) {
        let of = &compared.comparison;
        dom::set_flag(&self.result, "data-beyond", of.difference > of.allowed);
        self.content
            .update(backend_comparison(of, &compared.tokens, language));
        dom::set_flag(&self.result, "hidden", false);
        self.shown = Some(compared);
    }

    /// Says why nothing came.
    pub(crate) fn refuse(&mut self, cause: &str, language: Language) {
        self.note.set_text(&text::compare_refused(language, &cause));
    }

    /// Removes a comparison of another state.
    pub(crate) fn keep_only(&mut self, is_of: impl Fn(&State) -> bool) {
        if self
            .shown
            .as_ref()
            .is_some_and(|shown| !is_of(&shown.state))
        {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.shown = None;
        dom::set_flag(&self.result, "hidden", true);
    }
}
