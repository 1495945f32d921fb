//! Curves were a panel before they were a view: settings that open it show them instead.

use std::borrow::Cow;

use super::value::NONE;
use super::{Field, MapView, Part, State};

/// Whether `name` is that of the former panel.
pub(super) fn is_panel(field: Field, name: &str) -> bool {
    field == Field::Panels && name == MapView::Curves.name()
}

/// The value of a field without the former panel.
pub(super) fn taken_out(field: Field, written: &str) -> Cow<'_, str> {
    if !written.split(',').any(|name| is_panel(field, name)) {
        return written.into();
    }
    let others: Vec<&str> = (written.split(',').filter(|name| !is_panel(field, name))).collect();
    if others.is_empty() {
        return NONE.into();
    }
    others.join(",").into()
}

/// Whether settings open the former panel where it is shown, and say nothing of the view. `given` is what is written for a field.
pub(super) fn is_opened<'a>(state: &State, given: impl Fn(Field) -> Option<&'a str>) -> bool {
    let open = given(Field::Panels).unwrap_or_default();
    let is_open = open.split(',').any(|name| is_panel(Field::Panels, name));
    if !is_open || given(Field::View).is_some() {
        return false;
    }
    let mut laid_out = state.clone();
    for field in [Field::Embed, Field::Show] {
        if let Some(Ok(value)) = given(field).map(|written| field.parse(written)) {
            // What is refused here is refused and reported with the other settings.
            let _ = laid_out.set(field, value);
        }
    }
    laid_out.is_shown(Part::Curves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::external_settings::{SettingInput, apply};
    use crate::state::{Panel, Panels, StepKind, steps, url};

    #[test]
    fn a_link_that_opens_the_panel_shows_the_curves() {
        for (link, panels, view) in [
            ("open=curves", Panels::EMPTY, MapView::Curves),
            (
                "open=cost,curves",
                Panels::EMPTY.with(Panel::Cost, true),
                MapView::Curves,
            ),
            ("open=curves&view=map", Panels::EMPTY, MapView::Map),
            ("open=curves&show=curves", Panels::EMPTY, MapView::Curves),
            // It was not there, although it was open.
            ("open=curves&show=map", Panels::EMPTY, MapView::Map),
            ("embed&open=curves", Panels::EMPTY, MapView::Map),
            ("embed&show=all&open=curves", Panels::EMPTY, MapView::Curves),
        ] {
            let (state, notes) = url::parse(link);
            assert_eq!(
                (state.panels, state.view, notes),
                (panels, view, vec![]),
                "{link}"
            );
            assert_eq!(url::parse(&url::to_fragment(&state)).0, state, "{link}");
        }
        let (_, notes) = url::parse("open=curves,nonsense");
        assert_eq!(notes[0].value, "nonsense");
    }

    #[test]
    fn curves_are_those_of_the_weights_and_so_is_the_cell() {
        let (state, notes) = url::parse("open=curves&step=q&d_k=2&cell=2,9");
        assert_eq!(
            (steps::shown(&state), state.step),
            (StepKind::Weights, StepKind::Queries)
        );
        assert_eq!(
            (state.cell.and_then(|cell| cell.key), notes),
            (Some(8), vec![])
        );
    }

    #[test]
    fn a_host_that_opens_the_panel_shows_the_curves() {
        let given = |key: &str, value: &str| SettingInput {
            key: key.to_owned(),
            value: Some(value.to_owned()),
        };
        let (state, notes) = apply(&State::default(), &[given("open", "steps,curves")]);
        let open = Panels::EMPTY.with(Panel::Steps, true);
        assert_eq!(
            (state.view, state.panels, notes),
            (MapView::Curves, open, vec![])
        );
        let (state, _) = apply(&url::parse("embed&show=map").0, &[given("open", "curves")]);
        assert_eq!(state.view, MapView::Map);
    }
}
