//! Tables as pandas 3.1.1 writes them with `to_json`, in every orient.

use formats::{Contents, FormatRule, Limits, Source, open, read};

/// A map whose rows sum to 1, under the names `the`, `cat`, and its source.
#[track_caller]
fn is_map(text: &str, source: Source, rows: [&str; 2], columns: [&str; 2]) {
    let contents = opened(text);
    assert_eq!(contents.source, source, "{text}");
    let tensor = &contents.tensors[0];
    assert_eq!((&tensor.name[..], &tensor.shape[..]), ("t", &[2, 2][..]));
    assert_eq!(tensor.data, [0.7, 0.3, 0.4, 0.6], "{text}");
    let names: Vec<_> = tensor
        .labels
        .iter()
        .map(|axis| axis.names.clone())
        .collect();
    assert_eq!(names, [rows, columns], "{text}");
}

fn opened(text: &str) -> Contents {
    open("t.json", text.as_bytes(), &Limits::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn every_orient_is_a_table_with_names() {
    let (the, counted) = (["the", "cat"], ["0", "1"]);
    for (text, source) in [
        (
            r#"{"the":{"the":0.7,"cat":0.4},"cat":{"the":0.3,"cat":0.6}}"#,
            Source::JsonColumns,
        ),
        (
            r#"{"the":{"the":0.7,"cat":0.3},"cat":{"the":0.4,"cat":0.6}}"#,
            Source::JsonRows,
        ),
        (
            r#"{"columns":["the","cat"],"index":["the","cat"],"data":[[0.7,0.3],[0.4,0.6]]}"#,
            Source::JsonTable,
        ),
        (
            r#"{"schema":{"fields":[{"name":"index","type":"string","extDtype":"str"},{"name":"the","type":"number"},{"name":"cat","type":"number"}],"primaryKey":["index"],"pandas_version":"1.4.0"},"data":[{"index":"the","the":0.7,"cat":0.3},{"index":"cat","the":0.4,"cat":0.6}]}"#,
            Source::JsonTable,
        ),
        // As `reset_index` leaves it.
        (
            r#"[{"index":"the","the":0.7,"cat":0.3},{"index":"cat","the":0.4,"cat":0.6}]"#,
            Source::JsonTable,
        ),
        (
            "{\"index\":\"the\",\"the\":0.7,\"cat\":0.3}\n{\"index\":\"cat\",\"the\":0.4,\"cat\":0.6}\n",
            Source::JsonTable,
        ),
    ] {
        is_map(text, source, the, the);
    }
    for (text, source) in [
        (
            r#"{"0":{"0":0.7,"1":0.4},"1":{"0":0.3,"1":0.6}}"#,
            Source::JsonColumns,
        ),
        (
            r#"{"columns":[0,1],"index":[0,1],"data":[[0.7,0.3],[0.4,0.6]]}"#,
            Source::JsonTable,
        ),
        (
            r#"{"schema":{"fields":[{"name":"index","type":"integer"},{"name":0,"type":"number"},{"name":1,"type":"number"}],"primaryKey":["index"],"pandas_version":"1.4.0"},"data":[{"index":0,"0":0.7,"1":0.3},{"index":1,"0":0.4,"1":0.6}]}"#,
            Source::JsonTable,
        ),
    ] {
        is_map(text, source, counted, counted);
    }
    let records = opened(r#"[{"the":0.7,"cat":0.3},{"the":0.4,"cat":0.6}]"#);
    assert_eq!(records.tensors[0].data, [0.7, 0.3, 0.4, 0.6]);
    assert_eq!(records.tensors[0].labels[1].names, the);
    assert!(records.tensors[0].labels[0].names.is_empty());
}

#[test]
fn a_table_of_columns_is_no_square_by_chance() {
    let contents = opened(r#"{"a":{"x":1.5,"y":2,"z":-3},"b":{"x":4,"y":5,"z":6}}"#);
    let tensor = &contents.tensors[0];
    assert_eq!(
        (&tensor.shape[..], &tensor.data[..]),
        (&[3, 2][..], &[1.5, 4.0, 2.0, 5.0, -3.0, 6.0][..])
    );
    assert_eq!(tensor.labels[0].names, ["x", "y", "z"]);
    assert_eq!(tensor.labels[1].names, ["a", "b"]);
}

#[test]
fn what_is_no_table_is_refused_where_it_is_not() {
    for (text, rule) in [
        (r#"{"a":{"x":1,"y":2},"b":{"x":3}}"#, FormatRule::Ragged(2)),
        (
            r#"{"a":{"x":1,"y":2},"b":{"x":3,"z":4}}"#,
            FormatRule::OtherKeys,
        ),
        (r#"[{"a":1,"b":"x"},{"a":2,"b":3}]"#, FormatRule::NotNumber),
        (
            r#"{"0":{"0":0.7,"1":0.1},"1":{"0":null,"1":0.2}}"#,
            FormatRule::NotFinite,
        ),
        (r#"{"a":{"x":1},"a":{"x":3}}"#, FormatRule::Duplicate),
    ] {
        let error = read("t.json", text.as_bytes(), &Limits::default()).expect_err(text);
        assert_eq!(error.rule, rule, "{text}: {error}");
    }
}
