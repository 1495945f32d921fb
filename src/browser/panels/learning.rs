//! How the model on the map has learned: below it, the loss of each step as the track of a slider, and a button that plays it.

use web_sys::{Element, HtmlElement};

use crate::browser::dom::{self, Attribute, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::sender::Sender;
use crate::browser::timer::Ticks;
use app::Message;
use app::i18n::{Key, Language};
use app::message::LearningAction;
use app::present::learned;
use engine::learned::LearnedStep;

/// The button, the curve and the sentence on the step.
pub(crate) struct Learning {
    watch: Element,
    named: Element,
    name: Text,
    losses: Attribute,
    at: Text,
    pub(crate) ticks: Ticks,
    _listeners: [Listener; 2],
}

impl Learning {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let (watch, lab): (Element, Element) = (root.find("#watch")?, root.find("#open-lab")?);
        let panel: HtmlElement = root.find("#open-training")?;
        let [watching, opening] = [sender.clone(), sender.clone()];
        let watched = Listener::new(&watch, "click", move |_| {
            watching.send(Message::Learning(LearningAction::Watch));
        });
        let opened = Listener::new(&lab, "click", move |_| {
            opening.send(Message::Learning(LearningAction::OpenLab));
            // The browser brings what has the focus into view.
            panel.focus().ok();
        });
        let named: Element = root.find("#watch-name")?;
        let ticking = sender.clone();
        let tick = move || ticking.send(Message::Learning(LearningAction::Tick));
        Ok(Self {
            name: Text::new(named.clone()),
            named,
            losses: Attribute::new(root.find::<Element>("#losses path")?, "d"),
            at: Text::find(root, "#learning-at")?,
            ticks: Ticks::of(root, tick)?,
            watch,
            _listeners: [watched, opened],
        })
    }

    /// Shows the steps that are known, and the one that is on the map.
    pub(crate) fn update(&mut self, history: &[LearnedStep], at: usize, language: Language) {
        self.losses.set(&learned::losses(history));
        self.at.set_text(&learned::step(history, at, language));
    }

    /// Shows whether it plays.
    pub(crate) fn show_playing(&mut self, is_playing: bool, language: Language) {
        dom::set_flag(&self.watch, "data-playing", is_playing);
        // It has two names, so no change of language may bring the first one back.
        dom::set_flag(&self.named, "data-t", false);
        let name = if is_playing {
            Key::WatchStop
        } else {
            Key::Watch
        };
        self.name.set_text(name.text(language));
    }
}
