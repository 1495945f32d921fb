//! The Share dialog: opened, changed, looked at, copied and closed by what its view holds.

use std::ops::{Deref, DerefMut};

use super::panels::{attribute, has, text_of};
use super::*;
use crate::message::ShareEvent;
use crate::present::panel::PanelEvent;
use crate::share::FILE_NAME;

/// A page whose Share dialog was opened.
struct Shared(Page);

impl Deref for Shared {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.0
    }
}

impl DerefMut for Shared {
    fn deref_mut(&mut self) -> &mut Page {
        &mut self.0
    }
}

impl Shared {
    fn share(&mut self, event: ShareEvent) {
        self.send(Message::Share(event));
    }

    /// Presses a button of the dialog, by its id.
    fn press(&mut self, id: &str) {
        let does = attribute(&self.dialog(), id, "data-do");
        self.share(ShareEvent::View(PanelEvent::Press(does)));
    }

    fn enter(&mut self, field: &str, value: &str) {
        let view = self.dialog();
        assert!(view.contains(&format!("data-field=\"{field}\"")), "{field}");
        let event = PanelEvent::Enter(field.to_owned(), value.to_owned(), Change::Commit);
        self.share(ShareEvent::View(event));
    }

    fn dialog(&self) -> String {
        self.app.share_view().expect("opened").into_string()
    }

    /// The text to copy, as HTML holds it.
    fn shared(&self) -> String {
        attribute(&self.dialog(), "share-text", "data-value")
    }

    fn said(&self) -> String {
        text_of(&self.dialog(), "share-said")
    }

    /// Whether a radio of a group, or the box of a part, is chosen.
    fn is_chosen(&self, field: &str, value: &str) -> bool {
        let view = self.dialog();
        let mut tags = view.split('<').filter(|tag| {
            tag.contains(&format!("data-field=\"{field}\""))
                && tag.contains(&format!(" value=\"{value}\""))
        });
        let tag = tags.next().expect("a choice");
        tag.contains(&format!("data-value=\"{value}\"")) || tag.contains("data-value=\"true\"")
    }

    fn copied(&self) -> Vec<&str> {
        let copied = self.effects.iter().filter_map(|effect| match effect {
            Effect::CopyShared(text) => Some(&**text),
            _ => None,
        });
        copied.collect()
    }
}

fn opened(settings: &str) -> Shared {
    let mut page = Shared(Page::opened(&format!("v=1&text=a+b{settings}")));
    page.share(ShareEvent::Open);
    page
}

const LINK: &str = "https://page.example/#v=1&amp;text=a+b";

#[test]
fn the_dialog_opens_on_the_page_as_it_is_and_writes_what_is_chosen() {
    let mut page = opened("&theme=dark&lock=mask&seed=7");
    assert_eq!(
        page.shared(),
        "https://page.example/#v=1&amp;text=a+b&amp;seed=7&amp;theme=dark&amp;lock=mask"
    );
    assert!(page.is_chosen("extent", "whole") && page.is_chosen("form", "link"));
    assert!(page.is_chosen("locked mask", "mask") && !page.is_chosen("locked heads", "heads"));
    page.enter("theme", "reader");
    page.enter("language", "zh");
    page.enter("locked mask", "false");
    assert_eq!(page.shared(), format!("{LINK}&amp;seed=7&amp;lang=zh"));
    page.enter("language", "");
    page.enter("extent", "chosen");
    let suggested = "show=sentence,heads,mask,legend,reading";
    assert_eq!(page.shared(), format!("{LINK}&amp;seed=7&amp;{suggested}"));
    for part in ["sentence", "legend", "reading"] {
        page.enter(&format!("shown {part}"), "false");
    }
    page.enter("shown cost", "true");
    page.enter("locked heads", "true");
    let link = format!("{LINK}&amp;seed=7&amp;show=heads,mask,cost&amp;lock=heads");
    assert_eq!(page.shared(), link);
    // All controls: single locks stay as they were, and cannot be changed meanwhile.
    page.enter("lock-all", "true");
    assert!(page.shared().ends_with("&amp;lock=all"));
    let is_disabled = |page: &Shared| {
        page.dialog()
            .contains("value=\"mask\" data-field=\"locked mask\" data-value=\"false\" disabled")
    };
    assert!(is_disabled(&page));
    page.enter("lock-all", "false");
    assert!(page.shared().ends_with("&amp;lock=heads") && !is_disabled(&page));
    page.enter("extent", "panel");
    page.enter("panel", "cost");
    assert!(page.shared().contains("&amp;open=cost") && page.shared().contains("show=cost&amp;"));
    page.enter("form", "markdown");
    assert!(page.shared().starts_with("[Attention Playground: a b]("));
    page.enter("form", "element");
    assert!(page.shared().contains("&lt;attention-playground "));
    // Opened again: the form and the panel stay, the rest is that of the page.
    page.press("share-close");
    assert_eq!(page.app.share().map(|dialog| dialog.is_open), Some(false));
    page.share(ShareEvent::Open);
    assert!(page.is_chosen("form", "element") && page.is_chosen("extent", "whole"));
    assert_eq!(
        attribute(&page.dialog(), "share-panel", "data-value"),
        "cost"
    );
    assert!(page.is_chosen("locked mask", "mask") && !page.is_chosen("locked heads", "heads"));
}

#[test]
fn an_embed_suggests_less_and_only_it_lets_sites_in() {
    let mut page = opened("");
    page.enter("form", "iframe");
    assert!(page.is_chosen("extent", "compact"));
    assert_eq!(attribute(&page.dialog(), "share", "data-form"), "iframe");
    assert_eq!(attribute(&page.dialog(), "share", "data-extent"), "compact");
    let note = text_of(&page.dialog(), "share-note");
    assert!(note.starts_with("Goes into the HTML of any page"), "{note}");
    // Between two embeds nothing is suggested.
    page.enter("extent", "whole");
    page.enter("form", "element");
    assert!(page.is_chosen("extent", "whole"));
    page.enter("form", "iframe");
    page.enter("theme", "host");
    page.enter("origins", "https://Course.Example/");
    assert!(
        page.shared().contains("theme=host")
            && page
                .shared()
                .contains("origins=https://course.example&quot;")
    );
    assert_eq!(
        attribute(&page.dialog(), "share-origins", "aria-invalid"),
        "false"
    );
    page.enter("origins", "https://course.example/path");
    assert!(!page.shared().contains("origins"));
    let view = page.dialog();
    assert_eq!(attribute(&view, "share-origins", "aria-invalid"), "true");
    // What was typed stays to be mended, with the rule beside it.
    assert_eq!(
        attribute(&view, "share-origins", "data-value"),
        "https://course.example/path"
    );
    let rule = text_of(&view, "share-origins-note");
    page.enter("origins", "");
    assert_ne!(text_of(&page.dialog(), "share-origins-note"), rule);
    page.enter("form", "link");
    assert!(page.is_chosen("extent", "whole") && !page.shared().contains("theme=host"));
}

#[test]
fn a_frame_is_copied_at_once_with_the_height_that_the_map_fits_into() {
    let mut page = opened("");
    page.press("share-copy");
    assert_eq!(page.copied(), ["https://page.example/#v=1&text=a+b"]);
    page.share(ShareEvent::View(PanelEvent::Copied(true)));
    assert_eq!(page.said(), "Copied.");
    page.enter("form", "iframe");
    assert_eq!(page.said(), "", "another text is not copied yet");
    page.press("share-copy");
    assert!(page.copied()[1].contains(" height=\"560\" "));
    // What a preview reports changes neither the text nor, as it stands there, the frame.
    page.enter("preview", "true");
    page.share(ShareEvent::Height(1611.0));
    let height = |page: &Shared| {
        let dialog = page.app.share().expect("opened");
        dialog.frame.as_ref().map(crate::share::Frame::height)
    };
    assert_eq!(height(&page), Some(560));
    assert!(page.shared().contains("height=&quot;560&quot;"));
    page.enter("form", "element");
    assert_eq!(height(&page), Some(1611));
    page.share(ShareEvent::Height(99_999.0));
    assert_eq!(height(&page), Some(4000));
    // What the browser refuses to copy is selected.
    page.share(ShareEvent::View(PanelEvent::Copied(false)));
    assert!(page.said().contains("Ctrl + C"));
    assert_eq!(page.effects.last(), Some(&Effect::SelectShared));
}

#[test]
fn a_preview_follows_in_one_frame_as_wide_as_there_is_room() {
    let mut page = opened("");
    let frame = |page: &Shared| page.app.share().and_then(|dialog| dialog.frame.clone());
    assert_eq!(frame(&page), None, "nothing is looked at");
    page.enter("preview", "true");
    page.share(ShareEvent::Room(400.0));
    assert!(page.is_chosen("width", "320"));
    let first = frame(&page).expect("a frame");
    assert!(first.width == 320 && first.height() == 480);
    page.share(ShareEvent::Height(700.0));
    page.enter("width", "960");
    page.enter("extent", "map");
    let second = frame(&page).expect("a frame");
    assert_eq!(
        (second.number, second.width, second.height()),
        (first.number, 960, 700)
    );
    assert_ne!(second.link, first.link);
    // The room decides only once.
    page.share(ShareEvent::Room(400.0));
    assert!(page.is_chosen("width", "960"));
    page.enter("preview", "false");
    assert_eq!(frame(&page), None);
}

#[test]
fn the_large_code_closes_before_the_dialog_and_a_long_link_has_none() {
    let mut page = opened("");
    let is_shown = |page: &Shared| {
        let dialog = page.app.share().expect("opened");
        [dialog.is_open, dialog.is_large]
    };
    page.press("share-enlarge");
    assert_eq!(is_shown(&page), [true, true]);
    page.press("share-large-close");
    // The browser tells of it afterwards.
    page.share(ShareEvent::Closed(true));
    assert_eq!(is_shown(&page), [true, false]);
    page.enter("form", "iframe");
    // Whatever is copied, the code is a link to a page.
    assert_eq!(
        text_of(&page.dialog(), "share-large-link"),
        format!("{LINK}&amp;show=sentence,small,legend,reading")
    );
    assert_eq!(text_of(&page.dialog(), "share-qr-instead"), "");
    page.set(Field::Text, text(&"word ".repeat(700)));
    assert!(text_of(&page.dialog(), "share-qr-instead").contains("QR"));
    assert!(has(&page.dialog(), "share-enlarge", "hidden"));
}

#[test]
fn the_page_is_saved_as_a_file_with_what_is_chosen() {
    let mut page = opened("&seed=7");
    page.enter("form", "file");
    page.enter("extent", "map");
    page.enter("lock-all", "true");
    assert!(!page.dialog().contains("id=\"share-text\""));
    page.press("share-save");
    let files: Vec<_> = (page.effects.iter())
        .filter_map(|effect| match effect {
            Effect::SaveOneFile(file) => Some(file),
            _ => None,
        })
        .collect();
    let [file] = &files[..] else {
        panic!("{files:?}")
    };
    assert_eq!(file.link, "v=1&text=a+b&seed=7&show=map&lock=all");
    assert_eq!(
        (&*file.title, &*file.page),
        ("Attention Playground: a b", "https://page.example/")
    );
    assert_eq!(file.numbers, None);
    assert_eq!(page.said(), "");
    page.share(ShareEvent::Saved(false));
    assert!(page.said().contains("could not be loaded"));
    page.share(ShareEvent::Saved(true));
    assert!(page.said().contains(FILE_NAME));
    // What is said is about the form that is chosen.
    page.enter("form", "link");
    assert_eq!(page.said(), "");
}

#[test]
fn an_open_dialog_follows_the_language_and_a_closed_one_does_not_show_itself() {
    let mut page = opened("");
    page.enter("origins", "no site");
    page.press("share-copy");
    page.share(ShareEvent::View(PanelEvent::Copied(true)));
    let english = page.dialog();
    page.effects.clear();
    page.set(Field::Language, Value::Choice("zh"));
    assert!(page.effects.contains(&Effect::Show(View::Share)));
    let chinese = page.dialog();
    for id in [
        "share-title",
        "share-note",
        "share-said",
        "share-origins-note",
        "share-part-mask",
    ] {
        assert_ne!(text_of(&english, id), text_of(&chinese, id), "{id}");
    }
    page.share(ShareEvent::Closed(false));
    page.effects.clear();
    page.set(Field::Language, Value::Choice("en"));
    assert!(!page.effects.contains(&Effect::Show(View::Share)));
}

#[test]
fn a_lesson_is_written_from_here_or_the_one_that_is_taken_is_changed() {
    let button = |page: &Shared| text_of(&page.dialog(), "share-write");
    let mut page = opened("&lesson=06-masks");
    assert_eq!(button(&page), "Change this lesson");
    let embed = opened("&embed");
    assert!(has(&embed.dialog(), "share-write", "hidden"));
    page = opened("");
    assert_eq!(button(&page), "Write a lesson");
    assert!(!has(&page.dialog(), "share-write", "hidden"));
    page.effects.clear();
    page.press("share-write");
    // It is closed first of all, as it hands the focus back.
    let closed = page
        .effects
        .iter()
        .position(|effect| *effect == Effect::Show(View::Share));
    let written = page
        .effects
        .iter()
        .position(|effect| *effect == Effect::FocusLesson);
    assert!(closed.is_some() && closed < written, "{:?}", page.effects);
    assert_eq!(page.app.share().map(|dialog| dialog.is_open), Some(false));
}

#[test]
fn an_embed_opens_as_it_was_made() {
    let mut page = opened("&embed&show=all&lock=all&origins=https://a.example");
    let sites = attribute(&page.dialog(), "share-origins", "data-value");
    assert_eq!(sites, "https://a.example");
    let all = attribute(&page.dialog(), "share-lock-all", "data-value");
    assert_eq!(all, "true");
    assert!(page.is_chosen("extent", "whole") && page.shared().ends_with("&amp;lock=all"));
    // No part of the list is ticked, and what is in no list cannot be unticked.
    page.enter("extent", "chosen");
    assert!(page.shared().ends_with("&amp;show=map&amp;lock=all"));
}
