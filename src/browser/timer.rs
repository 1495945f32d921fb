//! Repeating timers and deadlines, cancelled when dropped.

use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageChannel, Performance, Window};

use super::activity::{Activity, Pending};
use super::dom::{MissingPart, Root};
use super::sender::Sender;
use app::Message;
use app::present::panel::PanelEvent;
use app::state::Panel;

/// A running timer; dropping it stops it.
pub(super) struct Timer {
    window: Window,
    id: i32,
    _call: Closure<dyn FnMut()>,
}

impl Timer {
    /// Calls `call` every `milliseconds`; `None` where the window refuses.
    pub(super) fn new(
        window: &Window,
        milliseconds: i32,
        call: impl FnMut() + 'static,
    ) -> Option<Self> {
        let call = Closure::<dyn FnMut()>::new(call);
        let id = window
            .set_interval_with_callback_and_timeout_and_arguments_0(
                call.as_ref().unchecked_ref(),
                milliseconds,
            )
            .ok()?;
        Some(Self {
            window: window.clone(),
            id,
            _call: call,
        })
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.window.clear_interval_with_handle(self.id);
    }
}

/// A message that is repeated while something works or plays.
pub(super) struct Ticks {
    window: Window,
    activity: Activity,
    send: Rc<dyn Fn()>,
    work: Option<(Timer, Pending)>,
}

impl Ticks {
    /// Those of a panel.
    pub(super) fn new(root: &Root, panel: Panel, sender: &Sender) -> Result<Self, MissingPart> {
        let sender = sender.clone();
        let tick = move || sender.send(Message::Panel(panel, PanelEvent::Tick));
        Self::of(root, tick)
    }

    /// Those that `send` something else.
    pub(super) fn of(root: &Root, send: impl Fn() + 'static) -> Result<Self, MissingPart> {
        let window = root.document().and_then(|document| document.default_view());
        Ok(Self {
            window: window.ok_or_else(|| MissingPart::new("window"))?,
            activity: root.activity().clone(),
            send: Rc::new(send),
            work: None,
        })
    }

    /// Sends ticks at an interval in milliseconds from now on; none without one.
    pub(super) fn set(&mut self, interval: Option<i32>) {
        let send = Rc::clone(&self.send);
        let tick = move || send();
        let timer = interval.and_then(|interval| Timer::new(&self.window, interval, tick));
        // Begun before what was there ends, so that the page is not idle between them.
        self.work = timer.map(|timer| (timer, self.activity.begin()));
    }
}

/// The time, in milliseconds since the page was opened; always the same where the browser does not tell it.
pub(super) fn now(window: &Window) -> f64 {
    window
        .performance()
        .map_or(0.0, |performance| performance.now())
}

/// A time limit for some work.
pub(super) struct Deadline(Option<(Performance, f64)>);

impl Deadline {
    /// In so many milliseconds; `None` is never.
    pub(super) fn new(window: &Window, milliseconds: Option<f64>) -> Self {
        let end = |milliseconds: f64| {
            let performance = window.performance()?;
            let end = performance.now() + milliseconds;
            Some((performance, end))
        };
        Self(milliseconds.and_then(end))
    }

    /// Whether it has come.
    pub(super) fn is_over(&self) -> bool {
        let own = self.0.as_ref();
        own.is_some_and(|(performance, end)| performance.now() >= *end)
    }
}

/// Waits; not at all where the window gives no timer.
pub(super) async fn sleep(window: &Window, milliseconds: i32) {
    let set = |resolve: Function, _| {
        let _ =
            window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
    };
    // A promise that a timer resolves is never rejected.
    let _ = JsFuture::from(Promise::new(&mut { set })).await;
}

/// Lets everything go first that waits for this thread; not at all where the browser has no channel for that. Timers would
/// come once a second while the page is not in sight.
pub(super) async fn yield_now() {
    let Ok(channel) = MessageChannel::new() else {
        return;
    };
    let came = Promise::new(&mut |resolve, _| channel.port1().set_onmessage(Some(&resolve)));
    if channel.port2().post_message(&JsValue::NULL).is_ok() {
        // A promise that a message resolves is never rejected.
        let _ = JsFuture::from(came).await;
    }
    channel.port1().close();
}
