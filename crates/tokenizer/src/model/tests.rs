//! The models against the library's own, on random vocabularies and words.

use proptest::prelude::*;
use tokenizers::models::bpe::BPE;
use tokenizers::models::wordpiece::WordPiece as LibraryWordPiece;
use tokenizers::{Model as _, Token};

use super::{BytePair, ByteTokens, Merges, Pieces, SentencePiece, WordPiece};

fn seen(tokens: Vec<Token>) -> Vec<(u32, String, (usize, usize))> {
    let parts = |token: Token| (token.id, token.value, token.offsets);
    tokens.into_iter().map(parts).collect()
}

/// Letters, an unknown token, the bytes of `d` and `é` if wanted (the library puts unknown characters behind bytes), and what random pairs of tokens become.
fn vocabulary(bytes: bool, joins: &[(usize, usize)]) -> (Vec<String>, Vec<(String, String)>) {
    let mut tokens: Vec<String> = ["<u>", "a", "b", "c"].map(str::to_owned).into();
    if bytes {
        tokens.extend(["<0xC3>", "<0xA9>", "<0x64>"].map(str::to_owned));
    }
    let mut pairs = Vec::new();
    for &(left, right) in joins {
        let pair = (
            tokens[left % tokens.len()].clone(),
            tokens[right % tokens.len()].clone(),
        );
        let both = format!("{}{}", pair.0, pair.1);
        if !pairs.contains(&pair) && both.len() < 24 {
            if !tokens.contains(&both) {
                tokens.push(both);
            }
            pairs.push(pair);
        }
    }
    (tokens, pairs)
}

fn pieces(tokens: &[String]) -> Pieces {
    Pieces::new("tokens", tokens.iter().map(String::as_str)).unwrap()
}

fn ids<V: FromIterator<(String, u32)>>(tokens: &[String]) -> V {
    (0..)
        .zip(tokens)
        .map(|(id, token)| (token.clone(), id))
        .collect()
}

proptest! {
    #[test]
    fn byte_pairs(
        joins in prop::collection::vec((0..30_usize, 0..30_usize), 0..14),
        word in "[abcéd]{0,12}",
        unknown in any::<bool>(),
        fuse in any::<bool>(),
        bytes in any::<bool>(),
        whole in any::<bool>(),
    ) {
        let (tokens, pairs) = vocabulary(bytes, &joins);
        let mut library = BPE::builder()
            .vocab_and_merges::<tokenizers::models::bpe::Vocab>(ids(&tokens), pairs.clone())
            .fuse_unk(fuse)
            .byte_fallback(bytes)
            .ignore_merges(whole);
        if unknown {
            library = library.unk_token("<u>".to_owned());
        }
        let library = library.build().unwrap();
        let pieces = pieces(&tokens);
        let pairs = pairs.iter().map(|(left, right)| Ok((left.as_str(), right.as_str())));
        let own = BytePair {
            merges: Merges::new("merges", &pieces, pairs).unwrap(),
            bytes: bytes.then(|| ByteTokens::new(&pieces)),
            pieces,
            unknown: unknown.then_some(0),
            fuse_unknown: fuse,
            whole_words: whole,
        };
        prop_assert_eq!(seen(own.tokens(&word)), seen(library.tokenize(&word).unwrap()));
    }

    #[test]
    fn word_pieces(
        tokens in prop::collection::btree_set("(##)?[abé]{1,3}", 0..9),
        word in "[abé]{1,9}",
        longest in 0..10_usize,
    ) {
        let tokens: Vec<_> = tokens.into_iter().chain(["[UNK]".to_owned()]).collect();
        let library = LibraryWordPiece::builder()
            .vocab::<tokenizers::models::bpe::Vocab>(ids(&tokens))
            .unk_token("[UNK]".to_owned())
            .max_input_chars_per_word(longest)
            .build()
            .unwrap();
        let own = WordPiece {
            pieces: pieces(&tokens),
            unknown: tokens.len() as u32 - 1,
            prefix: "##".to_owned(),
            longest,
        };
        prop_assert_eq!(seen(own.tokens(&word)), seen(library.tokenize(&word).unwrap()));
    }
}

/// The highest score first whatever stands left of it, the leftmost of equal ones, bytes or the unknown token for what is not there.
#[test]
fn scores() {
    let tokens = ["<u>", "a", "b", "c", "ab", "bc", "ca", "<0xC3>", "<0xA9>"];
    let tokens = tokens.map(str::to_owned);
    let model = |scores| SentencePiece::new(pieces(&tokens), scores, Some(0)).unwrap();
    let strings = |model: &SentencePiece, text| -> Vec<_> {
        model
            .tokens(text)
            .into_iter()
            .map(|token| (token.value, token.offsets))
            .collect()
    };
    let at = |token: &str, begin, end| (token.to_owned(), (begin, end));
    let higher = model(&[0.0, 0.0, 0.0, 0.0, -2.0, -1.0, -3.0, 0.0, 0.0]);
    assert_eq!(strings(&higher, "abc"), [at("a", 0, 1), at("bc", 1, 3)]);
    let equal = model(&[0.0, 0.0, 0.0, 0.0, -0.0, 0.0, f32::NEG_INFINITY, 0.0, 0.0]);
    assert_eq!(
        strings(&equal, "abcab"),
        [at("ab", 0, 2), at("c", 2, 3), at("ab", 3, 5)]
    );
    assert_eq!(strings(&equal, "aca"), [at("a", 0, 1), at("ca", 1, 3)]);
    let byte = |token| at(token, 1, 3);
    assert_eq!(
        strings(&equal, "aé"),
        [at("a", 0, 1), byte("<0xC3>"), byte("<0xA9>")]
    );
    assert_eq!(strings(&equal, "ö"), [at("<u>", 0, 2)]);
    assert!(strings(&equal, "").is_empty());
}
