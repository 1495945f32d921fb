//! Files that went wrong on their way.

use formats::Parsed;
use formats::gguf::{Gguf, GgufRule};

use super::{parsed, read, tiny};

/// The end of the list of tensors; what follows is padding and the tensors' bytes.
fn end_of_list(file: &[u8]) -> usize {
    let enough = |length: &usize| {
        let parsed = Gguf::parse(&file[..*length], file.len() as u64);
        matches!(parsed, Ok(Parsed::Whole(_)))
    };
    (0..file.len()).find(enough).expect("a good file")
}

#[test]
fn every_prefix_asks_for_more_until_it_is_enough() {
    let (file, whole) = (tiny(), read(&tiny()));
    let end = end_of_list(&file);
    for length in 0..=file.len() {
        match Gguf::parse(&file[..length], file.len() as u64) {
            Ok(Parsed::More(more)) => {
                assert!(length < end, "{length}");
                assert!(
                    (length as u64) < more && more <= end as u64,
                    "{length} → {more}"
                );
            }
            Ok(Parsed::Whole(found)) => {
                assert!(length >= end, "{length}");
                assert_eq!(found, whole);
            }
            Err(error) => panic!("{length}: {error}"),
        }
    }
}

#[test]
fn every_truncated_file_is_refused() {
    let file = tiny();
    let tensors = read(&file).tensors;
    let last = tensors.last().expect("there are some").span.end;
    for length in 0..last as usize {
        let error = parsed(&file[..length]).expect_err("it ends too early");
        let is_about_length = matches!(error.rule, GgufRule::Truncated(_) | GgufRule::Most(_));
        assert!(is_about_length, "{length}: {error}");
        assert_eq!(
            error.rule.code() == "too_large",
            matches!(error.rule, GgufRule::Most(_))
        );
    }
    // What is missing from there on is padding.
    assert!(parsed(&file[..last as usize]).is_ok());
}

#[test]
fn any_byte_may_be_anything() {
    let (file, whole) = (tiny(), read(&tiny()));
    let end = end_of_list(&file);
    let (mut refused, mut differs) = (0, 0);
    for at in 0..file.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut file = file.clone();
            file[at] = value;
            match parsed(&file) {
                Ok(found) => {
                    let length = file.len() as u64;
                    assert!(found.tensors.iter().all(|tensor| tensor.span.end <= length));
                    assert!(at < end || found == whole, "byte {at}");
                    differs += usize::from(found != whole);
                }
                Err(error) => {
                    assert!(at < end, "byte {at}: {error}");
                    let shown = error.field.chars().chain(error.value.chars());
                    assert!(shown.count() <= 120, "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(
        refused > end && differs > end / 2,
        "{refused} refused, {differs} differ"
    );
}
