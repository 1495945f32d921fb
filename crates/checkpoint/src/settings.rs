//! Typed readers of a file's settings, with refusals by key.

use attention::{Code, Error};

use crate::{Lookup, Value};

/// The largest size that is taken: more than any model has.
const MOST: f64 = 2_147_483_647.0;

/// Settings whose keys may have a common beginning, such as `llama.`.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    source: &'a dyn Lookup,
    prefix: &'a str,
}

impl<'a> Settings<'a> {
    pub(crate) fn new(source: &'a dyn Lookup, prefix: &'a str) -> Self {
        Self { source, prefix }
    }

    /// The key as the file has it.
    pub(crate) fn name(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// A value that is there and not `null`.
    pub(crate) fn get(&self, key: &str) -> Option<Value> {
        let value = self.source.value(&self.name(key));
        value.filter(|value| *value != Value::Null)
    }

    /// Whether the file says `null` for a key, which is not the same as not to have it where there is a default.
    pub(crate) fn is_null(&self, key: &str) -> bool {
        self.source.value(&self.name(key)) == Some(Value::Null)
    }

    fn read<T>(
        &self,
        key: &str,
        rule: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match read(&value) {
            Some(value) => Ok(Some(value)),
            None => Err(Error::new(Code::UnknownOption, self.name(key), value, rule)),
        }
    }

    /// A whole number of at least `least`.
    pub(crate) fn whole(&self, key: &str, least: usize) -> Result<Option<usize>, Error> {
        let rule = format!("must be a whole number from {least} to {MOST}");
        self.read(key, &rule, |value| match value {
            Value::Number(x) if x.fract() == 0.0 && (least as f64..=MOST).contains(x) => {
                Some(*x as usize)
            }
            _ => None,
        })
    }

    /// A size, at least 1.
    pub(crate) fn size(&self, key: &str) -> Result<usize, Error> {
        let size = self.whole(key, 1)?;
        size.ok_or_else(|| self.missing(key))
    }

    pub(crate) fn missing(&self, key: &str) -> Error {
        Error::missing(self.name(key), "the checkpoint's settings must have it")
    }

    /// A finite number above 0.
    pub(crate) fn positive(&self, key: &str) -> Result<Option<f64>, Error> {
        self.read(
            key,
            "must be a finite number above 0",
            |value| match value {
                Value::Number(x) if x.is_finite() && *x > 0.0 => Some(*x),
                _ => None,
            },
        )
    }

    pub(crate) fn flag(&self, key: &str, otherwise: bool) -> Result<bool, Error> {
        let flag = self.read(key, "must be true or false", |value| match value {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        });
        flag.map(|flag| flag.unwrap_or(otherwise))
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, Error> {
        self.read(key, "must be a text", |value| match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    pub(crate) fn table(&self, key: &str) -> Result<Option<Value>, Error> {
        self.read(key, "must be a table", |value| match value {
            Value::Table(_) => Some(value.clone()),
            _ => None,
        })
    }

    /// A list of texts.
    pub(crate) fn texts(&self, key: &str) -> Result<Option<Vec<String>>, Error> {
        let text = |value: &Value| match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.read(key, "must be a list of texts", |value| match value {
            Value::List(list) => list.iter().map(text).collect(),
            _ => None,
        })
    }

    /// Refuses a switch that is on.
    pub(crate) fn refuse_true(&self, key: &str, what: &str) -> Result<(), Error> {
        match self.flag(key, false)? {
            true => Err(Error::new(
                Code::UnknownOption,
                self.name(key),
                "true",
                what,
            )),
            false => Ok(()),
        }
    }
}
