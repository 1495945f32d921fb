//! A walk through the steps for one query token: its buttons, and the sentence on the step.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent};

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::sender::Sender;
use crate::browser::timer::Ticks;
use crate::browser::view::{View, nearest};
use app::i18n::{Key, Language};
use app::present::panel::PanelEvent;
use app::present::steps::Walk;
use app::state::Panel;
use app::state::steps::shown;
use app::views::symbols;

/// The buttons and the sentence.
pub(crate) struct Player {
    play: Element,
    name: Text,
    ends: [Element; 2],
    at: Text,
    says: View,
    pub(crate) ticks: Ticks,
    _listeners: [Listener; 2],
}

impl Player {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let [press, shortcut] = [(); 2].map(|()| sender.on_panel(Panel::Steps, PanelEvent::Press));
        let walk: Element = root.find("#walk")?;
        let play: Element = root.find("#player-play")?;
        let clicked = Listener::new(&walk, "click", move |event| {
            if let Some(name) = nearest(&event, "data-do") {
                press(name);
            }
        });
        let pressed = Listener::new(&walk, "keydown", move |event| {
            if event.dyn_ref().is_some_and(is_shortcut) {
                shortcut("play".to_owned());
            }
        });
        Ok(Self {
            name: Text::new(play.clone()),
            play,
            ends: [root.find("#player-previous")?, root.find("#player-next")?],
            at: Text::find(root, "#player-at")?,
            says: View::find(root, "#player-says")?,
            ticks: Ticks::new(root, Panel::Steps, sender)?,
            _listeners: [clicked, pressed],
        })
    }

    /// Shows the step on the map, and its effect on the chosen query.
    pub(crate) fn update(&mut self, context: &ViewContext<'_>) {
        let step = shown(context.state);
        let walk = Walk::new(context.run, step, context.row, context.language);
        self.says.update(symbols(&walk.says));
        self.at.set_text(&walk.at);
        for (end, is_end) in self.ends.iter().zip(walk.ends) {
            dom::mark_end(end, is_end);
        }
        dom::set_flag(&self.play, "hidden", context.is_motion_reduced);
        self.show_playing(context.is_playing, context.language);
    }

    /// Shows whether it goes on by itself.
    pub(crate) fn show_playing(&mut self, is_playing: bool, language: Language) {
        // It has two names, so no change of language may bring the first one back.
        dom::set_flag(&self.play, "data-t", false);
        let name = if is_playing {
            Key::PlayerPause
        } else {
            Key::WalkPlay
        };
        self.name.set_text(name.text(language));
    }
}

/// Whether a key that is pressed among the buttons plays or pauses.
fn is_shortcut(press: &KeyboardEvent) -> bool {
    let is_plain = !(press.ctrl_key() || press.meta_key() || press.alt_key());
    is_plain && press.key().eq_ignore_ascii_case("p")
}
