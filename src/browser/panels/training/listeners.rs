//! Event listeners of the lab.

use std::rc::Weak;

use web_sys::Element;

use super::model_files::ModelFile;
use super::work::Work;
use super::{Back, Inner, with};
use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::panels::painting::listen_to_grid;
use crate::browser::view::View;
use app::present::address_history::Change;
use app::present::model_export::ExportedRun;
use app::present::painted_grid::GridChange;
use app::present::training_lab::TrainingLab;

/// Button presses.
#[derive(Clone, Copy)]
pub(super) enum Press {
    /// Starts or stops work in animation frames.
    Work(Work),
    Previous,
    Next,
    Reset,
    Another,
    /// Shows all cells to all heads again.
    Unmask,
    /// Shows the layer of the chosen head on the map.
    OnMap,
    /// Saves a file of a model.
    Save(ExportedRun, ModelFile),
}

pub(super) fn listen(
    root: &Root,
    inner: &Inner,
    back: &Back,
) -> Result<Vec<Listener>, MissingPart> {
    let own = |what| Press::Save(ExportedRun::Own, what);
    let other = |what| Press::Save(ExportedRun::Other, what);
    let presses = [
        ("#training-previous", Press::Previous),
        ("#training-play", Press::Work(Work::Playing)),
        ("#training-next", Press::Next),
        ("#training-at-once", Press::Work(Work::Silent)),
        ("#training-reset", Press::Reset),
        ("#training-another", Press::Another),
        ("#training-unmask", Press::Unmask),
        ("#training-on-map", Press::OnMap),
        ("#training-measure", Press::Work(Work::Measuring)),
        ("#training-take-file", own(ModelFile::File)),
        ("#training-take-open", own(ModelFile::Opening)),
        ("#training-take-train", own(ModelFile::Training)),
        ("#training-other-file", other(ModelFile::File)),
        ("#training-other-open", other(ModelFile::Opening)),
        ("#training-other-train", other(ModelFile::Training)),
    ];
    let grid: Element = root.find("#training-map")?;
    let own_back = Weak::clone(back);
    let mut listeners = listen_to_grid(&grid, move |event| {
        let mut change = GridChange::Nothing;
        with(&own_back, |inner| change = inner.paint(event));
        change
    });
    for (selector, press) in presses {
        let button: Element = root.find(selector)?;
        let back = Weak::clone(back);
        let pressed = move |_| with(&back, |inner| inner.press(press));
        listeners.push(Listener::new(&button, "click", pressed));
    }
    let changed = |target: &Element, event, change: fn(&mut Inner)| {
        let back = Weak::clone(back);
        Listener::new(target, event, move |_| with(&back, change))
    };
    listeners.push(changed(&inner.variant, "change", Inner::begin_again));
    listeners.push(changed(
        &inner.own_text.task,
        "change",
        Inner::choose_own_text,
    ));
    let temperature = &inner.own_text.temperature;
    listeners.push(changed(temperature, "input", |inner| {
        inner.set_temperature(Change::Input)
    }));
    listeners.push(changed(temperature, "change", |inner| {
        inner.set_temperature(Change::Commit)
    }));
    listeners.push(changed(&inner.speed, "change", Inner::change_speed));
    listeners.push(changed(&inner.slider, "input", Inner::slide));
    listeners.push(changed(&inner.slider, "change", Inner::come_to_rest));
    listeners.push(changed(&inner.typed, "input", Inner::read_known));
    listeners.push(changed(&inner.typed, "change", Inner::read_typed));
    let chosen = |view: &View, attribute, choose: fn(&mut TrainingLab, usize)| {
        let back = Weak::clone(back);
        view.on("click", attribute, move |at| {
            with(&back, |inner| inner.choose(choose, at))
        })
    };
    listeners.push(chosen(&inner.wall, "data-training-head", |lab, head| {
        lab.head = head
    }));
    listeners.push(chosen(&inner.map, "data-training-row", |lab, row| {
        lab.row = row
    }));
    Ok(listeners)
}
