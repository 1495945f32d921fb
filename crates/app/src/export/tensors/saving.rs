//! Tensor files: their contents, the source of the numbers, and the status texts.

use super::{Entry, MOST_BYTES, Name, bytes, file_name, fits, labelled, made, whole_name};
use crate::i18n::number;
use crate::i18n::{Key, Language, text};
use crate::state::{State, request_builder};
use formats::{Kind, Tensor};

/// A file that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorFile {
    pub name: String,
    pub kind: Kind,
    pub state: State,
    entries: Vec<Entry>,
}

/// Status of saving a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileStatus {
    Working {
        file: String,
        size: String,
    },
    Saved {
        file: String,
        size: String,
    },
    Stopped,
    /// Without a cause where the browser has no room for the bytes.
    Refused {
        file: String,
        cause: Option<String>,
    },
}

impl FileStatus {
    pub fn sentence(&self, language: Language) -> String {
        match self {
            Self::Working { file, size } => text::data_working(language, file, size),
            Self::Saved { file, size } => text::data_saved(language, file, size),
            Self::Stopped => Key::DataStopped.text(language).to_owned(),
            Self::Refused { file, cause } => {
                let no_room = Key::DataNoRoom.text(language);
                let cause = cause.as_deref().unwrap_or(no_room);
                text::data_refused(language, file, &cause)
            }
        }
    }
}

impl TensorFile {
    /// A file of one of the `listed` tensors, or of all; `None` where it is not listed.
    pub fn new(state: &State, listed: &[Entry], only: Option<Name>, kind: Kind) -> Option<Self> {
        let is_meant = |entry: &&Entry| only.is_none_or(|name| entry.name == name);
        let entries: Vec<Entry> = listed.iter().filter(is_meant).cloned().collect();
        (!entries.is_empty()).then(|| Self {
            name: only.map_or_else(|| whole_name(kind), |name| file_name(name, kind)),
            kind,
            state: state.clone(),
            entries,
        })
    }

    /// About how large it is going to be.
    pub fn size(&self) -> String {
        number::bytes(bytes(self.kind, &self.entries))
    }

    /// Names of the tensors that only a run can compute.
    pub fn results(&self) -> Vec<Name> {
        if request_builder::finished(&self.state).is_some() {
            return Vec::new();
        }
        let names = self.entries.iter().map(|entry| entry.name);
        names.filter(|name| name.want().is_some()).collect()
    }

    /// The tensors; `computed` are the numbers of [`results`](Self::results). `None` where some are not those of the state.
    pub fn tensors(&self, computed: Vec<Vec<f32>>) -> Option<Vec<Tensor>> {
        if let Some(weights) = request_builder::finished(&self.state) {
            let (data, _) = weights.into_raw_vec_and_offset();
            let entry = self.entries.first()?;
            return Some(vec![labelled(&self.state, entry, data)]);
        }
        let request = request_builder::request(&self.state).ok()?;
        let mut computed = computed.into_iter();
        let mut tensor = |entry: &Entry| {
            let data = match entry.name.want() {
                Some(_) => computed.next(),
                None => made(&self.state, &request, entry.name),
            };
            let data = data.filter(|data| data.len() as u64 == entry.elements())?;
            Some(labelled(&self.state, entry, data))
        };
        self.entries.iter().map(&mut tensor).collect()
    }
}

/// Size of one file with all tensors, or that they exceed its limit.
pub fn sum(entries: &[Entry], kind: Kind, language: Language) -> String {
    let numbers: u64 = entries.iter().map(Entry::elements).sum();
    let size = number::bytes(bytes(kind, entries));
    let kind_name = kind.name();
    match entries.len() {
        _ if !fits(kind, entries) => {
            text::data_all_large(language, &size, &kind_name, &number::bytes(MOST_BYTES))
        }
        1 => text::data_all_one(language, &numbers, &size, &kind_name),
        count => text::data_all(language, &count, &numbers, &size, &kind_name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tensors::for_state;
    use crate::present::run::tests::computed;

    #[test]
    fn a_file_takes_inputs_from_the_state_and_results_in_their_order() {
        let run = computed("text=a+b+c&heads=2&weights=random");
        let listed = for_state(&run.state, &run.config);
        let whole = TensorFile::new(&run.state, &listed, None, Kind::Npz).expect("a file");
        let results = whole.results();
        assert!(results.contains(&Name::Scores) && !results.contains(&Name::WQ));
        let elements = |name| {
            let entry = listed.iter().find(|entry| entry.name == name);
            entry.expect("listed").elements() as usize
        };
        let numbers = |(at, name): (usize, &Name)| vec![at as f32; elements(*name)];
        let numbers: Vec<Vec<f32>> = results.iter().enumerate().map(numbers).collect();
        let tensors = whole.tensors(numbers.clone()).expect("tensors");
        let names: Vec<&str> = tensors.iter().map(|tensor| tensor.name.as_str()).collect();
        let expected: Vec<&str> = listed.iter().map(|entry| entry.name.name()).collect();
        assert_eq!(names, expected);
        for (at, name) in results.iter().enumerate() {
            let tensor = tensors.iter().find(|tensor| tensor.name == name.name());
            assert_eq!(tensor.expect("a result").data[0], at as f32, "{name:?}");
        }
        // Numbers of another state have other lengths, and some may be missing.
        assert_eq!(whole.tensors(numbers[1..].to_vec()), None);
    }

    #[test]
    fn a_file_of_one_tensor_is_called_by_it_and_needs_no_run_for_an_input() {
        let run = computed("text=a+b+c&heads=2&weights=random");
        let listed = for_state(&run.state, &run.config);
        let file = |name| TensorFile::new(&run.state, &listed, Some(name), Kind::Npy);
        let weights = file(Name::WQ).expect("a file");
        assert_eq!(
            (weights.name.as_str(), weights.results()),
            ("attention-w_q.npy", vec![])
        );
        assert!(
            weights
                .tensors(Vec::new())
                .is_some_and(|tensors| tensors.len() == 1)
        );
        // This setting projects nothing along the sequence.
        assert_eq!(file(Name::E), None);
    }

    #[test]
    fn what_does_not_fit_into_a_file_is_said() {
        let entry = |length| Entry {
            name: Name::Weights,
            axes: vec![("n", length), ("keys", length)],
            letters: vec!["n", "m"],
        };
        let said = |length| sum(&[entry(length)], Kind::Json, Language::En);
        assert!(!said(8).contains("67.1"), "{}", said(8));
        assert!(said(4096).contains("67.1"), "{}", said(4096));
    }
}
