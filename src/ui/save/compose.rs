//! What is on the page as figures.

use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement};

use super::{Choices, Format};
use crate::app::picture::{self, Subject};
use crate::app::steps::MatrixKind;
use crate::app::url;
use crate::ui::dom;
use crate::ui::exhibit::Exhibit;
use crate::ui::map::{Dress, Luts};
use crate::ui::names;
use crate::ui::sights::{self, Sight};
use crate::view::colour::{Ground, Lut};
use crate::view::figure::Figure;
use crate::view::figure::inks::SANS;
use crate::view::figure::plate::{Cells, Plate};
use crate::view::figure::sheet::{Legend, Name, Output, Sample, Setting, Sheet};
use crate::view::scale::{ColourScale, Scale};
use crate::words::{Key, Language, fill, say};

/// A figure, and what its file is called.
pub struct Composed {
    pub figure: Figure,
    pub stem: String,
}

/// Measures text as figures set it.
pub struct Pen(Option<CanvasRenderingContext2d>);

impl Pen {
    pub fn new(beside: &Element) -> Self {
        use wasm_bindgen::JsCast as _;
        let canvas: Option<HtmlCanvasElement> = dom::create(beside, "canvas");
        Self(canvas.and_then(|canvas| canvas.get_context("2d").ok()??.dyn_into().ok()))
    }

    /// Width of a text in the heavier face.
    pub fn measure(&self, text: &str, size: f64) -> f64 {
        let measured = self.0.as_ref().and_then(|context| {
            context.set_font(&format!("600 {size}px {SANS}"));
            context.measure_text(text).ok()
        });
        measured.map_or(0.6 * size * text.chars().count() as f64, |it| it.width())
    }
}

/// The figure that is chosen; `None` where it is not there.
pub fn compose(sight: &Sight<'_>, choices: &Choices, pen: &Pen) -> Option<Composed> {
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
    let making = Making {
        sight,
        setting: &setting,
        stem: picture::file_stem(
            choices.subject,
            &sight.run.state,
            sight.exhibit.step,
            sight.head,
        ),
        mechanism: picture::mechanism(sight.language, &sight.run.state),
        colours: Colours::new(sight, choices.ground),
    };
    let figure = match choices.subject {
        Subject::Map => making.map(),
        _ => None,
    }?;
    Some(Composed {
        figure,
        stem: making.stem,
    })
}

/// A figure that is being made.
struct Making<'a> {
    sight: &'a Sight<'a>,
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
    fn new(sight: &Sight<'_>, ground: Ground) -> Self {
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

/// A matrix with its names.
fn plate<'a>(
    exhibit: &'a Exhibit<'_>,
    dress: &'a Dress<'_>,
    pointed: [Option<usize>; 2],
    language: Language,
) -> Option<Plate<'a>> {
    Some(Plate {
        cells: Cells {
            grid: exhibit.grid()?,
            lut: dress.lut,
            scale: &dress.scale,
            pool_by: dress.pool_by,
        },
        rows: &exhibit.rows,
        columns: &exhibit.columns,
        titles: exhibit.titles(language),
        sides: exhibit.sides(),
        form: dress.form,
        chosen: pointed,
    })
}

/// What colours and hatching mean.
fn legend<'a>(exhibit: &Exhibit<'_>, dress: &'a Dress<'_>, language: Language) -> Legend<'a> {
    let [visible, hidden, empty] = [Key::VisibleCell, Key::HiddenCells, Key::PictureEmpty]
        .map(|key| say(language, key).to_owned());
    let is_mask = dress.kind == MatrixKind::Mask;
    let mut samples = Vec::new();
    if is_mask {
        let [r, g, b, _] = dress.lut.colour(u8::MAX);
        samples.push((Sample::Colour([r, g, b]), visible));
    }
    let empty_rows = exhibit.hidden.empty_rows().count();
    if exhibit.hidden.count() > empty_rows * exhibit.size().1 {
        samples.push((Sample::Hidden, hidden));
    }
    if empty_rows > 0 {
        samples.push((Sample::Empty, empty));
    }
    let name = names::step(exhibit.step, language);
    Legend {
        bar: (!is_mask).then(|| {
            (
                dress.lut,
                &dress.scale,
                bar_name(name, &dress.scale, language),
            )
        }),
        samples,
    }
}

/// "weights, linear scale".
fn bar_name(name: &str, scale: &Scale, language: Language) -> String {
    let scale = match scale.kind() {
        ColourScale::Linear => Key::ScaleLinear,
        ColourScale::Log => Key::ScaleLog,
    };
    let values = [("name", name), ("scale", say(language, scale))];
    fill(language, Key::PictureBar, &values)
}

impl Making<'_> {
    /// The large map.
    fn map(&self) -> Option<Figure> {
        let Sight {
            run,
            head,
            exhibit,
            language,
            pointed,
            ..
        } = *self.sight;
        let dress = self
            .colours
            .luts()
            .dress(exhibit.step, &exhibit.matrix, &exhibit.hidden);
        let title = names::map(&run.state, exhibit.step, head, language);
        let plate = plate(exhibit, &dress, [pointed.query, pointed.key], language)?;
        let mut sheet = Sheet::of_plate(self.setting, &plate, &title);
        sheet.legend(&legend(exhibit, &dress, language));
        if let Some(pooling) = sheet.pooling {
            sheet.note(&sights::pooled(pooling, language));
        }
        sheet.caption(&self.mechanism);
        Some(self.finish(sheet, &title))
    }

    fn finish(&self, sheet: Sheet<'_>, title: &str) -> Figure {
        let Sight { run, language, .. } = *self.sight;
        let text = fill(language, Key::PictureOf, &[("text", &run.state.text)]);
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
