//! The page as one HTML file that needs no server: the site's `one-file.html` with a setting, and its numbers, written into it.

use super::snippet::attribute;
use super::{ShareOptions, name};
use crate::i18n::Language;
use crate::state::{State, url};

/// The name under which it is saved.
pub const FILE_NAME: &str = "attention-playground.html";

/// Places of the site's file, each of which stands there once, before the modules.
const TITLE: &str = "<title>Attention Playground</title>";
const ELEMENT: &str = "<attention-playground data-link=\"\">";
const NUMBERS: &str = "<!-- numbers -->";
const MODULES: &str = "<script type=\"text/plain\" data-module";

/// What is written into the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneFile {
    /// Its title.
    pub title: String,
    /// The state, as a link's fragment.
    pub link: String,
    /// Address of the page.
    pub page: String,
    /// The setting file, where the link only names numbers. Nothing in one ends a script: links encode what could.
    pub numbers: Option<String>,
}

impl OneFile {
    /// The page of `options` for `state`, from the page at `address`; without numbers that the link only names.
    pub fn new(options: &ShareOptions, state: &State, address: &str, language: Language) -> Self {
        let wished = options.apply_to(state);
        Self {
            title: name(&wished, wished.language.unwrap_or(language)),
            page: address.split('#').next().unwrap_or_default().to_owned(),
            link: url::to_fragment(&wished),
            numbers: None,
        }
    }

    /// The site's file with this in it; `None` where it is not that of this version.
    pub fn written(&self, file: &str) -> Option<String> {
        let (head, _) = file.split_once(MODULES)?;
        let numbers = self.numbers.as_ref().map_or_else(String::new, |numbers| {
            format!(
                "<script type=\"application/json\" data-numbers=\"numbers.json\">{numbers}</script>"
            )
        });
        let element = format!(
            "<attention-playground data-link=\"{}\" page=\"{}\">",
            attribute(&self.link),
            attribute(&self.page)
        );
        let title = format!("<title>{}</title>", attribute(&self.title));
        let filled = [(TITLE, title), (ELEMENT, element), (NUMBERS, numbers)]
            .into_iter()
            .try_fold(head.to_owned(), |head, (place, by)| {
                let (before, after) = head.split_once(place)?;
                Some([before, &by, after].concat())
            })?;
        Some(filled + &file[head.len()..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::{Extent, Form};
    use crate::state::Field;
    use crate::state::Value;

    const ADDRESS: &str = "https://a.example/lab/?x=1&y#v=1";

    fn site() -> String {
        format!(
            "<html>\n{TITLE}\n{ELEMENT}</attention-playground>\n{NUMBERS}\n{MODULES}=\"engine.js\">{TITLE}</script>\n"
        )
    }

    fn file(options: &ShareOptions, state: &State) -> String {
        let made = OneFile::new(options, state, ADDRESS, Language::En);
        made.written(&site()).expect("a file of this version")
    }

    #[test]
    fn it_opens_what_is_shared() {
        let mut state = State::default();
        assert_eq!(
            state.set(Field::Text, Value::Text("a \"b\" </script>".to_owned())),
            Ok(())
        );
        let mut options = ShareOptions::from_state(&state);
        (options.form, options.extent) = (Form::File, Extent::Map);
        let file = file(&options, &state);
        let (_, rest) = file.split_once("data-link=\"").expect("a link");
        let (link, rest) = rest.split_once('"').expect("its end");
        let (opened, notes) = url::parse(&link.replace("&amp;", "&"));
        assert_eq!((opened, notes), (options.apply_to(&state), vec![]));
        assert!(
            rest.starts_with(" page=\"https://a.example/lab/?x=1&amp;y\">"),
            "{rest}"
        );
        assert!(
            file.contains("<title>Attention Playground: a &quot;b&quot; &lt;/script&gt;</title>\n")
        );
        // What the modules hold is theirs.
        assert!(file.ends_with(&format!("{MODULES}=\"engine.js\">{TITLE}</script>\n")));
        assert!(!file.contains("data-numbers"));
    }

    #[test]
    fn a_file_of_another_version_is_not_written() {
        let made = OneFile::new(
            &ShareOptions::from_state(&State::default()),
            &State::default(),
            ADDRESS,
            Language::En,
        );
        for place in [TITLE, ELEMENT, NUMBERS, MODULES] {
            assert_eq!(made.written(&site().replace(place, "")), None, "{place}");
        }
    }
}
