//! A checkpoint while it is read.

use std::ops::Range;

use attention::{Code, Error};
use checkpoint::{Checkpoint, Family, FileTensor, Origin};
use formats::gguf::Gguf;
use formats::{Parsed, safetensors};
use model::{Model, ModelConfig};
use tokenizer::Tokenizer;

use crate::files::{Files, Folder};
use crate::metadata::{Settings, vocabulary};
use crate::tensors::{Filling, Placed, listed};
use crate::{FileInfo, ReadError};

/// Bytes of a header that are first asked for.
const HEADER: u64 = 1 << 16;

/// The longest `config.json`, index of shards, and `tokenizer.json` (those of large vocabularies have 35 MB).
const MOST_TEXT: u64 = 64 << 20;

/// Bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its place in the list of files.
    pub file: usize,
    /// From its beginning.
    pub span: Range<u64>,
}

/// How far it is: bytes of weights. `total` is 0 until the headers are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that have been read.
    pub read: u64,
    /// Bytes that are read altogether.
    pub total: u64,
}

/// A checkpoint that was opened.
pub struct Opened {
    /// Its family.
    pub family: Family,
    /// Types of its tensors, in the order in which the model first has them.
    pub dtypes: Vec<String>,
    /// The model, with its config.
    pub model: Model,
    /// Its tokenizer.
    pub tokenizer: Tokenizer,
}

/// A checkpoint that is being read: it [wants](Self::wants) pieces and [takes](Self::take) them, until it [is opened](Self::opened).
pub struct Reader {
    files: Vec<FileInfo>,
    most: u64,
    stage: Stage,
}

enum Stage {
    /// The beginning of a GGUF file, so many bytes.
    Gguf { file: usize, bytes: u64 },
    /// A text of a folder.
    Text {
        folder: Folder,
        what: Text,
        known: Texts,
    },
    /// The beginning of a safetensors file, so many bytes.
    Header {
        shards: Vec<usize>,
        at: usize,
        bytes: u64,
        tensors: Vec<Placed>,
        known: Texts,
    },
    /// The numbers.
    Weights(Box<Described>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Config,
    Tokenizer,
    Index,
}

#[derive(Default)]
struct Texts {
    config: Vec<u8>,
    tokenizer: Option<Tokenizer>,
    index: Option<Vec<u8>>,
}

struct Described {
    checkpoint: Checkpoint,
    tokenizer: Tokenizer,
    filling: Filling,
}

impl Reader {
    /// Begins with files of these names and lengths; `most` is how many bytes of weights there is room for.
    ///
    /// # Errors
    /// [`Code::MissingField`] for a file that is needed, [`Code::NotApplicable`] for a second GGUF file, [`Code::TooLarge`] for a text.
    pub fn new(files: Vec<FileInfo>, most: u64) -> Result<Self, ReadError> {
        let stage = match Files::new(&files)? {
            Files::Gguf(file) => Stage::Gguf {
                file,
                bytes: HEADER.min(files[file].bytes),
            },
            Files::Folder(folder) => {
                let texts = [Some(folder.config), Some(folder.tokenizer), folder.index];
                for file in texts.into_iter().flatten() {
                    check_text(&files[file])?;
                }
                Stage::Text {
                    folder,
                    what: Text::Config,
                    known: Texts::default(),
                }
            }
        };
        Ok(Self { files, most, stage })
    }

    /// The piece that is wanted next; `None` once the checkpoint is read.
    pub fn wants(&self) -> Option<Piece> {
        let beginning = |file: usize, bytes: u64| {
            Some(Piece {
                file,
                span: 0..bytes,
            })
        };
        match &self.stage {
            Stage::Gguf { file, bytes } => beginning(*file, *bytes),
            Stage::Text { folder, what, .. } => {
                let file = folder.text(*what);
                beginning(file, self.files[file].bytes)
            }
            Stage::Header {
                shards, at, bytes, ..
            } => beginning(shards[*at], *bytes),
            Stage::Weights(described) => described.filling.wants(),
        }
    }

    /// Takes the bytes of the piece that is wanted.
    ///
    /// # Errors
    /// What is wrong with the files; [`Code::ShapeMismatch`] for another count of bytes, as of a file that was changed.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let Some(piece) = self.wants() else {
            return Ok(());
        };
        let wanted = piece.span.end - piece.span.start;
        if bytes.len() as u64 != wanted {
            let name = &self.files[piece.file].name;
            let rule = format!("{wanted} bytes were asked for; the file may have been changed");
            return Err(Error::new(Code::ShapeMismatch, name, bytes.len(), rule).into());
        }
        let stage = std::mem::replace(&mut self.stage, Stage::Gguf { file: 0, bytes: 0 });
        self.stage = match stage {
            Stage::Gguf {
                file,
                bytes: so_far,
            } => self.gguf(file, so_far, bytes)?,
            Stage::Text {
                folder,
                what,
                known,
            } => self.text(folder, what, known, bytes)?,
            Stage::Header {
                shards,
                at,
                bytes: so_far,
                tensors,
                known,
            } => self.header((shards, at, so_far), tensors, known, bytes)?,
            Stage::Weights(mut described) => {
                described.filling.take(&piece, bytes)?;
                Stage::Weights(described)
            }
        };
        Ok(())
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let Stage::Weights(described) = &self.stage else {
            return Progress { read: 0, total: 0 };
        };
        let Described { filling, .. } = &**described;
        Progress {
            read: filling.read(),
            total: filling.total(),
        }
    }

    /// The model's config, as soon as the headers are read.
    pub fn config(&self) -> Option<&ModelConfig> {
        match &self.stage {
            Stage::Weights(described) => Some(&described.checkpoint.config),
            _ => None,
        }
    }

    /// The checkpoint, once nothing more is wanted.
    ///
    /// # Errors
    /// [`Code::NotFinite`] for a weight that is no number, [`Code::TooLarge`]; [`Code::MissingField`] where it is not read yet.
    pub fn opened(self) -> Result<Opened, ReadError> {
        let Stage::Weights(described) = self.stage else {
            return Err(ReadError::missing("weights", "the files are not read yet"));
        };
        let Described {
            checkpoint,
            tokenizer,
            mut filling,
        } = *described;
        let model = checkpoint.open(|tensor| filling.taken(tensor))?;
        Ok(Opened {
            family: checkpoint.family,
            dtypes: checkpoint.dtypes,
            model,
            tokenizer,
        })
    }

    fn gguf(&self, file: usize, so_far: u64, bytes: &[u8]) -> Result<Stage, ReadError> {
        let FileInfo { name, bytes: all } = &self.files[file];
        let refused = |error| ReadError::Gguf {
            file: name.clone(),
            error,
        };
        let gguf = match Gguf::parse(bytes, *all).map_err(refused)? {
            Parsed::Whole(gguf) => gguf,
            Parsed::More(least) => {
                return Ok(Stage::Gguf {
                    file,
                    bytes: least.max(2 * so_far).min(*all),
                });
            }
        };
        let tokenizer = Tokenizer::from_gguf(vocabulary(&gguf.metadata).map_err(refused)?);
        let tokenizer = tokenizer.map_err(|error| ReadError::Tokenizer {
            file: name.clone(),
            error,
        })?;
        let tensors: Vec<Placed> = gguf
            .tensors
            .into_iter()
            .map(|tensor| Placed { file, tensor })
            .collect();
        let checkpoint = Checkpoint::from_gguf(&Settings(&gguf.metadata), &all_listed(&tensors))?;
        self.described(checkpoint, tokenizer, tensors)
    }

    fn text(
        &self,
        folder: Folder,
        what: Text,
        mut known: Texts,
        bytes: &[u8],
    ) -> Result<Stage, ReadError> {
        let next = match what {
            Text::Config => {
                known.config = bytes.to_vec();
                Some(Text::Tokenizer)
            }
            Text::Tokenizer => {
                let file = self.files[folder.tokenizer].name.clone();
                let tokenizer = Tokenizer::from_json(bytes);
                known.tokenizer =
                    Some(tokenizer.map_err(|error| ReadError::Tokenizer { file, error })?);
                folder.index.map(|_| Text::Index)
            }
            Text::Index => {
                known.index = Some(bytes.to_vec());
                None
            }
        };
        if let Some(what) = next {
            return Ok(Stage::Text {
                folder,
                what,
                known,
            });
        }
        let shards = folder.shards(&self.files, known.index.as_deref())?;
        let bytes = self.first_bytes(&shards, 0);
        Ok(Stage::Header {
            shards,
            at: 0,
            bytes,
            tensors: Vec::new(),
            known,
        })
    }

    fn header(
        &self,
        (shards, at, so_far): (Vec<usize>, usize, u64),
        mut tensors: Vec<Placed>,
        known: Texts,
        bytes: &[u8],
    ) -> Result<Stage, ReadError> {
        let file = shards[at];
        let FileInfo { name, bytes: all } = &self.files[file];
        let refused = |error| ReadError::Safetensors {
            file: name.clone(),
            error,
        };
        match safetensors::list(bytes, *all).map_err(refused)? {
            Parsed::More(least) => {
                let bytes = least.max(2 * so_far).min(*all);
                return Ok(Stage::Header {
                    shards,
                    at,
                    bytes,
                    tensors,
                    known,
                });
            }
            Parsed::Whole(list) => {
                tensors.extend(list.into_iter().map(|tensor| Placed { file, tensor }));
            }
        }
        if at + 1 < shards.len() {
            let bytes = self.first_bytes(&shards, at + 1);
            return Ok(Stage::Header {
                shards,
                at: at + 1,
                bytes,
                tensors,
                known,
            });
        }
        let config = String::from_utf8_lossy(&known.config);
        let checkpoint = Checkpoint::from_hugging_face(&config, &all_listed(&tensors))?;
        let rule = "the files of a folder are read in turn";
        let tokenizer = known
            .tokenizer
            .ok_or_else(|| ReadError::missing("tokenizer.json", rule))?;
        self.described(checkpoint, tokenizer, tensors)
    }

    fn first_bytes(&self, shards: &[usize], at: usize) -> u64 {
        shards
            .get(at)
            .map_or(0, |file| HEADER.min(self.files[*file].bytes))
    }

    fn described(
        &self,
        checkpoint: Checkpoint,
        tokenizer: Tokenizer,
        tensors: Vec<Placed>,
    ) -> Result<Stage, ReadError> {
        let mut is_taken = vec![false; tensors.len()];
        for tensor in &checkpoint.tensors {
            if let Origin::File(taken) = &tensor.origin {
                is_taken[taken.tensor] = true;
            }
        }
        let filling = Filling::new(tensors, |at| is_taken[at], self.most)?;
        Ok(Stage::Weights(Box::new(Described {
            checkpoint,
            tokenizer,
            filling,
        })))
    }
}

impl Folder {
    fn text(&self, what: Text) -> usize {
        match what {
            Text::Config => self.config,
            Text::Tokenizer => self.tokenizer,
            // Asked for only where there is one.
            Text::Index => self.index.unwrap_or(self.config),
        }
    }
}

fn check_text(file: &FileInfo) -> Result<(), ReadError> {
    if file.bytes <= MOST_TEXT {
        return Ok(());
    }
    let rule = format!("at most {MOST_TEXT} bytes");
    Err(Error::new(Code::TooLarge, &file.name, file.bytes, rule).into())
}

/// The tensors as a checkpoint is matched with them.
fn all_listed(tensors: &[Placed]) -> Vec<FileTensor> {
    tensors.iter().map(listed).collect()
}
