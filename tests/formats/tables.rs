//! Tables as spreadsheets, R, pandas and people write them.

use formats::{ErrorLocation, FormatRule, Kind, Labels, Limits, Tensor, read, write};

use super::{cell, element};

fn table(text: &str) -> Tensor {
    let tensors = read("t.csv", text.as_bytes(), &Limits::default());
    tensors
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .remove(0)
}

/// Rows, columns, numbers, and the names of both.
#[track_caller]
fn reads(text: &str, shape: [usize; 2], data: &[f32], rows: &[&str], columns: &[&str]) {
    let read = table(text);
    assert_eq!(
        (&read.shape[..], &read.data[..]),
        (&shape[..], data),
        "{text}"
    );
    let names = |axis: usize| {
        read.labels
            .get(axis)
            .map_or(&[][..], |labels| &labels.names)
    };
    assert!(
        names(0).iter().eq(rows) && names(1).iter().eq(columns),
        "{:?}",
        read.labels
    );
}

const FOUR: &[f32] = &[1.0, 2.5, -3.0, 0.25];

#[test]
fn separators_and_ends_of_lines() {
    for text in [
        "1,2.5\n-3,0.25\n",
        "1, 2.5\r\n-3, 0.25",
        "1;2.5\n-3;0.25\n\n",
        "1\t2.5\r-3\t0.25\r",
        "1 2.5\n-3   0.25 \n",
        "\u{feff}1,2.5\n\n-3,.25\n",
        "\"1\",\"2.5\"\n\"-3\",\"0.25\"\n",
        "# a comment; of two, kinds\n1,2.5\n# another\n−3,+2.5e-1\n",
    ] {
        reads(text, [2, 2], FOUR, &[], &[]);
    }
}

#[test]
fn decimal_commas_are_read_where_the_separator_is_another() {
    for text in [
        "1;2,5\n-3;0,25\n",
        "1\t2,5\n-3\t0,25\n",
        "1 2,5\n-3 0,25\n",
        "\"1,0\",\"2,5\"\n\"-3,0\",\"0,25\"\n",
        "1,0;2,5\n−3,0;2,5e-1\n",
    ] {
        reads(text, [2, 2], FOUR, &[], &[]);
    }
    reads(
        ";the;cat\nthe;0,7;0,3\ncat;0,4;0,6\n",
        [2, 2],
        &[0.7, 0.3, 0.4, 0.6],
        &["the", "cat"],
        &["the", "cat"],
    );
    reads("x;a\nthe;−0,5\n", [1, 1], &[-0.5], &["the"], &["a"]);
    // Nothing tells here, so they are four whole numbers.
    reads(
        "0,7,0,3\n0,4,0,6\n",
        [2, 4],
        &[0.0, 7.0, 0.0, 3.0, 0.0, 4.0, 0.0, 6.0],
        &[],
        &[],
    );
}

#[test]
fn a_first_row_without_its_corner_names_columns() {
    let (rows, columns): (&[&str], &[&str]) = (&["the", "cat"], &["a", "b"]);
    for text in [
        "a,b\nthe,1,2.5\ncat,-3,0.25\n",
        "\"a\" \"b\"\n\"the\" 1 2.5\n\"cat\" -3 0.25\n",
    ] {
        reads(text, [2, 2], FOUR, rows, columns);
    }
}

#[test]
fn names_of_rows_and_columns() {
    let columns: &[&str] = &["a", "b"];
    let rows: &[&str] = &["the", "cat"];
    reads("a,b\n1,2.5\n-3,0.25\n", [2, 2], FOUR, &[], columns);
    reads("the,1,2.5\ncat,-3,0.25\n", [2, 2], FOUR, rows, &[]);
    reads(
        ",a,b\nthe,1,2.5\ncat,-3,0.25\n",
        [2, 2],
        FOUR,
        rows,
        columns,
    );
    reads(
        "x;a;b\n\"the\";1;2.5\ncat;-3;0.25\n",
        [2, 2],
        FOUR,
        rows,
        columns,
    );
    // pandas names rows and columns by numbers, and leaves the corner empty.
    reads(
        ",0,1\n0,1,2.5\n1,-3,0.25\n",
        [2, 2],
        FOUR,
        &["0", "1"],
        &["0", "1"],
    );
    // What is quoted where numbers are not is a name.
    reads(
        "\"7\",\"8\"\n1,2.5\n-3,0.25\n",
        [2, 2],
        FOUR,
        &[],
        &["7", "8"],
    );
    reads(
        "\"q\",\"nan\",\"8\"\n\"7\",1,2.5\n\"8\",-3,0.25\n",
        [2, 2],
        FOUR,
        &["7", "8"],
        &["nan", "8"],
    );
    reads("weight\n1\n2\n", [2, 1], &[1.0, 2.0], &[], &["weight"]);
}

#[test]
fn what_is_no_table_of_numbers_is_refused_where_it_is_not() {
    for (text, place, rule) in [
        ("1,2\n3\n", ErrorLocation::Row(2), FormatRule::Ragged(2)),
        ("1,2\n3,\n", cell(2, 2), FormatRule::EmptyCell),
        ("a,b\n1,2\n3,x\n", cell(3, 2), FormatRule::NotNumber),
        ("1,2\n3,nan\n", element("t", &[1, 1]), FormatRule::NotFinite),
        (
            "1,2\n-inf,3\n",
            element("t", &[1, 0]),
            FormatRule::NotFinite,
        ),
        (
            "1,2\n3,1e39\n",
            element("t", &[1, 1]),
            FormatRule::BeyondRange,
        ),
        ("1.5;2\n2,5;3\n", cell(2, 1), FormatRule::DecimalComma),
        ("1;2\n1;1.234,5\n", cell(2, 2), FormatRule::DecimalComma),
        (
            "\"1\",\"2.5\"\n\"-3\",\"0,25\"\n",
            cell(2, 2),
            FormatRule::DecimalComma,
        ),
        ("1;2\n1;a,5\n", cell(2, 2), FormatRule::NotNumber),
        ("\"1,2\n3,4\n", cell(1, 1), FormatRule::Malformed),
        ("\"1\"2,3\n", cell(1, 1), FormatRule::Malformed),
        ("a,b,c\n", ErrorLocation::from("t"), FormatRule::NoTensors),
        (
            "# nothing\n",
            ErrorLocation::from("t"),
            FormatRule::NoTensors,
        ),
        (
            "# shape: (2, 2)\n1,2\n",
            ErrorLocation::from("t"),
            FormatRule::Length(2),
        ),
        (
            "# shape: (99999999999, 99999999999)\n1,2\n",
            ErrorLocation::from("t"),
            FormatRule::MostElements(16 << 20),
        ),
    ] {
        let error = read("t.csv", text.as_bytes(), &Limits::default()).expect_err(text);
        assert_eq!((&error.place, error.rule), (&place, rule), "{text}");
    }
}

#[test]
fn an_axis_of_nothing_hides_no_others() {
    let text = "# shape: (0, 16777216, 16777216, 16777216, 0)\n\"a\"\n";
    let error = read("t.csv", text.as_bytes(), &Limits::default()).expect_err("too long");
    assert_eq!(error.rule, FormatRule::MostElements(16 << 20));
}

#[test]
fn a_formula_among_the_names_is_none_in_a_spreadsheet() {
    let labels = |name: &str| Labels {
        title: String::new(),
        names: vec![name.to_owned()],
    };
    let tensor = Tensor {
        labels: vec![labels("=HYPERLINK(\"x\")"), labels("@sum")],
        ..Tensor::new("t", vec![1, 1], vec![-1.5])
    };
    let text = String::from_utf8(write(Kind::Csv, &[tensor])).expect("it is text");
    assert_eq!(text, "\"\",\"'@sum\"\n\"'=HYPERLINK(\"\"x\"\")\",-1.5\n");
}

#[test]
fn names_come_back_with_the_apostrophes_that_are_their_own() {
    let names = [
        "=1", "'=1", "''-", "'", "don't", "\t=", "\"", "a\r\nb", "，", "",
    ];
    let names: Vec<String> = names.map(str::to_owned).into();
    let labels = Labels {
        title: "key".to_owned(),
        names: names.clone(),
    };
    let tensor = Tensor {
        labels: vec![Labels::default(), labels],
        ..Tensor::new("t", vec![1, names.len()], vec![0.5; names.len()])
    };
    let bytes = write(Kind::Csv, &[tensor]);
    let back = read("t.csv", &bytes, &Limits::default()).expect("our own");
    assert_eq!(back[0].labels[1].names, names);
}

#[test]
fn text_in_another_encoding_is_refused_as_that() {
    // As Excel saves CSV, "é" in Windows-1252 and "词" in GBK, and "Unicode text", in either order of bytes.
    let text = "\u{feff}the\t0.25\r\n";
    let wide = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let (little, big) = (wide(u16::to_le_bytes), wide(u16::to_be_bytes));
    for bytes in [&b"caf\xe9,1\n"[..], b"\xb4\xca,1\n", &little, &big] {
        let error = read("t.csv", bytes, &Limits::default()).expect_err("it is no UTF-8");
        assert_eq!(error.rule, FormatRule::Encoding);
    }
    // Without its mark it is no text at all.
    let error = read("t.csv", &little[2..], &Limits::default()).expect_err("it has zeros");
    assert_eq!(error.rule, FormatRule::UnknownFormat);
}

/// A header of 65,279 bytes has a length that begins like a text of 16-bit units.
#[test]
fn a_length_that_looks_like_the_mark_of_a_text_is_none() {
    let mut header =
        String::from("{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}");
    header.push_str(&" ".repeat(0xfeff - header.len()));
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    assert_eq!(bytes[..2], [0xff, 0xfe]);
    bytes.extend(header.bytes());
    bytes.extend(2.5_f32.to_le_bytes());
    let tensors = read("w", &bytes, &Limits::default()).expect("it is safetensors");
    assert_eq!(tensors, [Tensor::new("w", vec![1], vec![2.5])]);
}
