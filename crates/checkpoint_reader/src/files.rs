//! Which of the files given are which.

use crate::ReadError;

/// A file that is there to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileInfo {
    /// Its name, without folders.
    pub name: String,
    /// Its length.
    pub bytes: u64,
}

/// The files of a checkpoint, as places in the list that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Files {
    Gguf(usize),
    Folder(Folder),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder {
    pub(crate) config: usize,
    pub(crate) tokenizer: usize,
    /// The list of shards, where there is one.
    pub(crate) index: Option<usize>,
    /// Every safetensors file.
    pub(crate) weights: Vec<usize>,
}

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
const INDEX: &str = "model.safetensors.index.json";
const GGUF: &str = ".gguf";
const SAFETENSORS: &str = ".safetensors";

impl Files {
    /// Finds the files of a checkpoint; others, such as a README, are passed over.
    pub(crate) fn new(files: &[FileInfo]) -> Result<Self, ReadError> {
        let named = |name: &str| files.iter().position(|file| file.name == name);
        let ending = |end: &str| -> Vec<usize> {
            let has = |at: &usize| files[*at].name.ends_with(end);
            (0..files.len()).filter(has).collect()
        };
        let gguf = ending(GGUF);
        match gguf.as_slice() {
            [one] => return Ok(Self::Gguf(*one)),
            [_, second, ..] => {
                let rule = "a model in GGUF is one file here, not several";
                return Err(ReadError::not_applicable(
                    &files[*second].name,
                    "another file",
                    rule,
                ));
            }
            [] => {}
        }
        let rule = "a GGUF file, or config.json, tokenizer.json and model.safetensors, are needed";
        let config = named(CONFIG).ok_or_else(|| ReadError::missing(CONFIG, rule))?;
        let tokenizer = named(TOKENIZER).ok_or_else(|| ReadError::missing(TOKENIZER, rule))?;
        let weights = ending(SAFETENSORS);
        if weights.is_empty() {
            return Err(ReadError::missing("model.safetensors", rule));
        }
        Ok(Self::Folder(Folder {
            config,
            tokenizer,
            index: named(INDEX),
            weights,
        }))
    }
}

impl Folder {
    /// The files that hold the weights: those that the index names, or the one whose name says it, or all of them, as shards given by hand.
    ///
    /// `index` is the text of the index, where there is one: `{"weight_map": {tensor: file}}`.
    pub(crate) fn shards(
        &self,
        files: &[FileInfo],
        index: Option<&[u8]>,
    ) -> Result<Vec<usize>, ReadError> {
        let whole = |at: &&usize| files[**at].name == "model.safetensors";
        let Some(index) = index else {
            return Ok(match self.weights.iter().find(whole) {
                // A folder may hold the same weights again, as `model.fp16.safetensors`.
                Some(whole) => vec![*whole],
                None => self.weights.clone(),
            });
        };
        let malformed = || {
            let rule = "must be JSON with a weight_map of files by tensor";
            ReadError::not_applicable(INDEX, "something else", rule)
        };
        let index: serde_json::Value = serde_json::from_slice(index).map_err(|_| malformed())?;
        let map = index["weight_map"].as_object().ok_or_else(malformed)?;
        let mut names: Vec<&str> = Vec::new();
        for file in map.values() {
            let file = file.as_str().ok_or_else(malformed)?;
            if !names.contains(&file) {
                names.push(file);
            }
        }
        names.sort_unstable();
        let place = |name: &&str| {
            let rule = "model.safetensors.index.json names it";
            let found = self.weights.iter().find(|at| files[**at].name == **name);
            found.copied().ok_or_else(|| ReadError::missing(name, rule))
        };
        names.iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<FileInfo> {
        let file = |name: &&str| FileInfo {
            name: (*name).to_owned(),
            bytes: 1,
        };
        names.iter().map(file).collect()
    }

    fn folder(names: &[&str]) -> (Folder, Vec<FileInfo>) {
        let files = files(names);
        match Files::new(&files) {
            Ok(Files::Folder(folder)) => (folder, files),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_gguf_file_is_enough_and_one() {
        assert_eq!(
            Files::new(&files(&["README.md", "tiny.gguf"])),
            Ok(Files::Gguf(1))
        );
        let error = Files::new(&files(&["a.gguf", "b.gguf"])).expect_err("two");
        assert!(error.to_string().starts_with("b.gguf: "), "{error}");
    }

    #[test]
    fn what_is_missing_is_named() {
        for (names, missing) in [
            (&[][..], "config.json"),
            (&["config.json", "model.safetensors"], "tokenizer.json"),
            (&["config.json", "tokenizer.json"], "model.safetensors"),
        ] {
            let error = Files::new(&files(names)).expect_err(missing);
            assert!(
                error.to_string().starts_with(&format!("{missing}: ")),
                "{error}"
            );
        }
    }

    #[test]
    fn the_index_decides_which_files_hold_the_weights() {
        let small = ["config.json", "tokenizer.json"];
        let with = |more: &[&'static str]| [&small[..], more].concat();
        let (own, all) = folder(&with(&["model.fp16.safetensors", "model.safetensors"]));
        assert_eq!(own.shards(&all, None), Ok(vec![3]));
        let shards = with(&["b.safetensors", "consolidated.safetensors", "a.safetensors"]);
        let (own, all) = folder(&shards);
        assert_eq!(own.shards(&all, None), Ok(vec![2, 3, 4]));
        let index =
            br#"{"weight_map":{"x":"b.safetensors","y":"a.safetensors","z":"b.safetensors"}}"#;
        assert_eq!(own.shards(&all, Some(index)), Ok(vec![4, 2]));
        let index = br#"{"weight_map":{"x":"c.safetensors"}}"#;
        let error = own.shards(&all, Some(index)).expect_err("not there");
        assert!(error.to_string().starts_with("c.safetensors: "), "{error}");
        for index in [&b"{"[..], b"{}", br#"{"weight_map":{"x":1}}"#] {
            assert!(own.shards(&all, Some(index)).is_err());
        }
    }
}
