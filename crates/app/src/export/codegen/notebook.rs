//! The program as a notebook file (nbformat 4).

use super::Program;
use formats::write_string;

/// A notebook with a cell for each part of the program: JSON.
pub fn notebook(program: &Program) -> String {
    let cells: Vec<String> = program.cells.iter().map(|cell| json_string(cell)).collect();
    format!(
        "{{\"cells\":[{}],\"metadata\":{{\"kernelspec\":{{\"display_name\":\"Python 3\",\"language\":\"python\",\"name\":\"python3\"}},\"language_info\":{{\"name\":\"python\"}}}},\"nbformat\":4,\"nbformat_minor\":4}}\n",
        cells.join(",")
    )
}

fn json_string(cell: &str) -> String {
    let mut source = String::new();
    write_string(&mut source, cell);
    format!(
        "{{\"cell_type\":\"code\",\"execution_count\":null,\"metadata\":{{}},\"outputs\":[],\"source\":{source}}}"
    )
}
