//! Composes figures from the contents of the page.

use super::{Choices, Format, Subject, file_stem, mechanism};
use crate::i18n::{Key, Language, text};
use crate::present::cost::GrowthSource;
use crate::present::displayed_matrix::DisplayedMatrix;
use crate::present::head_charts;
use crate::present::matrix_style::Luts;
use crate::present::run::Run;
use crate::scene::colour::{Background, Lut};
use crate::scene::curves::MOST;
use crate::scene::figure::Figure;
use crate::scene::figure::figure_page::{FigurePage, Name, Output, Setting};
use crate::scene::scale::Scale;
use crate::state::{ColourScale, State, url};
use attention::analysis::Places;

/// A figure, and what its file is called.
pub struct NamedFigure {
    /// The figure.
    pub figure: Figure,
    /// The name of its file without the ending.
    pub stem: String,
}

/// Width of a text set in a size, both in CSS pixels.
pub type Measure<'a> = &'a dyn Fn(&str, f64) -> f64;

/// Contents of the page.
#[derive(Clone, Copy)]
pub struct FigureView<'a> {
    /// The state of the controls; the numbers of [`Run::state`] may still be older.
    pub state: &'a State,
    /// Results of the run.
    pub run: &'a Run,
    /// The chosen head.
    pub head: usize,
    /// Matrix on the large map.
    pub displayed: &'a DisplayedMatrix<'a>,
    /// The one scale of the weights of every head.
    pub scale: Scale,
    /// The language of everything written in figures.
    pub language: Language,
    /// The row and the column that are pointed out on the map.
    pub pointed: [Option<usize>; 2],
    /// The query that is read.
    pub row: usize,
}

/// Data of figures that the large map does not determine.
#[derive(Clone, Copy)]
pub struct FigureSources<'a> {
    /// Run of the comparison's setting B, if it is that of the requested state.
    pub b: Option<&'a Run>,
    /// The growth chart, if it is there.
    pub growth: Option<GrowthSource<'a>>,
}

/// Whether there is such a figure now.
pub fn is_available(subject: Subject, run: &Run, head: usize, others: &FigureSources<'_>) -> bool {
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
        Subject::Cost => others.growth.is_some(),
    }
}

/// The figure that is chosen; `None` where it is not there.
pub fn compose(
    view: &FigureView<'_>,
    others: &FigureSources<'_>,
    choices: &Choices,
    measure: Measure<'_>,
) -> Option<NamedFigure> {
    let setting = Setting {
        ground: choices.ground,
        width: choices.width,
        output: match choices.format {
            Format::Svg => Output::Shapes,
            Format::Png => Output::Pixels(choices.scale),
        },
        has_words: choices.has_words,
        even: Key::ScaleMiddle.text(view.language),
        measure,
    };
    let builder = FigureBuilder {
        view,
        setting: &setting,
        stem: file_stem(
            choices.subject,
            &view.run.state,
            view.displayed.step,
            view.head,
        ),
        mechanism: mechanism(view.language, &view.run.state),
        colours: Colours::new(view, choices.ground),
        has_outline: choices.has_outline,
    };
    let figure = match choices.subject {
        Subject::Map => builder.map(),
        Subject::Heads => builder.heads(),
        Subject::Compare => builder.compare(others.b?),
        Subject::Similar => builder.similar(),
        Subject::Curves => Some(builder.curves()),
        Subject::Entropy => Some(builder.by_query(
            [Key::ChartEntropy, Key::ChartEntropyMeaning],
            Key::PictureNats.text(view.language),
            head_charts::entropy(view.run, view.head)?,
        )),
        Subject::Itself => Some(builder.by_query(
            [Key::ChartItself, Key::ChartItselfMeaning],
            "A(i, i)",
            head_charts::itself(view.run, view.head)?,
        )),
        Subject::First => Some(builder.by_query(
            [Key::ChartFirst, Key::ChartFirstMeaning],
            "A(i, 1)",
            head_charts::first(view.run, view.head),
        )),
        Subject::Histogram => builder.histogram(),
        Subject::Cost => Some(builder.cost(&others.growth?)),
    }?;
    Some(NamedFigure {
        figure,
        stem: builder.stem,
    })
}

/// A figure that is being made.
pub(super) struct FigureBuilder<'a> {
    pub(super) view: &'a FigureView<'a>,
    pub(super) setting: &'a Setting<'a>,
    stem: String,
    pub(super) mechanism: String,
    pub(super) colours: Colours,
    pub(super) has_outline: bool,
}

/// The page's colours on the ground of a figure.
pub(super) struct Colours {
    pub(super) weights: Lut,
    pub(super) signed: Lut,
    mask: Lut,
    pub(super) scale: Scale,
}

impl Colours {
    fn new(view: &FigureView<'_>, ground: Background) -> Self {
        Self {
            weights: Lut::new(view.state.colours, ground),
            signed: Lut::diverging(ground),
            mask: Lut::mask(ground),
            scale: view.scale,
        }
    }

    pub(super) fn luts(&self) -> Luts<'_> {
        Luts {
            weights: &self.weights,
            signed: &self.signed,
            mask: &self.mask,
            scale: self.scale,
        }
    }
}

/// "weights, linear scale".
pub(super) fn bar_name(name: &str, scale: &Scale, language: Language) -> String {
    let scale = match scale.kind() {
        ColourScale::Above => return text::picture_bar_above(language, &name),
        ColourScale::Linear => Key::ScaleLinear,
        ColourScale::Log => Key::ScaleLog,
        ColourScale::Even => return text::picture_bar_even(language, &name),
    };
    text::picture_bar(language, &name, &scale.text(language))
}

impl FigureBuilder<'_> {
    pub(super) fn finish(&self, sheet: FigurePage<'_>, title: &str) -> Figure {
        let (run, language) = (self.view.run, self.view.language);
        let text = text::picture_of(language, &run.state.text);
        let link = url::to_fragment(&run.state.shown_as(self.view.state));
        let description = format!("{text} {} #{link}", self.mechanism);
        sheet.finish(&Name {
            id: &self.stem,
            language: language.tag(),
            title,
            description: &description,
        })
    }
}
