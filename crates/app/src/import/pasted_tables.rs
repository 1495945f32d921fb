//! Splits pasted text into several tables, such as Q, K and V.

/// The most tables of a text.
const MOST: usize = 16;

/// A table and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table<'a> {
    /// The line above it.
    pub name: &'a str,
    /// Its lines.
    pub text: &'a str,
}

/// Tables of a text in which each follows a line with only its name. Empty for any other text: a
/// single table, JSON, or more tables than anybody pastes.
pub fn tables(text: &str) -> Vec<Table<'_>> {
    let mut found: Vec<(&str, usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match name(line) {
            Some(_) if found.len() == MOST => return Vec::new(),
            Some(name) => found.push((name, end, end)),
            None => match found.last_mut() {
                Some(table) => table.2 = end,
                None if line.trim().is_empty() => (),
                None => return Vec::new(),
            },
        }
        at = end;
    }
    let tables = found.into_iter().map(|(name, from, to)| Table {
        name,
        text: &text[from..to],
    });
    let tables: Vec<_> = tables.collect();
    if tables.len() > 1 && tables.iter().all(|table| !table.text.trim().is_empty()) {
        tables
    } else {
        Vec::new()
    }
}

/// The only word on a line, as `q`, `# w_q` or `V:`. A number is not a name.
fn name(line: &str) -> Option<&str> {
    let word = line.trim().trim_start_matches('#').trim_start();
    let word = word.trim_end_matches([':', '=']).trim_end();
    let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    (is_word && word.parse::<f64>().is_err()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<(&str, &str)> {
        let tables = tables(text).into_iter();
        tables.map(|table| (table.name, table.text)).collect()
    }

    #[test]
    fn each_table_stands_below_its_name() {
        assert_eq!(
            named("q\n1,2\n3,4\n\nk\n5,6\n"),
            [("q", "1,2\n3,4\n\n"), ("k", "5,6\n")]
        );
        assert_eq!(
            named("\n# q_proj.weight\r\n1\t2\r\nV:\r\n3\t4"),
            [("q_proj.weight", "1\t2\r\n"), ("V", "3\t4")]
        );
    }

    #[test]
    fn anything_else_is_one_text() {
        let many: String = (0..17).map(|at| format!("t{at}\n1\n")).collect();
        for text in [
            "",
            "1,2\n3,4",
            "weights\n1\n2",
            "1\nq\n2\nk\n3",
            "nan\n1\nnan\n2",
            "q\nk\n1,2",
            "q\n1,2\nk\n",
            "cat,sat\n1,2\nq\n3,4",
            "{\n\"q\": [[1]]\n}",
            &many,
        ] {
            assert_eq!(named(text), [], "{text:?}");
        }
    }
}
