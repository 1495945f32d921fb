//! Heatmaps on canvases.

use web_sys::HtmlCanvasElement;

use super::dom::{MissingPart, Root};
use super::map::Surface;
use super::view::View;
use app::scene::heatmap::HeatmapImage;
use app::views::HEATMAP;

/// A heatmap on a canvas, with marks.
pub(super) struct HeatmapView {
    surface: Surface,
    pub image: HeatmapImage,
    css_size: Option<(f64, f64)>,
}

impl HeatmapView {
    pub(super) fn find(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        Surface::find(root, selector).map(Self::from)
    }

    /// Puts the image on the canvas.
    pub(super) fn show(&mut self) {
        let Some(layout) = self.image.layout() else {
            return;
        };
        self.surface.clear(layout.size_device(), layout.dpr);
        let size = self.image.css_size();
        if let Some((width, height)) = size.filter(|_| self.css_size != size) {
            self.surface.set_css_size(width, height);
            self.css_size = size;
        }
        let (width, origin) = (layout.columns.pixels(), layout.plot_origin_device());
        self.surface.put(self.image.pixels(), width, origin);
    }
}

impl From<Surface> for HeatmapView {
    fn from(surface: Surface) -> Self {
        Self {
            surface,
            image: HeatmapImage::default(),
            css_size: None,
        }
    }
}

/// Canvases that a view names by keys.
#[derive(Default)]
pub(super) struct Heatmaps(Vec<(String, HeatmapView)>);

impl Heatmaps {
    /// Paints the canvas of each key, unless `paint` has nothing for it.
    pub(super) fn paint(
        &mut self,
        view: &View,
        paint: &mut dyn FnMut(&str, &mut HeatmapImage) -> bool,
    ) {
        self.find(view.all(&format!("canvas[{HEATMAP}]")));
        for (key, view) in &mut self.0 {
            if paint(key, &mut view.image) {
                view.show();
            }
        }
    }

    /// Canvases that were there before are still the same.
    fn find(&mut self, canvases: Vec<HtmlCanvasElement>) {
        let mut before = std::mem::take(&mut self.0).into_iter();
        self.0 = canvases
            .into_iter()
            .filter_map(|canvas| {
                let key = canvas.get_attribute(HEATMAP)?;
                let same = before
                    .next()
                    .filter(|(_, own)| own.surface.canvas == canvas);
                let view = match same {
                    Some((_, view)) => view,
                    None => Surface::new(canvas)?.into(),
                };
                Some((key, view))
            })
            .collect();
    }
}
