//! Maps as figures: the large map, all heads, two settings, and the similarity of heads.

use super::compose::{FigureBuilder, bar_name};
use super::differences;
use crate::i18n::{Key, Language, text};
use crate::present::displayed_matrix::DisplayedMatrix;
use crate::present::matrix_style::MatrixStyle;
use crate::present::run::Run;
use crate::present::steps::MatrixKind;
use crate::present::{map_text, names};
use crate::scene::figure::Figure;
use crate::scene::figure::figure_page::FigurePage;
use crate::scene::figure::legend::{Legend, Sample};
use crate::scene::figure::map_figure::{Cells, MapFigure};
use crate::scene::figure::small_multiples::{Many, Small};
use crate::scene::heatmap::{Grid, Hidden, PoolBy};
use crate::scene::layout::{CellFormat, Side};
use crate::scene::scale::Scale;
use crate::state::ColourScale;
use crate::state::StepKind;
use crate::state::comparison::head_of;

impl FigureBuilder<'_> {
    /// The large map.
    pub(super) fn map(&self) -> Option<Figure> {
        let (run, displayed, language) = (self.view.run, self.view.displayed, self.view.language);
        let style =
            (self.colours.luts()).style(displayed.step, &displayed.matrix, &displayed.hidden);
        let title = names::map(run, displayed.step, self.view.head, language);
        let plate = MapFigure {
            cells: Cells {
                grid: displayed.grid()?,
                lut: style.lut,
                scale: &style.scale,
                pool_by: style.pool_by,
            },
            rows: &displayed.rows,
            columns: &displayed.columns,
            titles: displayed.titles(language),
            sides: displayed.sides(),
            form: style.form,
            chosen: if self.has_outline {
                self.view.pointed
            } else {
                [None; 2]
            },
        };
        let mut sheet = FigurePage::of_plate(self.setting, &plate, &title);
        sheet.legend(&legend(displayed, &style, language));
        self.end(&mut sheet);
        Some(self.finish(sheet, &title))
    }

    /// The weights of every head.
    pub(super) fn heads(&self) -> Option<Figure> {
        let (run, language) = (self.view.run, self.view.language);
        let small = |head| {
            Some(Small {
                name: names::head(run, head, language),
                cells: self.weights(run.grid(head)?, &self.colours.scale),
                columns: &run.keys,
                side: key_side(run),
                is_chosen: head == self.view.head,
            })
        };
        let maps: Vec<Small<'_>> = (0..run.heads()).filter_map(small).collect();
        let title = Key::PictureHeads.text(language);
        let mut sheet = self.many(&maps, title);
        let (scale, name) = (
            &self.colours.scale,
            names::step(StepKind::Weights, language),
        );
        sheet.legend(&Legend {
            bar: Some((
                self.colours.luts().of_weights(),
                scale,
                bar_name(name, scale, language),
            )),
            samples: samples(&[run.hidden()], language),
        });
        self.end(&mut sheet);
        Some(self.finish(sheet, title))
    }

    /// Two settings and their difference.
    pub(super) fn compare(&self, b: &Run) -> Option<Figure> {
        let (a, head, language) = (self.view.run, self.view.head, self.view.language);
        let head_b = head_of(&b.state, head);
        let difference = Difference::between((a, head), (b, head_b));
        let range = self.view.state.range;
        let largest = a.largest(range, head).max(b.largest(range, head_b));
        let shared = self.colours.scale.up_to(largest);
        let mut maps = vec![
            self.side('A', (a, head), &shared)?,
            self.side('B', (b, head_b), &shared)?,
        ];
        if let Some(difference) = &difference {
            maps.push(Small {
                name: MINUS.to_owned(),
                cells: Cells {
                    grid: Grid::new(&difference.values, &difference.hidden).ok()?,
                    lut: &self.colours.signed,
                    scale: &difference.scale,
                    pool_by: PoolBy::Peak,
                },
                columns: &a.keys,
                side: key_side(a),
                is_chosen: true,
            });
        }
        let title = Key::PictureCompare.text(language);
        let mut sheet = self.many(&maps, title);
        let weights = names::step(StepKind::Weights, language);
        let both = text::picture_both(language, &weights);
        let of_both = Legend {
            bar: Some((
                self.colours.luts().of_weights(),
                &shared,
                bar_name(&both, &shared, language),
            )),
            samples: Vec::new(),
        };
        let of_difference = difference.as_ref().map(|difference| Legend {
            bar: Some((&self.colours.signed, &difference.scale, MINUS.to_owned())),
            samples: Vec::new(),
        });
        sheet.legends(&of_both, of_difference.as_ref());
        sheet.legend(&Legend {
            bar: None,
            samples: samples(&[a.hidden(), b.hidden()], language),
        });
        self.pooled(&mut sheet);
        sheet.caption(&format!("A: {}", self.mechanism));
        let differences = differences(language, self.view.state);
        sheet.caption(&format!("B: {differences}"));
        Some(self.finish(sheet, title))
    }

    /// How alike every two heads are.
    pub(super) fn similar(&self) -> Option<Figure> {
        let (run, head, language) = (self.view.run, self.view.head, self.view.language);
        let heads = run.heads();
        let similarity = &run.findings().similarity;
        let pairs = (0..heads).flat_map(|one| (0..heads).map(move |other| (one, other)));
        let alike: Vec<Option<f64>> = pairs
            .map(|(one, other)| similarity.between(one, other))
            .collect();
        let values: Vec<f32> = (alike.iter())
            .map(|alike| alike.unwrap_or(0.0) as f32)
            .collect();
        let is_unknown = |one: usize, other: usize| alike[one * heads + other].is_none();
        let hidden = Hidden::new(heads, heads, is_unknown);
        let names: Vec<String> = (1..=heads).map(|head| head.to_string()).collect();
        let scale = Scale::new(ColourScale::Linear, 1.0);
        let heading = Key::ChartSimilar.text(language);
        let plate = MapFigure {
            cells: Cells {
                lut: &self.colours.weights,
                ..self.weights(Grid::new(&values, &hidden).ok()?, &scale)
            },
            rows: &names,
            columns: &names,
            titles: [Key::PictureHeadDown, Key::PictureHeadRight].map(|key| key.text(language)),
            sides: [Side::Neither; 2],
            form: CellFormat::Weights,
            chosen: [Some(head), None],
        };
        let mut sheet = FigurePage::of_plate(self.setting, &plate, heading);
        sheet.legend(&Legend {
            bar: Some((&self.colours.weights, &scale, heading.to_owned())),
            samples: Vec::new(),
        });
        sheet.caption(Key::ChartSimilarMeaning.text(language));
        self.end(&mut sheet);
        Some(self.finish(sheet, heading))
    }

    /// A sheet with small maps.
    fn many(&self, maps: &[Small<'_>], title: &str) -> FigurePage<'_> {
        let (run, language) = (self.view.run, self.view.language);
        let columns = if run.state.linformer {
            Key::AxisProjected
        } else {
            Key::AxisKeys
        };
        let many = Many {
            maps,
            rows: &run.queries,
            titles: [Key::AxisQueries, columns].map(|key| key.text(language)),
        };
        let mut sheet = FigurePage::new(self.setting, many.width(self.setting));
        sheet.heading(title);
        many.draw(&mut sheet, self.setting);
        sheet
    }

    /// One side of a comparison.
    fn side<'b>(
        &'b self,
        letter: char,
        (run, head): (&'b Run, usize),
        scale: &'b Scale,
    ) -> Option<Small<'b>> {
        let name = names::head(run, head, self.view.language);
        Some(Small {
            name: format!("{letter} · {name}"),
            cells: self.weights(run.grid(head)?, scale),
            columns: &run.keys,
            side: key_side(run),
            is_chosen: true,
        })
    }

    fn weights<'b>(&'b self, grid: Grid<'b>, scale: &'b Scale) -> Cells<'b> {
        Cells {
            grid,
            lut: self.colours.luts().of_weights(),
            scale,
            pool_by: PoolBy::Max,
        }
    }

    fn pooled(&self, sheet: &mut FigurePage<'_>) {
        if let Some(pooling) = sheet.pooling {
            sheet.note(&map_text::pooled(pooling, self.view.language));
        }
    }

    /// Captions below every map.
    fn end(&self, sheet: &mut FigurePage<'_>) {
        self.pooled(sheet);
        sheet.caption(&self.mechanism);
    }
}

/// Name of the difference of two settings.
const MINUS: &str = "B − A";

/// The weights of one head less those of another.
struct Difference {
    values: Vec<f32>,
    /// Cells hidden in both.
    hidden: Hidden,
    scale: Scale,
}

impl Difference {
    /// `None` where a column of one is not the same column of the other.
    fn between((a, head_a): (&Run, usize), (b, head_b): (&Run, usize)) -> Option<Self> {
        let columns = |run: &Run| (run.state.linformer, run.keys.len());
        if columns(a) != columns(b) {
            return None;
        }
        let pairs = a.head(head_a).iter().zip(b.head(head_b));
        let values: Vec<f32> = pairs.map(|(a, b)| b - a).collect();
        let largest = (values.iter()).fold(0.0_f32, |most, value| most.max(value.abs()));
        let [of_a, of_b] = [a, b].map(Run::hidden);
        let is_hidden = |query, key| of_a.is_hidden(query, key) && of_b.is_hidden(query, key);
        Some(Self {
            hidden: Hidden::new(a.queries.len(), a.keys.len(), is_hidden),
            scale: Scale::symmetric(largest),
            values,
        })
    }
}

fn key_side(run: &Run) -> Side {
    if run.state.linformer {
        Side::Neither
    } else {
        Side::Keys
    }
}

/// Legend of colours and hatching.
fn legend<'a>(
    displayed: &DisplayedMatrix<'_>,
    style: &'a MatrixStyle<'_>,
    language: Language,
) -> Legend<'a> {
    let is_mask = style.kind == MatrixKind::Mask;
    let mut all = Vec::new();
    if is_mask {
        let [r, g, b, _] = style.lut.colour(u8::MAX);
        let visible = Key::VisibleCell.text(language).to_owned();
        all.push((Sample::Colour([r, g, b]), visible));
    }
    all.extend(samples(&[&displayed.hidden], language));
    let name = names::step(displayed.step, language);
    let bar = || {
        let name = bar_name(name, &style.scale, language);
        (style.lut, &style.scale, name)
    };
    Legend {
        bar: (!is_mask).then(bar),
        samples: all,
    }
}

/// Legend entries for hatching, if there is any.
fn samples(all: &[&Hidden], language: Language) -> Vec<(Sample, String)> {
    let mut samples = Vec::new();
    if all.iter().any(|hidden| hidden.hides_some()) {
        samples.push((Sample::Hidden, Key::HiddenCells.text(language).to_owned()));
    }
    if all
        .iter()
        .any(|hidden| hidden.empty_rows().next().is_some())
    {
        samples.push((Sample::Empty, Key::PictureEmpty.text(language).to_owned()));
    }
    samples
}
