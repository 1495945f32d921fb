//! The softmax of the chosen row tile by tile, as FlashAttention computes it.

wasm_chunks::chunk!("more");
wasm_chunks::chunk!("engine": impl Inner);

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::rc::{Rc, Weak};

use web_sys::{Element, HtmlElement, HtmlInputElement};

use super::stepper::{StepNavigation, Stepper};
use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelView;
use crate::browser::view::View;
use app::i18n::{Key, Language, text};
use app::present::streaming::{Row, TileWalk, sentence};
use app::views::tiles::tiles;

/// Time of a tile while playing.
const PACE_MS: i32 = 1600;
/// Keys up to which the tiles of a row can be followed.
const MOST: usize = 128;

/// The panel's body. It walks by itself, apart from any picture of the page.
pub(crate) struct Streaming {
    inner: Rc<RefCell<Inner>>,
    _listeners: [Listener; 2],
}

struct Inner {
    stepper: Stepper,
    tools: HtmlElement,
    width: HtmlInputElement,
    table: Element,
    tiles: View,
    of: Text,
    says: Text,
    language: Language,
    row: Option<Row>,
    walk: Option<TileWalk>,
    /// Tiles that are done.
    done: usize,
}

impl Streaming {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        // The buttons need a way to what does not exist before them.
        let later: Rc<RefCell<Weak<RefCell<Inner>>>> = Rc::default();
        let act = {
            let later = Rc::clone(&later);
            move |to| {
                if let Some(inner) = later.borrow().upgrade() {
                    with(&inner, |inner| inner.go(to));
                }
            }
        };
        let width: HtmlInputElement = root.find("#tile-width")?;
        let table: Element = root.find("#streaming-tiles")?;
        let inner = Inner {
            stepper: Stepper::new(root, "streaming", PACE_MS, Rc::new(act))?,
            tools: root.find("#streaming-tools")?,
            width: width.clone(),
            tiles: View::new(table.clone()),
            table,
            of: Text::find(root, "#streaming-of")?,
            says: Text::find(root, "#streaming-says")?,
            language: Language::En,
            row: None,
            walk: None,
            done: 0,
        };
        let inner = Rc::new(RefCell::new(inner));
        later.replace(Rc::downgrade(&inner));
        let [typed, finished] = [(); 2].map(|()| Rc::clone(&inner));
        Ok(Self {
            inner,
            _listeners: [
                Listener::new(&width, "input", move |_| with(&typed, Inner::begin)),
                Listener::new(&width, "change", move |_| with(&finished, Inner::settle)),
            ],
        })
    }
}

fn with(inner: &RefCell<Inner>, act: impl FnOnce(&mut Inner)) {
    // What happens while it draws is of its own making.
    if let Ok(mut inner) = inner.try_borrow_mut() {
        act(&mut inner);
    }
}

impl PanelView for Streaming {
    fn update(&mut self, _: &ViewContext<'_>) {}

    fn point(&mut self, context: &ViewContext<'_>) {
        with(&self.inner, |inner| inner.follow(context));
    }
}

impl Inner {
    /// Takes the row that the page reads; begins anew where it is another one.
    fn follow(&mut self, context: &ViewContext<'_>) {
        self.language = context.language;
        let keys = context.run.keys.len();
        let row = match keys {
            1..=MOST => match Row::from_run(context.run, context.head, context.row) {
                Some(row) => Some(row),
                // Its scores are on their way.
                None if !context.run.queries.is_empty() => return,
                None => None,
            },
            _ => None,
        };
        dom::set_flag(&self.tools, "hidden", row.is_none());
        dom::set_flag(&self.table, "hidden", row.is_none());
        let of = match &row {
            Some(row) => {
                let query = format!("“{}”", row.query);
                text::streaming_of(self.language, &query)
            }
            None if keys > MOST => text::streaming_too_many(self.language, &MOST, &keys),
            None => Key::NoteNoTokens.text(self.language).to_owned(),
        };
        self.of.set_text(&of);
        if self.row != row {
            self.row = row;
            self.begin();
        } else {
            self.draw();
        }
    }

    /// Lays out the tiles and moves behind the last one, where the weights equal those of the map.
    fn begin(&mut self) {
        let width = self.width();
        self.stepper.pause();
        self.walk = self.row.as_ref().map(|row| row.walk(width));
        self.done = self.tiles();
        self.draw();
    }

    /// Keys in a tile, as typed, or the nearest possible.
    fn width(&self) -> NonZeroUsize {
        let typed = self.width.value().parse().unwrap_or(0);
        NonZeroUsize::new(typed.min(MOST)).unwrap_or(NonZeroUsize::MIN)
    }

    /// Writes the width that is used where something else was typed.
    fn settle(&mut self) {
        let used = self.width().to_string();
        if self.width.value() != used {
            self.width.set_value(&used);
        }
    }

    fn tiles(&self) -> usize {
        self.walk.as_ref().map_or(0, |walk| walk.tiles().len())
    }

    fn go(&mut self, to: StepNavigation) {
        let last = self.tiles();
        if to == StepNavigation::Tick && self.stepper.is_closed() {
            return self.stepper.pause();
        }
        match to {
            StepNavigation::Previous => self.done = self.done.saturating_sub(1),
            StepNavigation::Next | StepNavigation::Tick => self.done = (self.done + 1).min(last),
            StepNavigation::Play if self.stepper.is_playing() => self.stepper.pause(),
            StepNavigation::Play => {
                if self.done == last {
                    self.done = 0;
                }
                self.stepper.play();
            }
        }
        if matches!(to, StepNavigation::Previous | StepNavigation::Next) || self.done == last {
            self.stepper.pause();
        }
        self.draw();
    }

    fn draw(&mut self) {
        let (Some(row), Some(walk)) = (&self.row, &self.walk) else {
            return;
        };
        self.tiles
            .update(tiles(row, walk, self.done, self.language));
        self.says
            .set_text(&sentence(row, walk, self.done, self.language));
        self.stepper
            .update(self.done, 0, walk.tiles().len(), self.language);
    }
}
