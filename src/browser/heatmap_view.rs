//! Heatmaps on canvases.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::dom::{self, MissingPart, Root};
use super::map::Surface;
use super::view::View;
use app::present::colour_style::{ColourStyle, Palette};
use app::present::comparison::ComparedCanvas;
use app::scene::colour::Lut;
use app::scene::heatmap::HeatmapImage;
use app::scene::layout::{MapLayout, Request};
use app::scene::scale::Scale;
use app::scene::shape::Shape;
use app::views::HEATMAP;

/// A heatmap on a canvas, with marks.
pub(super) struct HeatmapView {
    picture: Surface,
    /// The canvas above it with the marks; without one they are on the picture.
    overlay: Option<Surface>,
    pub image: HeatmapImage,
    css_size: Option<(f64, f64)>,
    /// Marks on the picture.
    marks: Vec<Shape>,
}

impl HeatmapView {
    pub(super) fn find(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        Surface::find(root, selector).map(Self::from)
    }

    /// A canvas, with the one for marks where that follows it.
    fn new(canvas: HtmlCanvasElement) -> Option<Self> {
        let overlay = canvas.next_element_sibling();
        let overlay = overlay.and_then(|overlay| Surface::new(overlay.dyn_into().ok()?));
        Some(Self {
            overlay,
            ..Surface::new(canvas)?.into()
        })
    }

    /// Makes the element around the canvases as high as they are.
    fn set_height(&self, around: Option<&HtmlElement>) {
        if let (Some(around), Some((_, height))) = (around, self.css_size) {
            // A property that every browser knows.
            let _ = around
                .style()
                .set_property("height", &format!("{height}px"));
        }
    }

    /// A map of two canvases, the upper one for marks.
    pub(super) fn find_map(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        let surface = |class| Surface::find(root, &format!("{selector} {class}"));
        Ok(Self {
            overlay: Some(surface(".overlay")?),
            ..surface(".picture")?.into()
        })
    }

    /// Lays out a map with labels that is at most `most` high.
    pub(super) fn lay_out(
        &mut self,
        request: &Request<'_>,
        most: f64,
        palette: &Palette,
    ) -> Rc<MapLayout> {
        let measure = |text: &str, size| self.picture.measure(text, size, palette);
        let request = Request {
            measure: &measure,
            ..*request
        };
        self.image.layouts.lay_out(&request, most, &palette.sans)
    }

    /// Width of a label in CSS pixels.
    pub(super) fn measure(&self, text: &str, size: f64, palette: &Palette) -> f64 {
        self.picture.measure(text, size, palette)
    }

    /// Paints and shows a colour bar, see [`HeatmapImage::paint_bar`].
    pub(super) fn paint_bar(
        &mut self,
        colours: (&Lut, &Scale),
        size: (f64, f64),
        even: &str,
        palette: &Palette,
    ) {
        let measure = |text: &str, size| self.picture.measure(text, size, palette);
        self.image.paint_bar(colours, size, even, &measure);
        self.show(palette);
    }

    /// Puts the image on the canvas, with the marks that stay. Returns whether the canvas has another size now.
    pub(super) fn show(&mut self, palette: &Palette) -> bool {
        let Some(layout) = self.image.layout() else {
            return false;
        };
        self.picture.clear(layout.size_device(), layout.dpr);
        let size = self.image.css_size();
        let is_resized = self.css_size != size;
        if let Some((width, height)) = size.filter(|_| is_resized) {
            self.picture.set_css_size(width, height);
            if let Some(overlay) = &self.overlay {
                overlay.set_css_size(width, height);
            }
        }
        self.css_size = size;
        self.marks.clear();
        self.put(palette);
        is_resized
    }

    /// Draws marks in place of those before.
    pub(super) fn mark(&mut self, marks: Vec<Shape>, palette: &Palette) {
        let Some(layout) = self.image.layout() else {
            return;
        };
        if let Some(overlay) = &mut self.overlay {
            overlay.clear(layout.size_device(), layout.dpr);
            overlay.draw(&marks, palette);
        } else if marks != self.marks {
            self.put(palette);
            self.picture.draw(&marks, palette);
            self.marks = marks;
        }
    }

    /// Fonts and colours have changed.
    pub(super) fn restyle(&mut self) {
        self.picture.forget_font();
        if let Some(overlay) = &self.overlay {
            overlay.forget_font();
        }
    }

    fn put(&mut self, palette: &Palette) {
        if let Some(layout) = self.image.layout() {
            let (width, origin) = (layout.columns.pixels(), layout.plot_origin_device());
            self.picture.put(self.image.pixels(), width, origin);
            self.picture.draw(self.image.still(), palette);
        }
    }
}

impl From<Surface> for HeatmapView {
    fn from(picture: Surface) -> Self {
        Self {
            picture,
            overlay: None,
            image: HeatmapImage::default(),
            css_size: None,
            marks: Vec::new(),
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
        palette: &Palette,
        paint: &mut dyn FnMut(&str, &mut HeatmapImage) -> bool,
    ) {
        self.find(view.all(&format!("canvas[{HEATMAP}]")));
        for (key, view) in &mut self.0 {
            if paint(key, &mut view.image) {
                view.show(palette);
            }
        }
    }

    /// The same with the size of each and a way to measure texts.
    pub(super) fn paint_sized(
        &mut self,
        view: &View,
        colours: &ColourStyle,
        dpr: f64,
        paint: &mut dyn FnMut(&str, ComparedCanvas<'_>) -> bool,
    ) {
        self.find(view.all(&format!("canvas[{HEATMAP}]")));
        let palette = &colours.palette;
        for (key, view) in &mut self.0 {
            let around: Option<HtmlElement> = parent(&view.picture.canvas);
            let measure = |text: &str, size| view.picture.measure(text, size, palette);
            let is_painted = paint(
                key,
                ComparedCanvas {
                    image: &mut view.image,
                    width: around.as_ref().map_or(0.0, |it| it.client_width().into()),
                    dpr,
                    measure: &measure,
                },
            );
            if is_painted && view.show(palette) && view.overlay.is_some() {
                view.set_height(around.as_ref());
            }
        }
    }

    /// Every image, in the order of the page.
    pub(super) fn images(&self) -> impl Iterator<Item = &HeatmapImage> {
        self.0.iter().map(|(_, view)| &view.image)
    }

    /// The layout of the map of a key.
    pub(super) fn layout(&self, key: &str) -> Option<&MapLayout> {
        let (_, view) = self.0.iter().find(|(own, _)| own == key)?;
        view.image.layout().map(|layout| &**layout)
    }

    /// Fonts and colours have changed.
    pub(super) fn restyle(&mut self) {
        self.0.iter_mut().for_each(|(_, view)| view.restyle());
    }

    /// Draws marks on each that was painted, in place of those before.
    pub(super) fn mark(
        &mut self,
        palette: &Palette,
        marks: &mut dyn FnMut(&str, &MapLayout) -> Vec<Shape>,
    ) {
        for (key, view) in &mut self.0 {
            if let Some(layout) = view.image.layout() {
                let marks = marks(key, layout);
                view.mark(marks, palette);
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
                let view = match before.next() {
                    Some((old, view)) if view.picture.canvas == canvas => {
                        if old == key {
                            return Some((key, view));
                        }
                        // Pictures of another key do not stay until there are numbers.
                        reset(&canvas);
                        view.picture.into()
                    }
                    _ => HeatmapView::new(canvas)?,
                };
                Some((key, view))
            })
            .collect();
    }
}

/// Empties a canvas and forgets its size.
fn reset(canvas: &HtmlCanvasElement) {
    for attribute in ["width", "height", "style"] {
        dom::set_flag(canvas, attribute, false);
    }
}

fn parent(canvas: &HtmlCanvasElement) -> Option<HtmlElement> {
    canvas.parent_element()?.dyn_into().ok()
}
