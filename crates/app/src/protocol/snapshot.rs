//! Snapshot of the state on screen, as plain data.

use std::borrow::Cow;

use crate::js_tree::JsTree;
use crate::state::{Field, State, Value, url};

/// Snapshot of the state on screen. Numbers belong to exactly these settings, or are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The settings as a link.
    pub fragment: String,
    /// The settings by their keys in links, see [`settings`].
    pub settings: Vec<(&'static str, JsTree)>,
    /// Tokens of the rows.
    pub queries: Vec<String>,
    /// Tokens of the columns; numbers of mixtures where Linformer shortens.
    pub keys: Vec<String>,
    /// Whether the numbers of these settings are on screen.
    pub is_computed: bool,
    /// The chosen cell.
    pub cell: Option<Chosen>,
    /// The chosen head in numbers.
    pub measures: Option<Measures>,
    /// Where it was computed: `cpu` or `webgpu`.
    pub backend: Option<&'static str>,
}

/// The chosen cell; both places count from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// The row.
    pub query: usize,
    /// The column; `None` where the whole row is chosen.
    pub key: Option<usize>,
    /// Token of the row.
    pub query_token: String,
    /// Name of the column.
    pub key_token: Option<String>,
    /// The number that stands there, a weight unless another step is shown; `None` while it is computed and where the
    /// mask hides it.
    pub weight: Option<f32>,
    /// Whether the mask hides it.
    pub is_hidden: bool,
}

/// The chosen head in numbers, named as in the API.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Mean entropy of the rows in nats.
    pub entropy_mean: f64,
    /// The same as a share of the largest that the mask allows; `None` where no row has a choice.
    pub entropy_share: Option<f64>,
    /// Mean weight on the diagonal; `None` where keys are not the queries' own tokens.
    pub diagonal_mean: Option<f64>,
    /// Mean weight off the diagonal; `None` likewise.
    pub off_diagonal_mean: Option<f64>,
}

impl Snapshot {
    /// Fills in the parts that depend on the state alone.
    pub fn from_state(state: &State) -> Self {
        Self {
            fragment: url::to_fragment(state),
            settings: settings(state),
            ..Self::default()
        }
    }

    /// The same as a plain value.
    pub fn data(&self) -> JsTree {
        let settings = self.settings.iter().cloned();
        JsTree::record([
            ("fragment", JsTree::text(&self.fragment)),
            (
                "settings",
                JsTree::Record(
                    settings
                        .map(|(key, data)| (Cow::Borrowed(key), data))
                        .collect(),
                ),
            ),
            ("computed", JsTree::Flag(self.is_computed)),
            (
                "tokens",
                JsTree::record([
                    ("queries", JsTree::texts(&self.queries)),
                    ("keys", JsTree::texts(&self.keys)),
                ]),
            ),
            ("cell", self.cell.as_ref().map(Chosen::data).into()),
            (
                "measures",
                self.measures.as_ref().map(Measures::data).into(),
            ),
            ("backend", self.backend.map(JsTree::text).into()),
        ])
    }
}

impl Chosen {
    fn data(&self) -> JsTree {
        JsTree::record([
            ("query", JsTree::index(self.query)),
            ("key", self.key.map(JsTree::index).into()),
            ("query_token", JsTree::text(&self.query_token)),
            (
                "key_token",
                self.key_token.as_deref().map(JsTree::text).into(),
            ),
            (
                "weight",
                self.weight.map(|weight| number(weight.into())).into(),
            ),
            ("hidden", JsTree::Flag(self.is_hidden)),
        ])
    }
}

impl Measures {
    fn data(&self) -> JsTree {
        JsTree::record([
            ("entropy_mean", number(self.entropy_mean)),
            ("entropy_share", self.entropy_share.map(number).into()),
            ("diagonal_mean", self.diagonal_mean.map(number).into()),
            (
                "off_diagonal_mean",
                self.off_diagonal_mean.map(number).into(),
            ),
        ])
    }
}

fn number(number: f64) -> JsTree {
    JsTree::Number(number)
}

/// Every setting that can be given, by its key in links: numbers and switches as such, anything else as a link writes it,
/// and nothing for a second text that is not there and a cell that is not chosen. Given back, they make the same state.
pub fn settings(state: &State) -> Vec<(&'static str, JsTree)> {
    // Who may set is said by links alone.
    let settings = Field::ALL
        .into_iter()
        .filter(|field| *field != Field::Origins);
    settings
        .map(|field| (field.key(), plain(state.get(field))))
        .collect()
}

fn plain(value: Value) -> JsTree {
    match value {
        Value::Number(number) => JsTree::Number(number.into()),
        Value::Centi(number) => JsTree::Number(f64::from(number) / 100.0),
        Value::Switch(on) => JsTree::Flag(on),
        Value::Text(text) => JsTree::Text(text),
        Value::Absent => JsTree::Absent,
        other => JsTree::Text(other.to_param()),
    }
}
