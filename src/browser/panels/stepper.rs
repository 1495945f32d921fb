//! Buttons that move through a list, by hand or by a timer that runs only while it plays.

use std::rc::Rc;

use web_sys::{Element, MediaQueryList, Window};

use crate::browser::activity::{Activity, Pending};
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::environment::reduced_motion;
use crate::browser::event_listener::Listener;
use crate::browser::timer::Timer;
use app::i18n::{Key, Language, text};

/// Where to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepNavigation {
    /// One back.
    Previous,
    /// One on.
    Next,
    /// One step forward, triggered by the timer.
    Tick,
    /// Begins to play, or pauses.
    Play,
}

/// The three buttons, and where they stand.
pub(super) struct Stepper {
    window: Window,
    activity: Activity,
    /// Whether the visitor wants nothing to move by itself.
    still: Option<MediaQueryList>,
    play: Element,
    ends: [Element; 2],
    name: Text,
    at: Text,
    pace_ms: i32,
    timer: Option<(Timer, Pending)>,
    act: Rc<dyn Fn(StepNavigation)>,
    _listeners: Vec<Listener>,
}

impl Stepper {
    /// The buttons `#NAME-previous`, `#NAME-play` and `#NAME-next`, and the text `#NAME-at`; `act`
    /// is called with the step to go to.
    pub(super) fn new(
        root: &Root,
        name: &str,
        pace_ms: i32,
        act: Rc<dyn Fn(StepNavigation)>,
    ) -> Result<Self, MissingPart> {
        let window = root.document().and_then(|document| document.default_view());
        let window = window.ok_or_else(|| MissingPart::new("window"))?;
        let button = |part: &str| root.find::<Element>(&format!("#{name}-{part}"));
        let (previous, play, next) = (button("previous")?, button("play")?, button("next")?);
        let moves = [
            (&previous, StepNavigation::Previous),
            (&play, StepNavigation::Play),
            (&next, StepNavigation::Next),
        ];
        let listeners = moves.map(|(button, to)| {
            let act = Rc::clone(&act);
            Listener::new(button, "click", move |_| act(to))
        });
        Ok(Self {
            still: reduced_motion(&window),
            ends: [previous, next],
            name: Text::new(play.clone()),
            at: Text::find(root, &format!("#{name}-at"))?,
            window,
            activity: root.activity().clone(),
            play,
            pace_ms,
            timer: None,
            act,
            _listeners: listeners.into(),
        })
    }

    /// Shows that thing number `at` of `count` is looked at, where `first` is the number of the first. Where nothing may
    /// move by itself there is nothing to play.
    pub(super) fn update(&mut self, at: usize, first: usize, count: usize, language: Language) {
        let is_still = self.still.as_ref().is_some_and(MediaQueryList::matches);
        if is_still {
            self.pause();
        }
        dom::set_flag(&self.play, "hidden", is_still);
        // It has two names, so no change of language may bring the first one back.
        dom::set_flag(&self.play, "data-t", false);
        let name = if self.is_playing() {
            Key::PlayerPause
        } else {
            Key::PlayerPlay
        };
        self.name.set_text(name.text(language));
        let is_end = [at <= first, at >= count];
        for (end, is_end) in self.ends.iter().zip(is_end) {
            mark_end(end, is_end);
        }
        self.at.set_text(&text::player_at(language, &at, &count));
    }

    /// Whether it is playing.
    pub(super) fn is_playing(&self) -> bool {
        self.timer.is_some()
    }

    /// Starts playing.
    pub(super) fn play(&mut self) {
        let act = Rc::clone(&self.act);
        let tick = move || act(StepNavigation::Tick);
        let timer = Timer::new(&self.window, self.pace_ms, tick);
        self.timer = timer.map(|timer| (timer, self.activity.begin()));
    }

    /// Stays where it is.
    pub(super) fn pause(&mut self) {
        self.timer = None;
    }
}

/// Shows that a button leads nowhere. It can still have the focus, which would be lost with a disabled one.
pub(super) fn mark_end(button: &Element, is_end: bool) {
    if is_end == button.has_attribute("aria-disabled") {
        return;
    }
    if is_end {
        dom::set(button, "aria-disabled", "true")
    } else {
        dom::set_flag(button, "aria-disabled", false)
    }
}
