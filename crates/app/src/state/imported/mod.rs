//! Imported numbers: validated once, immutable, identified by a hash of their content.
//!
//! They are part of a [`State`](super::State). [Some settings](ImportedData::fixed_value) are fixed by them; all others work as with a
//! sentence.
//!
//! | module | holds |
//! |---|---|
//! | [`validate`] | which numbers are accepted |
//! | [`serialize`] | numbers to bytes and back: for the worker, links and setting files |
//! | [`warnings`] | remarks about finished weights |
//! | `rounding` | how finished weights were rounded, by their bits and decimals |
//! | [`url`] | imported numbers in a link |
//! | `constraints` | which settings they fix, and the previous values |
//! | [`cache`] | numbers seen recently, by hash |

wasm_chunks::chunk!("more": ImportedData::new);
wasm_chunks::chunk!("engine": impl ImportedData);

pub mod cache;
pub(super) mod constraints;
pub mod rounding;
pub mod serialize;
pub mod url;
pub mod validate;
pub mod warnings;

use std::fmt;
use std::sync::Arc;

use ndarray::{Array2, Array3};

use attention::Weights;
pub use constraints::SavedSettings;
pub use validate::Refusal;

/// Imported data. Cloning copies no numbers.
#[derive(Clone)]
pub struct ImportedData(Arc<Fields>);

struct Fields {
    contents: ImportedTensors,
    names: AxisLabels,
    file: String,
    hash: u64,
    link: String,
    is_causal: bool,
}

/// The numbers themselves.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "one value for each thing that was brought, and all variants point to what is really large"
)]
pub enum ImportedTensors {
    /// Queries, keys and values of every head.
    Heads {
        /// `[heads, n, d_k]`.
        q: Array3<f32>,
        /// `[kv_heads, m, d_k]`.
        k: Array3<f32>,
        /// `[kv_heads, m, d_v]`.
        v: Array3<f32>,
    },
    /// Rows that weights of the page project.
    Embeddings(Inputs),
    /// A layer, for rows that come with it or for those of the sentence.
    Layer {
        /// The weights.
        weights: Weights,
        /// Query heads.
        heads: usize,
        /// Key/value heads.
        kv_heads: usize,
        /// The rows, if they were imported too.
        inputs: Option<Inputs>,
    },
    /// A finished attention matrix, `[heads, n, m]`.
    Matrix(Array3<f32>),
}

/// Rows of inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// `[n, d_model]`.
    pub queries: Array2<f32>,
    /// `[m, d_model]`; `None` where the queries look at themselves.
    pub keys_values: Option<Array2<f32>>,
}

/// Names of rows and columns; empty if the file has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AxisLabels {
    /// One for each query.
    pub rows: Vec<String>,
    /// One for each key; empty as well where they are the rows again.
    pub columns: Vec<String>,
}

/// Which of the four it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "each is a variant of ImportedTensors and documented there"
)]
pub enum ImportedKind {
    Heads,
    Embeddings,
    Layer,
    Matrix,
}

impl ImportedKind {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 4] = [Self::Matrix, Self::Heads, Self::Embeddings, Self::Layer];

    /// The name in links.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Heads => "heads",
            Self::Embeddings => "embeddings",
            Self::Layer => "layer",
            Self::Matrix => "matrix",
        }
    }
}

impl ImportedData {
    /// Checks numbers, from a file of that name or from none.
    ///
    /// # Errors
    /// The first [`Refusal`].
    pub fn new(contents: ImportedTensors, names: AxisLabels, file: &str) -> Result<Self, Refusal> {
        let names = validate::checked(&contents, names)?;
        let hash = serialize::hash(&contents, &names);
        let file = validate::shown(file);
        let link = url::to_param(&contents, &names, &file, hash);
        Ok(Self(Arc::new(Fields {
            is_causal: warnings::is_causal(&contents),
            contents,
            names,
            file,
            hash,
            link,
        })))
    }

    /// The numbers.
    pub fn contents(&self) -> &ImportedTensors {
        &self.0.contents
    }

    /// Which kind of numbers they are.
    pub fn kind(&self) -> ImportedKind {
        self.0.contents.kind()
    }

    /// Returns the names of rows and columns.
    pub fn names(&self) -> &AxisLabels {
        &self.0.names
    }

    /// The file that they came from; empty where they were pasted or stood in a link.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// Name of the file, and which of how many layers or entries of a batch in it the numbers are, from 1.
    pub fn source(&self) -> (&str, Option<(usize, usize)>) {
        let entry = |written: &str| {
            let (at, of) = written.split_once('/')?;
            Some((at.parse().ok()?, of.parse().ok()?))
        };
        let parts = self.file().rsplit_once(':');
        match parts.and_then(|(file, written)| Some((file, entry(written)?))) {
            Some((file, entry)) => (file, Some(entry)),
            None => (self.file(), None),
        }
    }

    /// Hash of the numbers and names: equal data have equal hashes.
    pub fn hash(&self) -> u64 {
        self.0.hash
    }

    /// Returns the data's parameter in links.
    pub fn link(&self) -> &str {
        &self.0.link
    }

    /// Whether a link holds the numbers themselves.
    pub fn is_inline(&self) -> bool {
        url::is_inline(self.link())
    }

    /// The numbers as bytes.
    pub fn packed(&self) -> Vec<u8> {
        serialize::pack(&self.0.contents, &self.0.names)
    }

    /// Rows and columns of the map; `None` where the sentence decides them.
    pub fn lengths(&self) -> Option<(usize, usize)> {
        self.0.contents.lengths()
    }

    /// Whether queries look at other rows than their own; `None` where the sentence decides it.
    pub fn is_cross(&self) -> Option<bool> {
        self.0.contents.is_cross()
    }

    /// Whether finished weights have nothing above the diagonal, as a causal mask leaves them.
    pub fn is_causal(&self) -> bool {
        self.0.is_causal
    }

    /// Whether these are finished weights, of which no computation is known.
    pub fn is_finished(&self) -> bool {
        self.kind() == ImportedKind::Matrix
    }
}

/// A file's name for numbers that are one of several layers or entries of a batch in it, counted from 1: "attention.npz:7/12".
/// No file's own name has a slash.
pub fn entry_name(file: &str, (at, of): (usize, usize)) -> String {
    let entry = format!(":{at}/{of}");
    let room = validate::LONGEST_NAME - entry.len();
    let file: String = validate::shown(file).chars().take(room).collect();
    file + &entry
}

impl PartialEq for ImportedData {
    fn eq(&self, other: &Self) -> bool {
        self.0.hash == other.0.hash
    }
}

impl Eq for ImportedData {}

impl fmt::Debug for ImportedData {
    /// Never the numbers: there may be millions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ImportedData({} {:?} {:016x})",
            self.kind().name(),
            self.0.contents.shape(),
            self.0.hash
        )
    }
}

impl ImportedTensors {
    /// Which kind of numbers they are.
    pub const fn kind(&self) -> ImportedKind {
        match self {
            Self::Heads { .. } => ImportedKind::Heads,
            Self::Embeddings(_) => ImportedKind::Embeddings,
            Self::Layer { .. } => ImportedKind::Layer,
            Self::Matrix(_) => ImportedKind::Matrix,
        }
    }

    /// Returns the imported rows that are to be projected.
    pub fn inputs(&self) -> Option<&Inputs> {
        match self {
            Self::Embeddings(inputs) => Some(inputs),
            Self::Layer { inputs, .. } => inputs.as_ref(),
            Self::Heads { .. } | Self::Matrix(_) => None,
        }
    }

    /// Shape of the characteristic tensor: of Q, of the inputs, of W_Q or of the weights.
    pub fn shape(&self) -> Vec<usize> {
        match self {
            Self::Heads { q, .. } => q.shape().to_vec(),
            Self::Embeddings(inputs) => inputs.queries.shape().to_vec(),
            Self::Layer { weights, .. } => weights.query.w.shape().to_vec(),
            Self::Matrix(weights) => weights.shape().to_vec(),
        }
    }

    fn lengths(&self) -> Option<(usize, usize)> {
        match self {
            Self::Heads { q, k, .. } => Some((q.dim().1, k.dim().1)),
            Self::Matrix(weights) => Some((weights.dim().1, weights.dim().2)),
            Self::Embeddings(_) | Self::Layer { .. } => {
                let inputs = self.inputs()?;
                let n = inputs.queries.nrows();
                Some((n, inputs.keys_values.as_ref().map_or(n, Array2::nrows)))
            }
        }
    }

    fn is_cross(&self) -> Option<bool> {
        match self {
            // Nothing in them says whose keys these are; as many as queries are taken for the queries' own.
            Self::Heads { .. } | Self::Matrix(_) => self.lengths().map(|(n, m)| n != m),
            Self::Embeddings(_) | Self::Layer { .. } => {
                self.inputs().map(|inputs| inputs.keys_values.is_some())
            }
        }
    }
}
