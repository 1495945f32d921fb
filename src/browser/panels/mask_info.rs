//! The mask in words: its rule, how much it leaves visible, rows that see nothing, what surprises in it, and the effect of hiding.

use std::rc::Rc;

use web_sys::Element;

use crate::browser::dom::{self, Attribute, MissingPart, Root, Text};
use crate::browser::heatmap_view::HeatmapView;
use app::i18n::Language;
use app::present::colour_style::ColourStyle;
use app::present::mask_bits::MaskBits;
use app::present::mask_effect::MaskEffect;
use app::present::run::Run;
use app::scene::colour::Background;
use app::scene::heatmap::{Grid, Style};
use app::state::StepKind;

/// Cells per side above which the small map pools them.
const MOST: u32 = 96;

/// Texts below the switches of the mask.
pub(crate) struct MaskInfo {
    rule: Text,
    fault: Text,
    count: Text,
    empty_rows: Text,
    traps: Text,
    button: Element,
    is_large: Attribute,
    small: HeatmapView,
    hiding: Element,
    note: Text,
    clear: Attribute,
    painted: Option<(Rc<MaskBits>, Background)>,
}

impl MaskInfo {
    pub(crate) fn new(root: &Root) -> Result<Self, MissingPart> {
        Ok(Self {
            rule: Text::find(root, "#mask-rule")?,
            fault: Text::find(root, "#rule-fault")?,
            count: Text::find(root, "#mask-count")?,
            empty_rows: Text::find(root, "#mask-empty-rows")?,
            traps: Text::find(root, "#mask-traps")?,
            button: root.find("#mask-look")?,
            is_large: Attribute::new(root.find::<Element>("#mask-map")?, "aria-pressed"),
            small: HeatmapView::find(root, "#mask-map canvas")?,
            hiding: root.find("#hiding")?,
            note: Text::find(root, "#hiding-note")?,
            clear: Attribute::new(root.find::<Element>("#paint-clear")?, "aria-disabled"),
            painted: None,
        })
    }

    /// Shows the mask of `run`, and what hiding did to the weights of `head`.
    pub(crate) fn update(
        &mut self,
        run: &Run,
        head: usize,
        step: StepKind,
        colours: &ColourStyle,
        language: Language,
    ) {
        let effect = MaskEffect::new(run, head, language);
        self.rule.set_text(&effect.rule);
        self.fault.set_text(&effect.fault);
        self.count.set_text(&effect.count);
        self.empty_rows.set_text(&effect.empty_rows);
        self.traps.set_text(&effect.traps);
        self.note.set_text(&effect.hiding);
        dom::set_flag(&self.button, "hidden", !effect.is_mask);
        dom::set_flag(&self.hiding, "hidden", !effect.is_hiding);
        self.is_large.set(flag(step == StepKind::Mask));
        self.clear.set(flag(run.state.paint.is_empty()));
        self.draw(&run.seen, run.queries.len() * run.keys.len(), colours);
    }

    /// Colours have changed, or the canvas was emptied.
    pub(crate) fn restyle(&mut self) {
        self.painted = None;
    }

    fn draw(&mut self, seen: &Rc<MaskBits>, cells: usize, colours: &ColourStyle) {
        let ground = colours.palette.ground;
        let is_same =
            |(drawn, on): &(Rc<MaskBits>, Background)| Rc::ptr_eq(drawn, seen) && *on == ground;
        if self.painted.as_ref().is_some_and(is_same) {
            return;
        }
        let ones = vec![1.0; cells];
        let Ok(grid) = Grid::new(&ones, &seen.masked) else {
            return;
        };
        let hatch = colours.hatch(1.0);
        let style = Style {
            lut: &colours.palette.mask,
            ..colours.of_small(&hatch)
        };
        self.small.image.paint_small(&grid, MOST, &style);
        self.small.show(&colours.palette);
        self.painted = Some((Rc::clone(seen), ground));
    }
}

fn flag(on: bool) -> &'static str {
    if on { "true" } else { "false" }
}
