//! Tables as spreadsheets, R, pandas and people write them.

use attention_playground::formats::{Kind, Labels, Limits, Place, Rule, Tensor, read, write};

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
        "1;2,5\n-3;0,25\n",
        "1\t2,5\r-3\t0,25\r",
        "1 2.5\n-3   0.25 \n",
        "\u{feff}1,2.5\n\n-3,.25\n",
        "\"1\",\"2,5\"\n\"-3\",\"0,25\"\n",
        "# a comment; of two, kinds\n1,2.5\n# another\n−3,+2.5e-1\n",
    ] {
        reads(text, [2, 2], FOUR, &[], &[]);
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
        "x;a;b\n\"the\";1;2,5\ncat;-3;0,25\n",
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
        ("1,2\n3\n", Place::Row(2), Rule::Ragged(2)),
        ("1,2\n3,\n", cell(2, 2), Rule::EmptyCell),
        ("a,b\n1,2\n3,x\n", cell(3, 2), Rule::NotNumber),
        ("1,2\n3,nan\n", element("t", &[1, 1]), Rule::NotFinite),
        ("1,2\n-inf,3\n", element("t", &[1, 0]), Rule::NotFinite),
        ("1,2\n3,1e39\n", element("t", &[1, 1]), Rule::BeyondRange),
        ("1.5;2\n2,5;3\n", cell(2, 1), Rule::MixedDecimals),
        ("1;2\n1;1.234,5\n", cell(2, 2), Rule::MixedDecimals),
        ("\"1,2\n3,4\n", cell(1, 1), Rule::Malformed),
        ("\"1\"2,3\n", cell(1, 1), Rule::Malformed),
        ("a,b,c\n", Place::from("t"), Rule::NoTensors),
        ("# nothing\n", Place::from("t"), Rule::NoTensors),
        ("# shape: (2, 2)\n1,2\n", Place::from("t"), Rule::Length(2)),
        (
            "# shape: (99999999999, 99999999999)\n1,2\n",
            Place::from("t"),
            Rule::MostElements(16 << 20),
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
    assert_eq!(error.rule, Rule::MostElements(16 << 20));
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
