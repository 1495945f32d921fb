//! All heads as thumbnails on the map's scale; choosing one enlarges it.

use std::cell::Cell;
use std::rc::Rc;

use web_sys::{Element, HtmlElement};

use crate::browser::dom::{MissingPart, Root, mark_end};
use crate::browser::event_listener::Listener;
use crate::browser::heatmap_view::Heatmaps;
use crate::browser::view::View;
use app::i18n::Language;
use app::present::colour_style::ColourStyle;
use app::present::run::Run;
use app::present::thumbnails::thumbnails;
use app::scene::heatmap::Hidden;
use app::views::head_thumbnails::head_thumbnails;

/// Cells per side above which a thumbnail pools them.
const MOST: u32 = 96;

/// The row of thumbnails.
pub(crate) struct Heads {
    list: View,
    heatmaps: Heatmaps,
    ends: [Element; 2],
    /// The chosen head and how many there are.
    at: Rc<Cell<(usize, usize)>>,
    _listeners: [Listener; 3],
}

impl Heads {
    /// `choose` is called with the head whose thumbnail is pressed, or that an arrow leads to.
    pub(crate) fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        let list = View::find(root, "#all-heads")?;
        let (choose, at) = (Rc::new(choose), Rc::new(Cell::new((0, 0))));
        let ends: [Element; 2] = [root.find("#head-previous")?, root.find("#head-next")?];
        let arrow = |end: &Element, next: fn(usize) -> Option<usize>| {
            let (choose, at) = (Rc::clone(&choose), Rc::clone(&at));
            Listener::new(end, "click", move |_| {
                let (chosen, heads) = at.get();
                if let Some(head) = next(chosen).filter(|head| *head < heads) {
                    choose(head);
                }
            })
        };
        let [previous, next] = [
            arrow(&ends[0], |chosen| chosen.checked_sub(1)),
            arrow(&ends[1], |chosen| Some(chosen + 1)),
        ];
        let pressed = move |head| choose(head);
        Ok(Self {
            _listeners: [previous, next, list.on("click", "data-head", pressed)],
            list,
            ends,
            at,
            heatmaps: Heatmaps::default(),
        })
    }

    /// Shows every head of `run` with its number and role.
    pub(crate) fn update(
        &mut self,
        run: &Run,
        (chosen, row): (usize, usize),
        colours: &ColourStyle,
        language: Language,
    ) {
        self.list
            .update(head_thumbnails(run, chosen, row, language));
        let (chosen, all) = (run.thumbnail(chosen), thumbnails(run));
        if self.at.replace((chosen, all.len())) != (chosen, all.len()) {
            self.reveal_chosen();
        }
        mark_end(&self.ends[0], chosen == 0);
        mark_end(&self.ends[1], chosen + 1 >= all.len());
        let hatch = colours.hatch(1.0);
        let style = colours.of_small(&hatch);
        let seen = Hidden::none(run.queries.len(), run.keys.len());
        self.heatmaps
            .paint(&self.list, &colours.palette, &mut |at, image| {
                let thumbnail = all.get(at.parse().unwrap_or(usize::MAX));
                let grid = thumbnail.and_then(|thumbnail| thumbnail.grid(run, &seen));
                let paint = |grid| image.paint_small(&grid, MOST, &style);
                grid.map(paint).is_some()
            });
    }

    /// Scrolls the strip, where the thumbnails are in one, and nothing but it.
    fn reveal_chosen(&self) {
        let found = self.list.all::<HtmlElement>("[aria-pressed=\"true\"]");
        let own = |button: &HtmlElement| button.closest("#all-heads").ok().flatten();
        if let Some((button, strip)) = found
            .first()
            .and_then(|button| Some((button, own(button)?)))
        {
            let room = strip.client_width() - button.offset_width();
            strip.set_scroll_left(button.offset_left() - room / 2);
        }
    }
}
