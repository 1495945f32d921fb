//! The Save menu: opened, changed, saved and copied by what its view holds.

use std::ops::{Deref, DerefMut};

use super::panels::{attribute, has, text_of};
use super::*;
use crate::export::figures::NamedFigure;
use crate::export::figures::Subject;
use crate::export::save_menu::{SaveRequest, SavedFile};
use crate::i18n::Key;
use crate::message::SaveEvent;
use crate::present::panel::PanelEvent;
use crate::scene::scale::Scale;
use crate::state::ColourScale;
use formats::{Kind, Tensor};

/// A page whose Save menu was opened.
struct Saving(Page);

impl Deref for Saving {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.0
    }
}

impl DerefMut for Saving {
    fn deref_mut(&mut self) -> &mut Page {
        &mut self.0
    }
}

impl Saving {
    fn save(&mut self, event: SaveEvent) {
        self.send(Message::Save(event));
    }

    /// Presses a button of the menu, by its id; returns what it asks for.
    fn press(&mut self, id: &str) -> Option<SaveRequest> {
        let view = self.view();
        assert!(!has(&view, id, "disabled"), "{id}");
        let (before, does) = (self.effects.len(), attribute(&view, id, "data-do"));
        self.save(SaveEvent::View(PanelEvent::Press(does)));
        self.effects[before..]
            .iter()
            .find_map(|effect| match effect {
                Effect::Save(request) => Some(request.clone()),
                _ => None,
            })
    }

    fn enter(&mut self, field: &str, value: &str) {
        let view = self.view();
        assert!(view.contains(&format!("data-field=\"{field}\"")), "{field}");
        for change in [Change::Input, Change::Commit] {
            let event = PanelEvent::Enter(field.to_owned(), value.to_owned(), change);
            self.save(SaveEvent::View(event));
        }
    }

    /// Computes what is asked for, and paints it.
    fn rest(&mut self) {
        self.compute_all();
        let scale = Scale::new(ColourScale::Linear, 1.0);
        self.app.held_range.hold(StepKind::Weights, scale);
        self.save(SaveEvent::Painted);
    }

    fn figure(&self) -> Option<NamedFigure> {
        let measure = |text: &str, size| 0.6 * size * text.chars().count() as f64;
        self.app.chosen_figure(&measure)
    }

    fn view(&self) -> String {
        let figure = self.figure();
        let markup = self.app.save_view(figure.as_ref());
        markup.expect("opened").into_string()
    }

    fn value(&self, id: &str) -> String {
        attribute(&self.view(), id, "data-value")
    }

    fn text(&self, id: &str) -> String {
        text_of(&self.view(), id)
    }

    /// The pictures that are offered.
    fn offered(&self) -> Vec<&'static str> {
        let view = self.view();
        let is_offered = |subject: &Subject| {
            let option = format!("<option value=\"{}\" disabled hidden>", subject.name());
            !view.contains(&option)
        };
        let offered = Subject::ALL.into_iter().filter(is_offered);
        offered.map(Subject::name).collect()
    }
}

fn opened(settings: &str, picture: &str) -> Saving {
    let mut page = Saving(Page::opened(&format!("v=1&text=a+b+c&heads=2{settings}")));
    page.rest();
    page.save(SaveEvent::Open(picture.to_owned()));
    page
}

fn saved(name: &str, is_saved: bool) -> SavedFile {
    let name = name.to_owned();
    SavedFile { name, is_saved }
}

#[test]
fn the_menu_opens_on_the_picture_of_its_button_and_offers_what_is_there() {
    let mut page = opened("", "heads");
    assert_eq!(page.value("save-subject"), "heads");
    let figure = page.figure().expect("a figure");
    assert_eq!(figure.stem, "attention-all-heads");
    let title = attribute(&page.view(), "save-preview", "alt");
    assert_eq!(title, figure.figure.title);
    // Neither a comparison nor the chart of the cost is on the page.
    let there = [
        "map",
        "heads",
        "curves",
        "entropy",
        "itself",
        "first",
        "histogram",
        "similar",
    ];
    assert_eq!(page.offered(), there);
    page.save(SaveEvent::Open("cost".to_owned()));
    assert_eq!(page.value("save-subject"), "map");
    // What is chosen goes with what it shows.
    page.enter("save-subject", "similar");
    assert_eq!(
        page.figure().expect("a figure").stem,
        "attention-similar-heads"
    );
    page.set(Field::Heads, Value::Number(1));
    page.rest();
    assert_eq!(page.value("save-subject"), "map");
    assert!(!page.offered().contains(&"similar"));
}

#[test]
fn a_format_has_choices_and_a_size_of_its_own() {
    let mut page = opened("", "map");
    assert!(has(&page.view(), "save-scale", "hidden"));
    assert_eq!(page.text("save-take"), "Save as SVG");
    assert!(page.text("save-size").contains(" mm; text stays text"));
    page.enter("save-format", "png");
    assert!(!has(&page.view(), "save-scale", "hidden"));
    assert_eq!(page.text("save-take"), "Save as PNG");
    assert!(page.text("save-size").contains(", 192 per inch"));
    page.enter("save-scale", "3");
    assert!(page.text("save-size").contains(", 288 per inch"));
    // More pixels than a browser can draw are refused, and less of them are not.
    page.set(Field::Text, text(&"word ".repeat(60)));
    page.rest();
    page.enter("save-width", "1270");
    page.enter("save-scale", "4");
    assert!(
        page.text("save-note")
            .contains("are more than a browser can draw")
    );
    assert!(has(&page.view(), "save-take", "disabled"));
    page.enter("save-scale", "1");
    assert_eq!(page.text("save-note"), "");
    assert_eq!(page.press("save-take"), Some(SaveRequest::Picture));
    // A picture without heading and caption is lower, and one for a dark page has another ground.
    let height = |page: &Saving| page.figure().expect("a figure").figure.height;
    let with_words = height(&page);
    page.enter("save-words", "false");
    assert!(height(&page) < with_words);
    let drawn = |page: &Saving| {
        let figure = page.figure().expect("a figure").figure;
        crate::scene::svg::write(&figure, crate::scene::svg::Unit::Px)
    };
    let light = drawn(&page);
    page.enter("save-ground", "dark");
    assert_ne!(drawn(&page), light);
    page.enter("save-ground", "light");
    assert_eq!(drawn(&page), light);
}

#[test]
fn a_width_is_one_that_can_be_and_stays_the_same_in_another_unit() {
    let mut page = opened("", "map");
    let wide = |page: &Saving| page.app.save.as_ref().expect("opened").choices.width;
    assert_eq!(page.value("save-width"), "170");
    for (typed, used) in [
        ("1", "42"),
        ("99999", "1270"),
        ("85.5", "85.5"),
        ("", "170"),
    ] {
        page.enter("save-width", typed);
        assert_eq!(page.value("save-width"), used, "{typed}");
    }
    page.enter("save-unit", "px");
    let view = page.view();
    let limits = ["min", "max", "data-value"].map(|name| attribute(&view, "save-width", name));
    assert_eq!(limits, ["160", "4800", "643"]);
    assert_eq!(
        (page.value("save-unit"), wide(&page)),
        ("px".to_owned(), 643.0)
    );
    page.set(Field::Text, text(&"word ".repeat(12)));
    page.rest();
    page.enter("save-width", "400");
    let narrow = page.figure().expect("a figure").figure.width;
    assert!((390.0..=400.0).contains(&narrow), "{narrow}");
    page.enter("save-unit", "mm");
    assert_eq!(page.value("save-width"), "106");
    // The same unit again changes nothing.
    page.enter("save-width", "85.5");
    page.enter("save-unit", "mm");
    assert_eq!(page.value("save-width"), "85.5");
}

#[test]
fn numbers_of_the_map_are_saved_in_the_format_that_is_chosen() {
    let mut page = opened("&head=2&weights=random", "map");
    assert!(
        page.text("numbers-size")
            .contains("weights · head 2: 3 × 3 numbers")
    );
    assert_eq!(
        (page.value("numbers-kind"), page.text("numbers-take")),
        ("csv".to_owned(), "Save as CSV".to_owned())
    );
    page.enter("numbers-kind", "safetensors");
    let Some(SaveRequest::Numbers { name, kind, tensor }) = page.press("numbers-take") else {
        panic!("a file");
    };
    assert_eq!(
        (&*name, kind),
        ("attention-head-2-weights.safetensors", Kind::Safetensors)
    );
    let Tensor { shape, data, .. } = tensor;
    assert_eq!(shape, [3, 3]);
    let run = page.app.main.run.as_ref().expect("numbers");
    assert_eq!(
        data,
        DisplayedMatrix::new(run, StepKind::Weights, 1)
            .matrix
            .values
            .to_vec()
    );
    // What became of files is said beside their buttons, until something else is chosen.
    page.save(SaveEvent::Numbers(saved(&name, true)));
    page.save(SaveEvent::Picture(saved("a.png", false)));
    assert_eq!(page.text("numbers-said"), format!("Saved: {name}"));
    assert_eq!(page.text("save-said"), Key::SaveFailed.text(Language::En));
    page.enter("text-form", "python");
    assert_ne!(page.text("numbers-said"), "");
    page.enter("numbers-kind", "npy");
    assert_eq!(
        (page.text("numbers-said"), page.text("save-said")),
        Default::default()
    );
}

#[test]
fn the_text_that_is_shown_is_copied_and_selected_where_it_cannot_be() {
    let mut page = opened("&mask=causal", "map");
    let whole = page.value("text-written");
    assert!(whole.starts_with("query \\ key\ta\tb\tc\n"), "{whole}");
    assert_eq!(page.text("text-note"), "Hidden cells are left empty.");
    assert_eq!(page.press("text-copy"), Some(SaveRequest::Copy(whole)));
    page.save(SaveEvent::View(PanelEvent::Copied(true)));
    assert_eq!(page.text("text-said"), "Copied.");
    page.enter("text-extent", "row");
    assert_eq!(page.text("text-said"), "", "another text is not copied yet");
    let row = page.value("text-written");
    assert_eq!((row.lines().count(), &row[..1]), (2, "q"));
    page.save(SaveEvent::View(PanelEvent::Copied(false)));
    assert!(page.text("text-said").contains("Ctrl+C"));
    assert!(
        page.effects
            .contains(&Effect::Save(SaveRequest::Select(row)))
    );
    page.enter("text-form", "latex");
    assert!(page.value("text-written").contains("tabular"));
    // There is no cell before one is locked.
    page.enter("text-extent", "cell");
    let view = page.view();
    assert!(has(&view, "text-copy", "disabled") && has(&view, "text-written", "hidden"));
    assert_eq!(page.text("text-note"), Key::TextNothing.text(Language::En));
    page.send(Message::Map(MapEvent::Click(at(1, 0))));
    page.enter("text-form", "tabs");
    assert!(page.value("text-written").parse::<f32>().is_ok());
}

#[test]
fn a_key_copies_the_locked_cell_or_else_the_row() {
    let mut page = opened("&cell=2", "map");
    let (row, said) = page.app.pointed_text().expect("a row");
    assert_eq!((row.lines().count(), &*said), (2, "Row copied: b"));
    assert!(
        row.lines()
            .nth(1)
            .is_some_and(|line| line.starts_with("b\t"))
    );
    page.send(Message::Map(MapEvent::Click(at(1, 2))));
    let (cell, said) = page.app.pointed_text().expect("a cell");
    assert_eq!(said, format!("Copied: {cell}"));
    let run = page.app.main.run.as_ref().expect("numbers");
    let values = DisplayedMatrix::new(run, StepKind::Weights, 0)
        .matrix
        .values
        .to_vec();
    assert_eq!(cell.parse(), Ok(values[5]));
    let empty = Page::opened("v=1&text=a");
    assert_eq!(empty.app.pointed_text(), None, "nothing is on the map yet");
}

#[test]
fn an_open_menu_follows_the_page_and_a_closed_one_waits() {
    let mut page = opened("", "map");
    page.save(SaveEvent::Picture(saved("a.svg", true)));
    assert_eq!(page.text("save-said"), "Saved: a.svg");
    page.set(Field::Text, text("a b c d"));
    page.rest();
    assert_eq!(page.text("save-said"), "", "that was another picture");
    assert!(page.text("numbers-size").contains("4 × 4"));
    assert!(page.value("text-written").contains("\td\n"));
    page.set(Field::Language, Value::Choice("zh"));
    page.rest();
    assert_eq!(
        page.text("save-picture-name"),
        Key::SavePicture.text(Language::Zh)
    );
    page.save(SaveEvent::Toggled(true));
    assert!(page.app.save.as_ref().is_some_and(|save| save.is_open));
    page.save(SaveEvent::Toggled(false));
    assert_eq!(page.effects.last(), Some(&Effect::Show(View::Save)));
    page.set(Field::Text, text("a b"));
    page.rest();
    assert!(
        page.value("text-written").contains("\td\n"),
        "it is not read"
    );
    page.enter("save-format", "png");
    page.save(SaveEvent::Open("map".to_owned()));
    assert!(!page.value("text-written").contains("\td\n"));
    // What was chosen stays.
    assert_eq!(
        page.app
            .save
            .as_ref()
            .map(|save| save.choices.format.name()),
        Some("png")
    );
}
