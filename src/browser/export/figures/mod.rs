//! Builds figures from what is on the page.

mod charts;
mod maps;

use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement};

use super::{Choices, Format};
use crate::browser::dom;
use crate::browser::main_view::ViewContext;
use crate::browser::panels::registry::PanelRegistry;
use crate::export::figures::{self, Subject};
use crate::i18n::{Key, Language, text};
use crate::present::matrix_style::Luts;
use crate::present::run::Run;
use crate::scene::colour::{Background, Lut};
use crate::scene::curves::MOST;
use crate::scene::figure::Figure;
use crate::scene::figure::figure_page::{FigurePage, Name, Output, Setting};
use crate::scene::figure::palette::SANS;
use crate::scene::scale::Scale;
use crate::state::ColourScale;
use crate::state::url;
use attention::analysis::Places;

/// A figure, and what its file is called.
pub(crate) struct NamedFigure {
    pub figure: Figure,
    pub stem: String,
}

/// Measures text as figures set it.
pub(crate) struct TextMeasurer(Option<CanvasRenderingContext2d>);

impl TextMeasurer {
    pub(crate) fn new(beside: &Element) -> Self {
        use wasm_bindgen::JsCast as _;
        let canvas: Option<HtmlCanvasElement> = dom::create(beside, "canvas");
        Self(canvas.and_then(|canvas| canvas.get_context("2d").ok()??.dyn_into().ok()))
    }

    /// Width of a text in the heavier face.
    pub(crate) fn measure(&self, text: &str, size: f64) -> f64 {
        let measured = self.0.as_ref().and_then(|context| {
            context.set_font(&format!("600 {size}px {SANS}"));
            context.measure_text(text).ok()
        });
        measured.map_or(0.6 * size * text.chars().count() as f64, |it| it.width())
    }
}

/// What figures show that does not follow from what is on the large map.
#[derive(Clone, Copy)]
pub(crate) struct FigureSources<'a> {
    /// The other setting of the comparison, as long as its numbers are those that are wanted.
    pub b: Option<&'a Run>,
    /// The panels.
    pub folds: &'a PanelRegistry,
}

/// Whether there is such a figure now.
pub(crate) fn is_available(
    subject: Subject,
    run: &Run,
    head: usize,
    others: &FigureSources<'_>,
) -> bool {
    let (queries, keys) = (run.queries.len(), run.keys.len());
    match subject {
        Subject::Map => true,
        _ if queries.min(keys) == 0 => false,
        Subject::Heads => true,
        Subject::Compare => others.b.is_some(),
        Subject::Curves => queries.max(keys) <= MOST,
        Subject::Entropy | Subject::Histogram => run.reply.stats.get(head).is_some(),
        Subject::Itself => run.places() == Places::Same,
        Subject::First => run.places() != Places::None,
        Subject::Similar => run.heads() > 1,
        Subject::Cost => others.folds.has_chart(),
    }
}

/// The figure that is chosen; `None` where it is not there.
pub(crate) fn compose(
    sight: &ViewContext<'_>,
    others: &FigureSources<'_>,
    choices: &Choices,
    pen: &TextMeasurer,
) -> Option<NamedFigure> {
    let setting = Setting {
        ground: choices.ground,
        width: choices.width,
        output: match choices.format {
            Format::Svg => Output::Shapes,
            Format::Png => Output::Pixels(choices.scale),
        },
        has_words: choices.has_words,
        measure: &|text, size| pen.measure(text, size),
    };
    let making = FigureBuilder {
        sight,
        setting: &setting,
        stem: figures::file_stem(
            choices.subject,
            &sight.run.state,
            sight.exhibit.step,
            sight.head,
        ),
        mechanism: figures::mechanism(sight.language, &sight.run.state),
        colours: Colours::new(sight, choices.ground),
    };
    let figure = match choices.subject {
        Subject::Map => making.map(),
        Subject::Heads => making.heads(),
        Subject::Compare => making.compare(others.b?),
        Subject::Similar => making.similar(),
        Subject::Curves => making.curves(),
        Subject::Entropy => making.entropy(),
        Subject::Itself => making.itself(),
        Subject::First => making.first(),
        Subject::Histogram => making.histogram(),
        Subject::Cost => making.cost(others.folds),
    }?;
    Some(NamedFigure {
        figure,
        stem: making.stem,
    })
}

/// A figure that is being made.
struct FigureBuilder<'a> {
    sight: &'a ViewContext<'a>,
    setting: &'a Setting<'a>,
    stem: String,
    mechanism: String,
    colours: Colours,
}

/// The page's colours on the ground of a figure.
struct Colours {
    weights: Lut,
    signed: Lut,
    mask: Lut,
    scale: Scale,
}

impl Colours {
    fn new(sight: &ViewContext<'_>, ground: Background) -> Self {
        Self {
            weights: Lut::new(sight.state.colours, ground),
            signed: Lut::diverging(ground),
            mask: Lut::mask(ground),
            scale: sight.look.scale,
        }
    }

    fn luts(&self) -> Luts<'_> {
        Luts {
            weights: &self.weights,
            signed: &self.signed,
            mask: &self.mask,
            scale: self.scale,
        }
    }
}

/// "weights, linear scale".
fn bar_name(name: &str, scale: &Scale, language: Language) -> String {
    let scale = match scale.kind() {
        ColourScale::Linear => Key::ScaleLinear,
        ColourScale::Log => Key::ScaleLog,
    };
    text::picture_bar(language, &name, &scale.text(language))
}

impl FigureBuilder<'_> {
    fn finish(&self, sheet: FigurePage<'_>, title: &str) -> Figure {
        let ViewContext { run, language, .. } = *self.sight;
        let text = text::picture_of(language, &run.state.text);
        let link = url::to_fragment(&run.state.shown_as(self.sight.state));
        let description = format!("{text} {} #{link}", self.mechanism);
        sheet.finish(&Name {
            id: &self.stem,
            language: language.tag(),
            title,
            description: &description,
        })
    }
}
