//! Drawn attention: a target that is painted, and descent towards it, some steps in each frame.

mod listeners;
mod work;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use model::fit::FitOptions;
use web_sys::{
    Element, HtmlButtonElement, HtmlInputElement, HtmlSelectElement, MediaQueryList, Window,
};

use super::stepper::mark_end;
use crate::browser::activity::{Activity, Pending};
use crate::browser::dom::{self, MissingPart, Root, Symbols, Text};
use crate::browser::environment::reduced_motion;
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelView;
use crate::browser::timer::Timer;
use crate::browser::view::View;
use app::i18n::{Key, Language};
use app::present::draw::lab::DrawLab;
use app::present::draw::pattern::Pattern;
use app::present::small_chart::chart_width;
use app::scene::colour::Lut;
use app::views::draw as views;
use listeners::listen;
use work::Work;

/// The panel.
pub(crate) struct Draw {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
}

struct Inner {
    window: Window,
    activity: Activity,
    still: Option<MediaQueryList>,
    back: Back,
    pattern: HtmlSelectElement,
    d_k: HtmlSelectElement,
    heads: HtmlSelectElement,
    positions: HtmlInputElement,
    find: HtmlButtonElement,
    find_name: Symbols,
    clear: Element,
    sweep: Element,
    sweep_name: Symbols,
    body: Element,
    chart_room: Element,
    cut: Text,
    found_name: Text,
    progress: Text,
    problem: Text,
    remaining: Symbols,
    target: View,
    found: View,
    reasons: View,
    charts: View,
    lab: Option<DrawLab>,
    /// The words of the page's sentence.
    tokens: Vec<String>,
    lut: Option<Lut>,
    language: Language,
    work: Option<(Work, Timer, Pending)>,
}

impl Draw {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        let window = root.document().and_then(|document| document.default_view());
        let window = window.ok_or_else(|| MissingPart::new("window"))?;
        let find: HtmlButtonElement = root.find("#draw-find")?;
        let inner = Inner {
            still: reduced_motion(&window),
            window,
            activity: root.activity().clone(),
            back: Weak::new(),
            pattern: root.find("#draw-pattern")?,
            d_k: root.find("#draw-d-k")?,
            heads: root.find("#draw-heads")?,
            positions: root.find("#draw-positions")?,
            find_name: Symbols::new(find.clone().into()),
            find,
            clear: root.find("#draw-clear")?,
            sweep: root.find("#draw-sweep")?,
            sweep_name: Symbols::new(root.find("#draw-sweep")?),
            body: root.find("#draw-lab")?,
            chart_room: root.find("#draw-charts")?,
            cut: Text::find(root, "#draw-cut")?,
            found_name: Text::find(root, "#draw-found-name")?,
            progress: Text::find(root, "#draw-progress")?,
            problem: Text::find(root, "#draw-problem")?,
            remaining: Symbols::new(root.find("#draw-remaining")?),
            target: View::find(root, "#draw-target")?,
            found: View::find(root, "#draw-found")?,
            reasons: View::find(root, "#draw-why")?,
            charts: View::find(root, "#draw-charts")?,
            lab: None,
            tokens: Vec::new(),
            lut: None,
            language: Language::En,
            work: None,
        };
        let inner = Rc::new(RefCell::new(inner));
        let back = Rc::downgrade(&inner);
        inner.borrow_mut().back = Weak::clone(&back);
        let listeners = listen(root, &inner.borrow(), &back)?;
        Ok(Self {
            inner,
            _listeners: listeners,
        })
    }
}

/// A way back to the panel for its own listeners.
type Back = Weak<RefCell<Inner>>;

fn with(back: &Back, act: impl FnOnce(&mut Inner)) {
    if let Some(inner) = back.upgrade()
        // What happens while it draws is of its own making.
        && let Ok(mut inner) = inner.try_borrow_mut()
    {
        act(&mut inner);
    }
}

impl PanelView for Draw {
    fn update(&mut self, context: &ViewContext<'_>) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            let [tokens, _] = context.run.words();
            let is_same = inner.language == context.language
                && inner.lut.as_ref() == Some(&context.colours.lut)
                && inner.tokens == *tokens;
            if is_same && inner.lab.is_some() {
                return;
            }
            inner.language = context.language;
            inner.lut = Some(context.colours.lut.clone());
            inner.tokens = tokens.to_vec();
            inner.open();
        }
    }

    fn close(&mut self) {
        if let Ok(mut inner) = self.inner.try_borrow_mut()
            && inner.work.take().is_some()
        {
            inner.show_buttons();
        }
    }
}

impl Inner {
    /// Shows the lab, or creates it.
    fn open(&mut self) {
        let tokens = std::mem::take(&mut self.tokens);
        if self.lab.is_some() {
            self.change(|lab| lab.read(&tokens));
        } else {
            self.lab = Some(DrawLab::new(&tokens));
            self.read_options();
            self.choose_pattern();
        }
        self.tokens = tokens;
    }

    /// Changes the target or the options of the lab.
    fn change(&mut self, change: impl FnOnce(&mut DrawLab)) {
        let Some(lab) = &mut self.lab else { return };
        let was_begun = lab.is_begun();
        change(lab);
        self.go_on(was_begun);
    }

    /// Restarts the work that was running or done for the previous target.
    fn go_on(&mut self, was_begun: bool) {
        let working = self.working();
        let Some(lab) = &self.lab else { return };
        let (is_new, has_sweep) = (!lab.is_begun(), lab.has_sweep());
        match working {
            Some(Work::Sweeping) if has_sweep => {}
            Some(Work::Sweeping) => self.begin_sweep(),
            _ if was_begun && is_new => self.start(Work::Finding),
            _ => {}
        }
        self.draw();
    }

    fn choose_pattern(&mut self) {
        let pattern = Pattern::from_name(&self.pattern.value()).unwrap_or(Pattern::Own);
        self.change(|lab| lab.choose(pattern));
    }

    fn read_options(&mut self) {
        let number = |select: &HtmlSelectElement| select.value().parse().unwrap_or(1);
        let (d_k, heads) = (number(&self.d_k), number(&self.heads));
        let has_positions = self.positions.checked();
        self.change(|lab| {
            lab.set_options(FitOptions {
                heads,
                d_k,
                has_positions,
                ..lab.options()
            });
        });
    }

    fn find_or_pause(&mut self) {
        if self.working() == Some(Work::Finding) {
            self.work = None;
        } else {
            if let Some(lab) = self.lab.as_mut().filter(|lab| lab.is_done()) {
                lab.start_again();
            }
            self.start(Work::Finding);
        }
        self.draw();
    }

    fn sweep_or_pause(&mut self) {
        if self.working() == Some(Work::Sweeping) {
            self.work = None;
        } else if self.lab.as_ref().is_some_and(DrawLab::has_sweep) {
            self.start(Work::Sweeping);
        } else {
            self.begin_sweep();
        }
        self.draw();
    }

    fn begin_sweep(&mut self) {
        if let Some(lab) = &mut self.lab {
            lab.begin_sweep();
            self.start(Work::Sweeping);
        }
    }

    fn draw(&mut self) {
        let (Some(lab), Some(lut)) = (&self.lab, &self.lut) else {
            return;
        };
        // Shown before it is measured.
        dom::set_flag(&self.body, "hidden", false);
        let room = f64::from(self.chart_room.client_width());
        let view = lab.view(lut, chart_width(room), self.language);
        self.pattern.set_value(lab.pattern().name());
        self.cut.set_text(&view.cut());
        self.found_name.set_text(&view.found_name());
        self.progress.set_text(&view.progress());
        self.remaining.set_text(&view.remaining());
        self.target.update(views::target(&view));
        self.found.update(views::found(&view));
        self.reasons.update(views::reasons(&view));
        self.charts.update(views::charts(&view));
        self.show_buttons();
    }

    fn show_buttons(&mut self) {
        let Some(lab) = &self.lab else { return };
        let is_empty = lab.grid().is_empty();
        let name = match self.working() {
            Some(Work::Finding) => Key::PlayerPause,
            _ if lab.is_done() && !is_empty => Key::DrawAgain,
            _ => Key::DrawFind,
        };
        let sweep_name = match self.working() {
            Some(Work::Sweeping) => Key::PlayerPause,
            _ => Key::DrawSweep,
        };
        let is_swept = lab.is_swept();
        // They have several names, so no change of language may bring the first one back.
        for button in [&*self.find, &self.sweep] {
            dom::set_flag(button, "data-t", false);
        }
        self.find_name.set_text(name.text(self.language));
        self.sweep_name.set_text(sweep_name.text(self.language));
        mark_end(&self.find, is_empty);
        mark_end(&self.clear, is_empty);
        mark_end(&self.sweep, is_empty || is_swept);
    }
}
