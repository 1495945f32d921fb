//! The comparison panel: two settings, their maps, and their difference.

wasm_chunks::chunk!("more");

use web_sys::{Element, HtmlElement};

use super::app_panel;
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::heatmap_view::Heatmaps;
use crate::browser::map;
use crate::browser::sender::{Input, Sender};
use crate::browser::view::View;
use app::App;
use app::message::HitTest;
use app::present::colour_style::ColourStyle;
use app::scene::heatmap::{PoolBy, Pooling};
use app::scene::marks;
use app::state::Panel;

/// The panel.
pub(crate) struct ComparisonPanel {
    body: Element,
    view: View,
    heatmaps: Heatmaps,
    pooling: Option<Pooling>,
    /// Number of the pictures that were painted.
    painted: Option<u32>,
    sender: Sender,
    /// Listeners of the maps, once there are maps.
    of_maps: Vec<Listener>,
    /// Set when it is first shown: its code has come then.
    listeners: Vec<Listener>,
}

impl ComparisonPanel {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let body: Element = root.find("#compare-body")?;
        Ok(Self {
            listeners: Vec::new(),
            view: View::new(body.clone()),
            body,
            heatmaps: Heatmaps::default(),
            pooling: None,
            painted: None,
            sender: sender.clone(),
            of_maps: Vec::new(),
        })
    }

    /// Hit test at a point of one of the maps, named by its element.
    pub(crate) fn target(&self, map: &str, (x, y): (f64, f64)) -> HitTest {
        let layout = self.heatmaps.layout(map);
        HitTest {
            target: layout.and_then(|layout| layout.target(x, y)),
            nearest: None,
        }
    }

    /// Shows the settings of both; the rest comes when they are computed.
    pub(crate) fn show(&mut self, app: &App) {
        if self.listeners.is_empty() {
            self.listeners = app_panel::listeners(&self.body, Panel::Compare, &self.sender);
        }
        self.view.update(app.compared_view(self.pooling));
        if self.of_maps.is_empty() {
            self.of_maps = self.listen();
        }
    }

    /// Shows maps and numbers of both, and what is pointed out.
    pub(crate) fn update(&mut self, app: &App, colours: &ColourStyle, dpr: f64) {
        self.show(app);
        let Some(pair) = app.pair() else { return };
        let painted = Some(app.comparison.pictures);
        if self.painted != painted {
            self.painted = painted;
            self.heatmaps
                .paint_sized(&self.view, colours, dpr, &mut |key, canvas| {
                    pair.paint(key, colours, canvas)
                });
            let pooled = self.heatmaps.images().filter_map(|image| image.pooling());
            self.pooling = pooled.filter(|pooling| pooling.by == PoolBy::Max).last();
            self.show(app);
        }
        let pointed = app.pointed_compared();
        self.heatmaps.mark(&colours.palette, &mut |key, layout| {
            let is_map = !key.ends_with("bar");
            let marks = is_map.then(|| marks::pointed(layout, pointed, None));
            marks.unwrap_or_default()
        });
    }

    /// Fonts and colours have changed, or canvases were emptied.
    pub(crate) fn restyle(&mut self) {
        self.heatmaps.restyle();
        self.painted = None;
    }

    fn listen(&self) -> Vec<Listener> {
        let maps = self.view.all::<HtmlElement>(".canvas").into_iter();
        let listen = |map: HtmlElement| {
            let (sender, canvas) = (self.sender.clone(), map.first_element_child());
            let key = canvas.and_then(|canvas| canvas.get_attribute(app::views::HEATMAP));
            let key = key.unwrap_or_default();
            map::listen(&map, move |event| {
                sender.send(Input::Compared(key.clone(), event));
            })
        };
        maps.flat_map(listen).collect()
    }
}
