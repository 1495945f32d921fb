//! The colour bar with its numbers.

use web_sys::{Element, HtmlElement};

use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::map::Surface;
use app::i18n::{Key, Language};
use app::present::colour_style::Palette;
use app::present::steps::MatrixKind;
use app::scene::colour::Lut;
use app::scene::heatmap;
use app::scene::layout::Rect;
use app::scene::marks::{ColourBar, colour_bar};
use app::scene::scale::Scale;

const BAR: f64 = 10.0;
const TYPE: f64 = 12.0;
/// Bar, tick and a line of numbers.
const HEIGHT: f64 = BAR + 6.0 + 1.2 * TYPE + 1.0;
/// Room for the frame to both sides.
const EDGE: f64 = 1.0;

/// The colour bar.
pub(crate) struct Legend {
    element: HtmlElement,
    surface: Surface,
    pixels: Vec<u8>,
    painted: Option<(Scale, f64, f64, Language)>,
    /// Choices of scale and of colours, which only weights have.
    choices: Vec<Element>,
    /// Explanation of hatching.
    of_hidden: Vec<Element>,
    suited: Option<(MatrixKind, bool)>,
}

impl Legend {
    pub(crate) fn new(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        let (element, surface) = (
            root.find(selector)?,
            Surface::find(root, &format!("{selector} canvas"))?,
        );
        Ok(Self {
            element,
            surface,
            pixels: Vec::new(),
            painted: None,
            choices: root.all(&format!(".legend:has({selector}) .of-weights")),
            of_hidden: root.all(&format!(".legend:has({selector}) .of-hidden")),
            suited: None,
        })
    }

    /// The colours have changed.
    pub(crate) fn restyle(&mut self) {
        self.surface.forget_font();
        self.painted = None;
    }

    /// Paints the bar unless it looks like this already.
    pub(crate) fn update(
        &mut self,
        (lut, scale): (&Lut, &Scale),
        palette: &Palette,
        dpr: f64,
        language: Language,
    ) {
        let width = f64::from(self.element.client_width());
        let painted = Some((*scale, width, dpr, language));
        if std::mem::replace(&mut self.painted, painted) == painted {
            return;
        }
        let device = |css: f64| (css * dpr).round().max(0.0) as u32;
        let rect = Rect {
            x: EDGE,
            y: EDGE,
            width: (width - 2.0 * EDGE).max(0.0),
            height: BAR,
        };
        self.surface.clear((device(width), device(HEIGHT)), dpr);
        self.surface.set_css_size(width, HEIGHT);
        heatmap::paint_colour_bar(lut, device(rect.width), device(BAR), &mut self.pixels);
        self.surface.put(
            &self.pixels,
            device(rect.width),
            (device(EDGE), device(EDGE)),
        );
        let measure = |text: &str, size| self.surface.measure(text, size, palette);
        let marks = colour_bar(
            &ColourBar {
                rect,
                size: TYPE,
                dpr,
                even: Key::ScaleMiddle.text(language),
                measure: &measure,
            },
            scale,
        );
        self.surface.draw(&marks, palette);
    }

    /// Shows the bar, or hides it if all numbers are equal.
    pub(crate) fn show_only_if(&self, is_needed: bool) {
        dom::set_flag(&self.element, "hidden", !is_needed);
    }

    /// Offers what the kind of matrix has to choose from, and explains hatching where there is some; a mask needs no bar.
    pub(crate) fn suit(&mut self, kind: MatrixKind, is_hatched: bool) {
        let suited = Some((kind, is_hatched));
        if std::mem::replace(&mut self.suited, suited) == suited {
            return;
        }
        self.painted = None;
        for choice in &self.choices {
            dom::set_flag(choice, "hidden", kind != MatrixKind::Weights);
        }
        for part in &self.of_hidden {
            dom::set_flag(part, "hidden", !is_hatched);
        }
        dom::set_flag(&self.element, "hidden", kind == MatrixKind::Mask);
    }
}
