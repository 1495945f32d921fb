//! The named fields of an object, each read once.

use std::borrow::Cow;

use app::js_tree::{JsTree, clip};
use attention::{Code, Error};

/// An object whose names are all known.
pub(super) struct Fields {
    path: &'static str,
    entries: Vec<(Cow<'static, str>, JsTree)>,
}

impl Fields {
    /// Takes the object at `path` (`""` for the request itself). Fields that hold nothing count as left out.
    ///
    /// # Errors
    /// [`Code::MissingField`] for nothing, [`Code::UnknownOption`] for anything but an object and for a name that is
    /// not in `known`, [`Code::TooLarge`] for a value that was not read.
    pub(super) fn parse(path: &'static str, raw: JsTree, known: &[&str]) -> Result<Self, Error> {
        let name = if path.is_empty() { "request" } else { path };
        let entries = match raw {
            JsTree::Absent => {
                return Err(Error::missing(
                    name,
                    format!("an object with {} is needed", known.join(", ")),
                ));
            }
            JsTree::Record(entries) => entries,
            other => {
                let rule = format!("must be an object with {}", known.join(", "));
                return Err(Error::new(
                    Code::UnknownOption,
                    name,
                    other.describe(),
                    rule,
                ));
            }
        };
        let fields = Self {
            path,
            entries: entries
                .into_iter()
                .filter(|(_, value)| *value != JsTree::Absent)
                .collect(),
        };
        for (name, value) in &fields.entries {
            let refuse = |code, rule: String| {
                let name = fields.name(&clip(name));
                Err(Error::new(code, name, value.describe(), rule))
            };
            if !known.contains(&name.as_ref()) {
                let rule = format!("is not a field; known here: {}", known.join(", "));
                return refuse(Code::UnknownOption, rule);
            }
            if let JsTree::TooLarge(_) = value {
                let rule = "is more than a call may hold".to_owned();
                return refuse(Code::TooLarge, rule);
            }
        }
        Ok(fields)
    }

    /// The full name of a field in messages: matrices of `weights` go by their own name alone, as everywhere.
    pub(super) fn name(&self, field: &str) -> String {
        match self.path {
            "" => field.to_owned(),
            path => format!("{path}.{field}"),
        }
    }

    pub(super) fn has(&self, field: &str) -> bool {
        self.entries.iter().any(|(name, _)| name == field)
    }

    /// The value of `field`, or nothing where it was left out.
    pub(super) fn take(&mut self, field: &str) -> Option<JsTree> {
        let at = self.entries.iter().position(|(name, _)| name == field)?;
        Some(self.entries.swap_remove(at).1)
    }

    /// Refuses the first of `names` that is present.
    pub(super) fn refuse(&self, names: &[&str], rule: &str) -> Result<(), Error> {
        match names
            .iter()
            .find_map(|name| self.entries.iter().find(|(entry, _)| entry == name))
        {
            None => Ok(()),
            Some((name, value)) => Err(Error::new(
                Code::NotApplicable,
                self.name(name),
                value.describe(),
                rule,
            )),
        }
    }
}
