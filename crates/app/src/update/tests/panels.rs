//! A page whose panel is worked by what its view holds.

use std::ops::{Deref, DerefMut};

use super::*;
use crate::present::colour_style::ColourStyle;
use crate::present::panel::{PanelContext, PanelEvent};
use crate::scene::heatmap::HeatmapImage;
use crate::state::Panel;
use crate::views::tests::between;

/// A page with a panel open.
pub(super) struct Open {
    page: Page,
    panel: Panel,
    pub(super) colours: ColourStyle,
}

impl Deref for Open {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl DerefMut for Open {
    fn deref_mut(&mut self) -> &mut Page {
        &mut self.page
    }
}

impl Open {
    /// A page with a panel, after the panel's first turn.
    pub(super) fn new(panel: Panel, fragment: &str) -> Self {
        let mut page = Page::opened(fragment);
        page.compute_all();
        let colours = ColourStyle::plain();
        let mut open = Self {
            page,
            panel,
            colours,
        };
        open.turn();
        open
    }

    /// Gives every panel its turn, and the panel its ticks until it has no more work.
    pub(super) fn rest(&mut self) {
        self.turn();
        while self.is_working() {
            self.event(PanelEvent::Tick);
            self.turn();
        }
    }

    /// Has panels follow what was painted, as a frame does.
    pub(super) fn turn(&mut self) {
        self.paint();
        while let Some((at, _)) = self.app.scheduler.next_ready() {
            if PANELS[at] == self.panel {
                self.event(PanelEvent::Follow);
            }
        }
    }

    /// Closes the panel.
    pub(super) fn close(&mut self) {
        self.set(Field::Panels, Value::Names(Vec::new()));
    }

    pub(super) fn event(&mut self, event: PanelEvent) {
        let panel = self.panel;
        self.send(Message::Panel(panel, event));
    }

    /// Presses a button of the view, by its id.
    pub(super) fn press(&mut self, id: &str) {
        let does = self.attribute(id, "data-do");
        self.event(PanelEvent::Press(does));
    }

    /// Changes a field of the view, by its id, and commits it.
    pub(super) fn enter(&mut self, id: &str, value: &str) {
        let tag = self.tag(id);
        let own = between(&tag, "data-field=\"", "\"")
            .first()
            .map(|name| (*name).to_owned());
        for change in [Change::Input, Change::Commit] {
            let event = match &own {
                Some(name) => PanelEvent::Enter(name.clone(), value.to_owned(), change),
                None => {
                    let key = between(&tag, "data-sets=\"", "\"")[0];
                    PanelEvent::Set(
                        Field::from_key(key).expect("a field"),
                        value.to_owned(),
                        change,
                    )
                }
            };
            self.event(event);
        }
        self.rest();
    }

    /// Whether the panel is sent ticks.
    fn is_working(&self) -> bool {
        let ticks = self.effects.iter().rev().find_map(|effect| match effect {
            Effect::Tick(panel, interval) if *panel == self.panel => Some(*interval),
            _ => None,
        });
        ticks.flatten().is_some()
    }

    pub(super) fn view(&self) -> String {
        let context = self.context(&self.colours);
        let markup = self.app.panel_view(self.panel, context);
        markup.expect("begun").into_string()
    }

    pub(super) fn context<'a>(&self, colours: &'a ColourStyle) -> PanelContext<'a> {
        PanelContext {
            colours,
            room: 600.0,
            measure: &|text, size| 0.6 * size * text.chars().count() as f64,
            language: self.app.language,
            is_motion_reduced: false,
        }
    }

    /// The heatmap of a key.
    pub(super) fn heatmap(&self, key: &str) -> Option<HeatmapImage> {
        let (panel, mut image) = (self.panel, HeatmapImage::default());
        let is_there = self
            .app
            .paint_heatmap(panel, key, &self.colours, &mut image);
        is_there.then_some(image)
    }

    /// The tag with an id.
    pub(super) fn tag(&self, id: &str) -> String {
        tag(&self.view(), id)
    }

    pub(super) fn attribute(&self, id: &str, name: &str) -> String {
        attribute(&self.view(), id, name)
    }

    pub(super) fn has(&self, id: &str, flag: &str) -> bool {
        has(&self.view(), id, flag)
    }

    pub(super) fn text(&self, id: &str) -> String {
        text_of(&self.view(), id)
    }
}

/// The tag with an id in a view.
pub(super) fn tag(view: &str, id: &str) -> String {
    let at = view
        .find(&format!(" id=\"{id}\""))
        .unwrap_or_else(|| panic!("{id}"));
    let from = view[..at].rfind('<').expect("a tag");
    view[from..].split('>').next().expect("its end").to_owned()
}

pub(super) fn attribute(view: &str, id: &str, name: &str) -> String {
    let tag = tag(view, id);
    let found = between(&tag, &format!(" {name}=\""), "\"");
    found
        .first()
        .unwrap_or_else(|| panic!("{id} has no {name}"))
        .to_string()
}

pub(super) fn has(view: &str, id: &str, flag: &str) -> bool {
    tag(view, id).split(' ').any(|word| word == flag)
}

/// The text of an element with an id, up to the end of its kind.
pub(super) fn text_of(view: &str, id: &str) -> String {
    let (_, rest) = view
        .split_once(&format!(" id=\"{id}\""))
        .unwrap_or_else(|| panic!("{id}"));
    let tag = tag(view, id);
    let kind = tag[1..].split(' ').next().expect("a kind");
    let inside = rest.split_once('>').expect("a tag").1;
    let inside = inside
        .split(&format!("</{kind}>"))
        .next()
        .unwrap_or_default();
    let texts = inside
        .split('<')
        .map(|piece| piece.rsplit('>').next().unwrap_or_default());
    texts.collect()
}

/// What stands between the tags, where symbols have their letters below.
fn prose(view: &str) -> String {
    let view = view.replace("<span class=\"unseen\">_</span>", "");
    let pieces = view.split('>').map(|piece| piece.split('<').next());
    pieces.flatten().collect::<Vec<_>>().join(" ")
}

#[test]
fn no_symbol_stands_in_prose_with_an_underscore() {
    for (panel, name) in [
        (Panel::Training, "training"),
        (Panel::Draw, "draw"),
        (Panel::Analysis, "analysis"),
        (Panel::Cost, "cost"),
    ] {
        for language in ["en", "zh"] {
            let open = Open::new(panel, &format!("v=1&lang={language}&open={name}"));
            let prose = prose(&open.view());
            let around = |at: usize| &prose[prose.floor_char_boundary(at.saturating_sub(40))..at];
            assert!(prose.len() > 100, "{name}");
            assert_eq!(prose.find('_').map(around), None, "{name} {language}");
        }
    }
    let mut page = Page::opened("v=1&text=a+b&weights=random");
    page.act(Action::Enter(Field::DK, "500".to_owned()), Change::Commit);
    let notices = crate::views::notices::notices(page.app.notices.shown(), Language::En);
    let notices = notices.into_string();
    assert!(notices.contains("<sub>k</sub>"), "{notices}");
    assert!(!prose(&notices).contains('_'), "{notices}");
}
