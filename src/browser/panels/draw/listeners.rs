//! Event listeners of the panel.

use std::rc::Weak;

use web_sys::Element;

use super::{Back, Inner, with};
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::panels::painting::{focus_cell, listen_to_grid};
use app::present::painted_grid::{GridChange, GridEvent};

pub(super) fn listen(
    root: &Root,
    inner: &Inner,
    back: &Back,
) -> Result<Vec<Listener>, MissingPart> {
    let changed = |target: &Element, event, change: fn(&mut Inner)| {
        let back = Weak::clone(back);
        Listener::new(target, event, move |_| with(&back, change))
    };
    let grid: Element = root.find("#draw-target")?;
    let mut listeners = vec![
        changed(&inner.pattern, "change", Inner::choose_pattern),
        changed(&inner.d_k, "change", Inner::read_options),
        changed(&inner.heads, "change", Inner::read_options),
        changed(&inner.positions, "change", Inner::read_options),
        changed(&inner.find, "click", Inner::find_or_pause),
        changed(&inner.sweep, "click", Inner::sweep_or_pause),
        changed(&inner.clear, "click", Inner::clear),
    ];
    let back = Weak::clone(back);
    listeners.extend(listen_to_grid(&grid, move |event| {
        let mut change = GridChange::Nothing;
        with(&back, |inner| change = inner.paint(event));
        change
    }));
    Ok(listeners)
}

impl Inner {
    fn clear(&mut self) {
        self.change(|lab| lab.clear());
    }

    fn paint(&mut self, event: GridEvent<'_>) -> GridChange {
        let Some(lab) = &mut self.lab else {
            return GridChange::Nothing;
        };
        let was_begun = lab.is_begun();
        let change = lab.take(event);
        match change {
            GridChange::Nothing | GridChange::Released => {}
            GridChange::Painted => self.go_on(was_begun),
            GridChange::Focused => self.draw(),
            GridChange::Moved => {
                let (cell, length) = (lab.grid().cell(), lab.grid().length());
                self.draw();
                focus_cell(&self.target, cell, length);
            }
        }
        change
    }
}
