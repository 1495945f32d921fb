//! Small maps of the steps that a number was computed from, with its operands highlighted.

use web_sys::{Element, HtmlCanvasElement};

use crate::browser::dom::{self, MissingPart, Root, Text};
use crate::browser::main_view::ViewContext;
use crate::browser::panels::thumbnail::{Miniature, PaintedThumbnail};
use app::present::names;
use app::present::steps::explain::{CellRef, Explanation, Operand};
use app::state::StepKind;

/// The largest picture, in CSS pixels: three of them fit beside each other.
const ROOM: [f64; 2] = [96.0, 72.0];

/// The pictures in their row.
pub(super) struct Sources {
    row: Element,
    pictures: Vec<(Text, Miniature)>,
    painted: Option<PaintedThumbnail>,
    pixels: Vec<u8>,
}

impl Sources {
    pub(super) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            row: root.find("#inspector-sources")?,
            pictures: Vec::new(),
            painted: None,
            pixels: Vec::new(),
        })
    }

    /// Shows the steps that `explanation` refers to. The hovered number is highlighted, otherwise
    /// all operands.
    pub(super) fn update(&mut self, explanation: &Explanation, context: &ViewContext<'_>) {
        let places: Vec<CellRef> = operands(explanation).filter_map(|own| own.place).collect();
        let mut steps: Vec<StepKind> = Vec::new();
        for CellRef { step, .. } in &places {
            if !steps.contains(step) {
                steps.push(*step);
            }
        }
        self.lay_out(&steps);
        self.paint(context);
        let is_ours = |place: &&CellRef| steps.contains(&place.step);
        let pointed: Vec<CellRef> = context.lit.iter().filter(is_ours).copied().collect();
        let lit = if pointed.is_empty() { places } else { pointed };
        for (_, picture) in &mut self.pictures {
            picture.light(&lit, None, &context.colours.palette);
        }
    }

    pub(super) fn clear(&mut self) {
        self.lay_out(&[]);
    }

    /// Colours have changed.
    pub(super) fn restyle(&mut self) {
        self.painted = None;
    }

    fn lay_out(&mut self, steps: &[StepKind]) {
        if self.pictures.iter().map(|(_, own)| &own.step).eq(steps) {
            return;
        }
        self.row.set_text_content(None);
        self.painted = None;
        let made = steps.iter().map(|step| picture(&self.row, *step));
        self.pictures = made.map_while(|made| made).collect();
    }

    fn paint(&mut self, context: &ViewContext<'_>) {
        let (run, language) = (context.run, context.language);
        let painted = PaintedThumbnail::from_state(context.head, context);
        if self.painted.as_ref() == Some(&painted) {
            return;
        }
        for (name, picture) in &mut self.pictures {
            name.set_text(names::step(picture.step, language));
            let (whose, pixels) = ((run, context.head), &mut self.pixels);
            picture.paint(whose, context.colours, painted.frame, pixels);
        }
        self.painted = Some(painted);
    }
}

/// A picture with its name below it.
fn picture(row: &Element, step: StepKind) -> Option<(Text, Miniature)> {
    let figure: Element = dom::append(row, "span", "source")?;
    dom::set(&figure, "data-of", step.name());
    let canvas: HtmlCanvasElement = dom::append(&figure, "canvas", "")?;
    let name: Element = dom::append(&figure, "span", "name")?;
    Some((Text::new(name), Miniature::new(canvas, step, ROOM)?))
}

/// Every number that went in.
fn operands(explanation: &Explanation) -> impl Iterator<Item = &Operand> {
    let lines = explanation.before.iter().chain(&explanation.after);
    let terms = explanation.terms.iter().flat_map(|term| &term.operands);
    terms.chain(lines.map(|line| &line.operand))
}
