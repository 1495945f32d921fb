//! The colour bar with its numbers.

use web_sys::{Element, HtmlElement};

use crate::browser::dom::{self, MissingPart, Root};
use crate::browser::heatmap_view::HeatmapView;
use app::i18n::{Key, Language};
use app::present::colour_style::Palette;
use app::present::steps::MatrixKind;
use app::scene::colour::Lut;
use app::scene::scale::Scale;

/// The colour bar.
pub(crate) struct Legend {
    element: HtmlElement,
    view: HeatmapView,
    painted: Option<(Scale, f64, f64, Language)>,
    /// Choices of scale and of colours, which only weights have.
    choices: Vec<Element>,
    /// Explanation of hatching.
    of_hidden: Vec<Element>,
    suited: Option<(MatrixKind, bool)>,
}

impl Legend {
    pub(crate) fn new(root: &Root, selector: &str) -> Result<Self, MissingPart> {
        Ok(Self {
            element: root.find(selector)?,
            view: HeatmapView::find(root, &format!("{selector} canvas"))?,
            painted: None,
            choices: root.all(&format!(".legend:has({selector}) .of-weights")),
            of_hidden: root.all(&format!(".legend:has({selector}) .of-hidden")),
            suited: None,
        })
    }

    /// The colours have changed.
    pub(crate) fn restyle(&mut self) {
        self.view.restyle();
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
        let even = Key::ScaleMiddle.text(language);
        self.view
            .paint_bar((lut, scale), (width, dpr), even, palette);
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
