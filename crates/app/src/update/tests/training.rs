//! The training panel, from opening it to a link that somebody else opens.

use super::panels::Open;
use super::*;
use crate::present::painted_grid::{GridEvent, place_of};
use crate::present::panel::{PanelContext, PanelEvent};
use crate::scene::colour::{Background, Lut};
use crate::state::{LabTask, Panel};
use crate::views::tests::between;

fn lab(settings: &str) -> Open {
    let fragment = format!("v=1&text=a+b&weights=random&open=training{settings}");
    Open::new(Panel::Training, &fragment)
}

fn answer(page: &Open) -> String {
    let view = page.view();
    between(&view, "class=\"likeliest\" translate=\"no\">", "<")[0].to_owned()
}

/// Progress and map, as they are read.
fn seen(page: &Open) -> [String; 2] {
    ["training-progress", "training-map"].map(|id| page.text(id))
}

#[test]
fn a_model_learns_three_steps_pauses_goes_back_and_is_opened_from_a_link() {
    let mut page = lab("&task=reverse&task_seed=3");
    page.rest();
    assert!(
        page.text("training-progress")
            .contains("nothing has been learned")
    );
    let untrained = seen(&page);
    // One step in each tick at a chosen speed.
    page.enter("training-speed", "20");
    page.press("training-play");
    assert_eq!(page.text("training-play"), "Pause");
    assert!(
        page.effects
            .contains(&Effect::Tick(Panel::Training, Some(50)))
    );
    for step in 1..=3 {
        page.event(PanelEvent::Tick);
        assert_eq!(page.text("training-at"), format!("{step} / 150"));
        let view = page.view();
        let points = between(&view, "polyline points=\"", "\"")[0];
        assert_eq!(points.split(' ').count(), step);
    }
    assert_eq!(page.app.state.task_step, 0, "told once it rests");
    page.press("training-play");
    page.rest();
    assert_eq!(page.app.state.task_step, 3);
    assert_eq!(page.text("training-play"), "Let it learn");
    let learned = seen(&page);
    assert!(learned[0].contains("loss") && learned[1] != untrained[1]);
    // Back and on again, without a step of learning.
    page.enter("training-step", "0");
    assert_eq!((seen(&page), page.app.state.task_step), (untrained, 0));
    page.enter("training-step", "3");
    assert_eq!(seen(&page), learned);
    // Whoever opens the link learns as many steps, and sees the same.
    let mut other = Open::new(Panel::Training, &page.app.fragment());
    other.rest();
    assert_eq!(seen(&other), learned);
    assert_eq!(other.address, [], "nobody has done anything");
    // Another task begins at its beginning, and *undo* brings the training back.
    page.enter("training-task", "sort");
    assert!(
        page.text("training-progress")
            .contains("nothing has been learned")
    );
    assert_eq!(
        (page.app.state.task, page.app.state.task_step),
        (LabTask::Sort, 0)
    );
    page.send(Message::Undo(UndoAction::Undo));
    page.rest();
    assert_eq!(seen(&page), learned);
}

#[test]
fn a_closed_panel_ticks_no_more_and_goes_on_from_where_it_was() {
    let mut page = lab("&task=copy");
    page.press("training-at-once");
    page.event(PanelEvent::Tick);
    let at = page.text("training-at");
    page.set(Field::Panels, Value::Names(Vec::new()));
    assert!(page.effects.contains(&Effect::Tick(Panel::Training, None)));
    assert_eq!(page.text("training-at"), at);
    page.set(Field::Panels, Value::Names(vec!["training"]));
    page.press("training-at-once");
    page.rest();
    let done = page.text("training-done");
    assert!(done.starts_with("All 300 steps are done"), "{done}");
}

#[test]
fn what_cannot_be_read_changes_nothing_and_is_answered_with_what_can() {
    let mut page = lab("");
    page.rest();
    let before = answer(&page);
    page.enter("training-text", "the elephant slept");
    assert!(page.text("training-problem").contains("animal"));
    assert_eq!(
        page.attribute("training-text", "data-value"),
        "the elephant slept"
    );
    assert_eq!(answer(&page), before);
    page.press("training-another");
    assert_eq!(page.text("training-problem"), "");
    // A seed that is no number is refused, and the field shows what there is.
    page.enter("training-seed", "-1");
    assert_eq!(page.attribute("training-seed", "data-value"), "0");
    page.enter("training-seed", "seven");
    assert_eq!(page.attribute("training-seed", "data-value"), "0");
}

#[test]
fn cells_are_hidden_from_a_head_and_what_the_model_makes_of_it_is_measured() {
    let mut page = lab("&task=reverse&task_step=2");
    page.rest();
    assert!(page.tag("training-unmask").contains("aria-disabled"));
    page.event(PanelEvent::Paint(GridEvent::Press(8)));
    page.event(PanelEvent::Paint(GridEvent::Drag((1, 7))));
    page.event(PanelEvent::Paint(GridEvent::Release));
    page.rest();
    assert_eq!(page.text("training-map").matches("·").count(), 0);
    assert_eq!(page.view().matches("aria-selected=\"true\"").count(), 8);
    assert!(
        page.text("training-masked")
            .starts_with("With 8 cells hidden")
    );
    // By keys, and the focus follows.
    page.event(PanelEvent::Paint(GridEvent::Key(8, "ArrowRight")));
    assert_eq!(
        page.effects.last(),
        Some(&Effect::Focus(Panel::Training, place_of(9)))
    );
    page.event(PanelEvent::Paint(GridEvent::Key(9, " ")));
    page.rest();
    assert!(
        page.text("training-masked")
            .starts_with("With 7 cells hidden")
    );
    // They are measured at another step as well.
    page.press("training-previous");
    page.rest();
    assert!(
        page.text("training-masked")
            .starts_with("With 7 cells hidden")
    );
    page.press("training-unmask");
    assert_eq!(page.text("training-masked"), "");
    assert!(page.tag("training-unmask").contains("aria-disabled"));
    // A key that paints nothing is shown nothing for.
    page.effects.clear();
    page.event(PanelEvent::Paint(GridEvent::Release));
    assert!(
        !page
            .effects
            .contains(&Effect::Show(View::Panel(Panel::Training)))
    );
}

#[test]
fn a_run_beside_it_does_one_thing_in_another_way() {
    let mut page = lab("&task=reverse&task_seed=3&task_step=2");
    page.rest();
    assert!(page.has("training-other", "hidden"));
    page.enter("training-variant", "zero");
    assert!(!page.has("training-other", "hidden"));
    assert_eq!(page.app.state.task_step, 0, "both begin at their beginning");
    assert!(page.text("training-variant-see").contains("exactly 0"));
    page.press("training-next");
    page.rest();
    assert!(
        page.text("training-other-progress")
            .contains("gradient norm 0 ")
    );
    page.enter("training-variant", "");
    assert!(page.has("training-other", "hidden"));
}

#[test]
fn ones_own_text_begins_in_the_language_of_the_page_and_is_gone_on_with() {
    let mut page = lab("&lang=zh");
    page.rest();
    page.enter("training-task", "text");
    let own = page.attribute("training-own-text", "data-value");
    assert!(
        own.starts_with("吃葡萄") && own == page.app.state.task_text,
        "{own}"
    );
    let mut page = lab("&task=text");
    page.rest();
    page.enter("training-own-text", "too short");
    let said = "A text to learn from must have more than 32 characters; this one has 9.";
    assert_eq!(page.text("training-own-problem"), said);
    assert!(page.has("training-lab", "hidden"));
    page.enter(
        "training-own-text",
        &"the cat sat on the mat, and the cat ate the rat. ".repeat(4),
    );
    assert_eq!(page.text("training-own-problem"), "");
    let noise = page.text("training-continuation");
    assert_eq!(noise.chars().count(), 160);
    page.press("training-next");
    page.rest();
    let learned = page.text("training-continuation");
    assert_ne!(learned, noise);
    page.enter("training-temperature", "2");
    assert_eq!(
        (
            page.app.state.task_temperature,
            page.text("training-temperature-at")
        ),
        (200, "2".to_owned())
    );
    let hot = page.text("training-continuation");
    assert_ne!(hot, learned);
    let mut other = Open::new(Panel::Training, &page.app.fragment());
    other.rest();
    assert_eq!(other.text("training-continuation"), hot);
}

#[test]
fn a_model_is_taken_along_and_a_layer_goes_on_the_map() {
    let mut page = lab("&task=reverse&task_seed=3&task_step=2");
    page.rest();
    for (button, name) in [
        ("take-file", "reverse-3-2.safetensors"),
        ("take-open", "reverse-3-2.py"),
        ("take-train", "reverse-3-train.py"),
    ] {
        page.press(&format!("training-{button}"));
        let Some(Effect::Download(Some(Panel::Training), file)) = page.effects.last() else {
            panic!("{button}");
        };
        assert_eq!(file.name, name);
    }
    page.event(PanelEvent::Saved("reverse-3-train.py".to_owned(), true));
    assert_eq!(page.text("training-taken"), "Saved: reverse-3-train.py");
    page.press("training-on-map");
    let data = page.app.state.imported.as_ref().expect("a layer");
    assert_eq!(data.file(), "reverse-3-2-1");
    assert_eq!(page.effects.last(), Some(&Effect::RevealImported));
    page.send(Message::Undo(UndoAction::Undo));
    assert!(page.app.state.imported.is_none());
}

#[test]
fn where_nothing_may_move_by_itself_there_is_nothing_to_play() {
    let mut page = lab("");
    for (is_motion_reduced, hidden) in [(false, 0), (true, 2)] {
        let context = PanelContext {
            is_motion_reduced,
            room: 0.0,
            ..page.context(&page.colours)
        };
        let markup = page
            .app
            .panel_view(Panel::Training, context)
            .expect("begun")
            .into_string();
        let tags = [" id=\"training-play\"", " id=\"training-pace\""].map(|id| {
            let (_, rest) = markup.split_once(id).expect("there");
            rest.split('>')
                .next()
                .is_some_and(|tag| tag.ends_with(" hidden"))
        });
        assert_eq!(tags.into_iter().filter(|is| *is).count(), hidden);
    }
    for step in 1..3 {
        page.press("training-next");
        page.rest();
        let lab = page.app.training.as_ref().and_then(|panel| panel.lab());
        assert_eq!(lab.map(|lab| lab.step()), Some(step));
    }
}

#[test]
fn each_head_of_both_runs_is_painted_on_the_canvas_of_its_key() {
    let mut page = lab("&task=reverse&task_seed=3&task_step=2");
    page.enter("training-variant", "zero");
    page.rest();
    let view = page.view();
    let keys = between(&view, "data-heatmap=\"", "\"");
    let lab = page.app.training.as_ref().and_then(|panel| panel.lab());
    let lab = lab.expect("a lab");
    let heads: Vec<_> = lab.all_heads().collect();
    assert_eq!(keys.len(), heads.len());
    assert_eq!(heads.len(), 2 * lab.run().heads());
    let lut = Lut::mask(Background::Light);
    for (key, (reading, head)) in keys.iter().zip(heads) {
        let image = page.heatmap(key).expect("a head");
        let weights = reading.weights(head).iter();
        let index = |weight: &f32| (255.0 * weight.clamp(0.0, 1.0)) as u8;
        let pixels: Vec<u8> = weights
            .flat_map(|weight| lut.colour(index(weight)))
            .collect();
        assert_eq!(image.pixels(), pixels, "{key}");
        assert_eq!(image.css_size(), None, "the style sheet says how large");
    }
    assert!(page.heatmap("x").is_none() && page.heatmap("99").is_none());
}
