//! The table of what libraries mean by a causal flag, a window and a mask, as Rust code.

use toml::{Table, Value};

/// Fields that every row has, in the order of the struct.
const FIELDS: [&str; 11] = [
    "id",
    "library",
    "version",
    "function",
    "alignment",
    "empty_row",
    "polarity",
    "float_mask",
    "int_mask",
    "program",
    "output",
];

/// The rows of `source`, `content/conventions.toml`, as the expression of an array.
///
/// # Errors
/// What is wrong in the file.
pub fn rust(source: &str) -> Result<String, Vec<String>> {
    let table: Table = source.parse().map_err(|error| vec![format!("{error}")])?;
    let rows = table.get("row").and_then(Value::as_array);
    let rows = rows.ok_or_else(|| vec!["there is no [[row]]".to_owned()])?;
    let (mut written, mut problems) = (Vec::new(), Vec::new());
    for row in rows {
        match row_of(row) {
            Ok(row) => written.push(row),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(format!("&[\n{}]\n", written.concat()))
    } else {
        Err(problems)
    }
}

fn row_of(row: &Value) -> Result<String, String> {
    let text = |field: &str| row.get(field).and_then(Value::as_str);
    let id = text("id").unwrap_or("a row without an id");
    let mut fields = String::new();
    for field in FIELDS {
        let value = text(field).ok_or_else(|| format!("{id}: {field} is missing"))?;
        fields += &format!("{field}: {:?}, ", value.trim());
    }
    let number = |field: &str| row.get(field).and_then(Value::as_integer);
    let window = match (
        number("window_causal"),
        number("window_two_sided"),
        text("window_call"),
    ) {
        (Some(causal), Some(two_sided), Some(call)) => {
            format!("Some(({causal}, {two_sided}, {call:?}))")
        }
        _ => "None".to_owned(),
    };
    let note = |field: &str| format!("{:?}", text(field).unwrap_or_default());
    Ok(format!(
        "    Convention {{ {fields}window: {window}, notes: [{}, {}] }},\n",
        note("note_en"),
        note("note_zh")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "[[row]]\nid = \"a\"\nlibrary = \"L\"\nversion = \"1\"\nfunction = \"f\"\nalignment = \"start\"\nempty_row = \"zero\"\n\
        polarity = \"true-shows\"\nfloat_mask = \"added\"\nint_mask = \"added\"\noutput = \"0\"\n";

    #[test]
    fn a_row_is_written_with_its_window_if_it_has_one() {
        let whole = format!("{ROW}program = '''\nprint(\"x\")\n'''\n");
        let written = rust(&whole).expect("a good row");
        assert!(written.contains("alignment: \"start\"") && written.contains("window: None"));
        assert!(
            written.contains("program: \"print(\\\"x\\\")\""),
            "{written}"
        );
        let window =
            format!("{whole}window_causal = 3\nwindow_two_sided = 5\nwindow_call = \"w=2\"\n");
        let written = rust(&window).expect("a good row");
        assert!(
            written.contains("window: Some((3, 5, \"w=2\"))"),
            "{written}"
        );
    }

    #[test]
    fn a_field_that_is_missing_is_named() {
        assert_eq!(rust(ROW), Err(vec!["a: program is missing".to_owned()]));
        assert!(rust("x = 1").is_err());
    }
}
