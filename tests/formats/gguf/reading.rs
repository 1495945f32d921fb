//! A file that the reference library wrote.

use formats::blocks::{BlockType, dequantize};
use formats::gguf::{Gguf, GgufError, GgufRule, Metadata};
use formats::{Parsed, StoredType};

use super::{golden, read, tiny};

/// Where the bytes of the tensors begin, as the library says.
const DATA: u64 = 1408;

#[test]
fn every_type_of_values_is_read() {
    let Gguf {
        version, metadata, ..
    } = read(&tiny());
    assert_eq!(version, 3);
    assert_eq!(metadata.text("general.architecture"), Ok(Some("llama")));
    assert_eq!(metadata.whole("general.alignment"), Ok(Some(64)));
    for bits in [8, 16, 32, 64] {
        let most = u64::MAX >> (64 - bits);
        let (unsigned, signed) = (format!("uint{bits}"), format!("int{bits}"));
        assert_eq!(metadata.whole(&unsigned), Ok(Some(most)));
        let least = -1 - (most >> 1) as i64;
        let all = vec![least, 7, (most >> 1) as i64];
        assert_eq!(metadata.wholes(&format!("{signed}s")), Ok(Some(all)));
        let all = metadata.wholes(&format!("{unsigned}s"));
        match i64::try_from(most) {
            Ok(most) => assert_eq!(all, Ok(Some(vec![0, 7, most]))),
            Err(_) => assert_eq!(
                all.map_err(|error| (error.rule, error.value)),
                Err((GgufRule::Range(i64::MIN, i64::MAX as u64), most.to_string()))
            ),
        }
        let error = metadata.whole(&signed).unwrap_err();
        assert_eq!(error.rule, GgufRule::Range(0, u64::MAX));
        assert_eq!((error.field, error.value), (signed, least.to_string()));
    }
    assert_eq!(metadata.float("float32"), Ok(Some(f64::from(0.1_f32))));
    assert_eq!(metadata.float("float64"), Ok(Some(0.1)));
    let floats = metadata.floats("float32s").expect("floats").expect("there");
    let bits = |floats: &[f32]| {
        floats
            .iter()
            .map(|float| float.to_bits())
            .collect::<Vec<_>>()
    };
    assert_eq!(bits(&floats), bits(&[0.1, -0.0, f32::INFINITY]));
    assert_eq!(metadata.flag("true"), Ok(Some(true)));
    assert_eq!(metadata.flag("false"), Ok(Some(false)));
    assert_eq!(metadata.flags("bools"), Ok(Some(vec![true, false, true])));
    assert_eq!(metadata.text("text"), Ok(Some("caf\u{e9} \u{20000}")));
    assert_eq!(metadata.keys().len(), 29);
}

#[test]
fn texts_are_kept_to_the_letter() {
    let metadata = read(&tiny()).metadata;
    let texts = metadata.texts("texts").expect("texts").expect("there");
    let right = ["\u{feff}", "\u{feff}a", "", "a\0b", "\u{2581}the"];
    assert_eq!(texts.iter().collect::<Vec<_>>(), right);
    for at in 0..=right.len() {
        assert_eq!(texts.get(at), right.get(at).copied());
    }
    assert_eq!((texts.len(), texts.is_empty()), (5, false));
}

/// The library opens such a file too, and raises when the text is asked for.
#[test]
fn a_text_that_is_not_utf_8_is_refused_where_it_is_used() {
    let metadata = read(&tiny()).metadata;
    let error = metadata.text("broken").unwrap_err();
    assert_eq!(
        (error.field.as_str(), error.rule),
        ("broken", GgufRule::NotText)
    );
    // One by one: the bytes of the second and of the third are a letter together.
    let error = metadata.texts("brokens").unwrap_err();
    assert_eq!(
        (error.field.as_str(), error.rule),
        ("brokens[1]", GgufRule::NotText)
    );
    assert_eq!(
        metadata.flag("broken").unwrap_err().rule,
        GgufRule::Expected("BOOL")
    );
}

#[test]
fn a_value_of_another_type_is_refused_by_key_and_both_types() {
    let metadata = read(&tiny()).metadata;
    let error = metadata.whole("float32").unwrap_err();
    assert_eq!(
        error.to_string(),
        "float32: its type is an integer; got FLOAT32"
    );
    let wrong = |error: Result<bool, GgufError>, key: &str, found: &str, expected| {
        let error = error.expect_err(key);
        let own = (error.field.as_str(), error.value.as_str(), error.rule);
        assert_eq!(own, (key, found, GgufRule::Expected(expected)));
    };
    let is_some = |_| true;
    let float = metadata
        .float("uint8")
        .map(is_some as fn(Option<f64>) -> bool);
    wrong(float, "uint8", "UINT8", "FLOAT32 or FLOAT64");
    let flag = metadata.flag("int64").map(|read| read.is_some());
    wrong(flag, "int64", "INT64", "BOOL");
    let text = metadata.text("texts").map(|read| read.is_some());
    wrong(text, "texts", "ARRAY of STRING", "STRING");
    let texts = metadata.texts("text").map(|read| read.is_some());
    wrong(texts, "text", "STRING", "ARRAY of STRING");
    let whole = metadata.whole("true").map(|read| read.is_some());
    wrong(whole, "true", "BOOL", "an integer");
    let wholes = metadata.wholes("bools").map(|read| read.is_some());
    wrong(wholes, "bools", "ARRAY of BOOL", "ARRAY of integers");
    let wholes = metadata.wholes("uint8").map(|read| read.is_some());
    wrong(wholes, "uint8", "UINT8", "ARRAY of integers");
    let floats = metadata.floats("float64s").map(|read| read.is_some());
    wrong(floats, "float64s", "ARRAY of FLOAT64", "ARRAY of FLOAT32");
    let flags = metadata.flags("true").map(|read| read.is_some());
    wrong(flags, "true", "BOOL", "ARRAY of BOOL");
    assert_eq!(
        metadata.type_name("int16s").as_deref(),
        Some("ARRAY of INT16")
    );
}

#[test]
fn an_absent_key_is_nothing_unless_it_is_required() {
    let metadata = read(&tiny()).metadata;
    assert_eq!(metadata.whole("llama.block_count"), Ok(None));
    assert_eq!(metadata.texts(""), Ok(None));
    assert_eq!(metadata.type_name("absent"), None);
    let error = metadata.required("llama.block_count", Metadata::whole);
    let error = error.expect_err("it is absent");
    assert_eq!(error.rule, GgufRule::Missing);
    assert_eq!(error.field, "llama.block_count");
    assert_eq!(metadata.required("uint8", Metadata::whole), Ok(255));
}

#[test]
fn tensors_are_listed_with_the_fastest_axis_last() {
    let all = read(&tiny()).tensors;
    let rows = all.iter().map(|tensor| {
        let own = (
            tensor.name.as_str(),
            tensor.stored.name(),
            tensor.shape.as_slice(),
        );
        (own, tensor.span.clone())
    });
    let right: [((&str, &str, &[usize]), _); 8] = [
        (("single", "F32", &[3, 5]), DATA..DATA + 60),
        (("half", "F16", &[7]), 1472..1486),
        (("bf16", "BF16", &[2, 3]), 1536..1548),
        (("q8_0", "Q8_0", &[2, 64]), 1600..1736),
        (("q4_1", "Q4_1", &[1, 3, 2, 32]), 1792..1912),
        (("q4_k", "Q4_K", &[2, 256]), 1920..2208),
        (("ids", "I64", &[5]), 2240..2280),
        (("number", "F32", &[]), 2304..2308),
    ];
    assert_eq!(rows.collect::<Vec<_>>(), right);
    assert_eq!(all[5].stored, StoredType::Blocks(BlockType::Q4_K));
    assert_eq!(all[6].stored, StoredType::Other("I64"));
}

#[test]
fn bytes_of_tensors_give_the_numbers_of_the_library() {
    let file = tiny();
    let mut right = golden("tiny.bin");
    for tensor in read(&file).tensors {
        let StoredType::Blocks(kind) = tensor.stored else {
            continue;
        };
        let bytes = &file[tensor.span.start as usize..tensor.span.end as usize];
        let mut numbers = vec![0.0; tensor.shape.iter().product()];
        dequantize(kind, bytes, &mut numbers).expect("as many as the shape says");
        let own: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let rest = right.split_off(own.len());
        assert_eq!(own, right, "{}", tensor.name);
        right = rest;
    }
    assert!(right.is_empty());
}

#[test]
fn version_2_is_read_as_version_3_is() {
    let (mut file, three) = (tiny(), read(&tiny()));
    file[4] = 2;
    let two = read(&file);
    assert_eq!(
        two,
        Gguf {
            version: 2,
            ..three
        }
    );
}

/// What is there counts where a length is wrong.
#[test]
fn a_file_is_at_least_as_long_as_what_is_there_of_it() {
    let whole = Ok(Parsed::Whole(read(&tiny())));
    assert_eq!(Gguf::parse(&tiny(), 0), whole);
}

/// As a page reads it: slices, each as long as the last answer asked for, and one that is twice as long.
#[test]
fn a_file_is_read_by_slices() {
    let (file, whole) = (tiny(), read(&tiny()));
    for factor in [1, 2] {
        let (mut have, mut tries) = (0, 0);
        let found = loop {
            match Gguf::parse(&file[..have], file.len() as u64).expect("a good file") {
                Parsed::Whole(found) => break found,
                Parsed::More(more) => {
                    assert!(more > have as u64 && more <= DATA, "{have} → {more}");
                    have = (more as usize * factor).min(file.len());
                }
            }
            tries += 1;
        };
        assert_eq!(found, whole);
        assert!(tries < [0, 300, 12][factor], "{tries} slices");
    }
}
