//! The program as a notebook's file (nbformat 4).

use super::Program;

/// A notebook with a cell for each part of the program: JSON.
pub fn notebook(program: &Program) -> String {
    let cells: Vec<String> = program.cells.iter().map(|cell| of(cell)).collect();
    format!(
        "{{\"cells\":[{}],\"metadata\":{{\"kernelspec\":{{\"display_name\":\"Python 3\",\"language\":\"python\",\"name\":\"python3\"}},\"language_info\":{{\"name\":\"python\"}}}},\"nbformat\":4,\"nbformat_minor\":4}}\n",
        cells.join(",")
    )
}

fn of(cell: &str) -> String {
    let source = json(cell);
    format!(
        "{{\"cell_type\":\"code\",\"execution_count\":null,\"metadata\":{{}},\"outputs\":[],\"source\":{source}}}"
    )
}

/// A text in JSON (RFC 8259, §7).
fn json(text: &str) -> String {
    let mut written = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            '\n' => written.push_str("\\n"),
            c if c < ' ' => written.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => written.push(c),
        }
    }
    written.push('"');
    written
}
