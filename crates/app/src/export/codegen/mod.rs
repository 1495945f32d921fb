//! The setting as a Python program that prints the same numbers.
//!
//! The program follows the plan step by step, with the names and axes of the page. It computes in 64 bits, so that it differs from
//! the page by the page's rounding alone. The inputs are the page's own numbers, exact in the text or, where they are many, in a file
//! beside it.
//!
//! | module | holds |
//! |---|---|
//! | this one | the program, as cells of a notebook or as one text |
//! | `dialect` | names of the libraries' functions |
//! | `inputs` | the numbers that go in, and how they are written |
//! | `intervention` | what is changed in an opened model |
//! | `mask` | the mask as a condition on positions |
//! | `model` | a model of the training lab |
//! | `operation` | the steps of a plan |
//! | `python` | Python literals |
//! | `highlight` | syntax highlighting |

mod dialect;
mod highlight;
mod inputs;
pub mod intervention;
mod mask;
pub mod model;
mod operation;
pub mod panel;
mod python;

pub use highlight::{Mark, Marked, marked};
pub use inputs::{FILE, ProgramInputs};

use crate::i18n::{Key, Language, text};
use crate::state::request_builder::{self, Sides};
use crate::state::{Field, Library, State};
use attention::Request;
use attention::plan::{Operation, Plan};
use dialect::Dialect;
use formats::write_string;
use formats::{self, Kind, Tensor};
use operation::Steps;

/// A program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Its parts in order, each complete and without an empty line at its end.
    pub cells: Vec<String>,
    /// The numbers that it reads from [`FILE`]; none where they stand in the text itself.
    pub beside: Vec<ProgramInputs>,
}

impl Program {
    /// All of it as one text, ending with a line break.
    pub fn text(&self) -> String {
        let (mut text, mut follows_function) = (String::new(), false);
        for cell in &self.cells {
            let defines = cell.lines().any(|line| line.starts_with("def "));
            // Two empty lines stand before a function and after it (PEP 8), and one between steps.
            text.push_str(match (text.is_empty(), defines || follows_function) {
                (true, _) => "",
                (false, false) => "\n\n",
                (false, true) => "\n\n\n",
            });
            text.push_str(cell);
            follows_function = defines
                && cell
                    .lines()
                    .last()
                    .is_some_and(|line| line.starts_with(' '));
        }
        text + "\n"
    }

    /// The file with the numbers, where they stand in one.
    pub fn npz(&self) -> Option<Vec<u8>> {
        let tensor = |given: &ProgramInputs| {
            let shape = given.shape.iter().map(|(_, length)| *length).collect();
            Tensor::new(given.file, shape, given.values.clone())
        };
        let tensors: Vec<Tensor> = self.beside.iter().map(tensor).collect();
        (!tensors.is_empty()).then(|| formats::write(Kind::Npz, &tensors))
    }
}

/// Text above a program, or that there is none.
pub fn about(program: Option<&Program>, language: Language) -> String {
    let count = |program: &Program| program.beside.iter().map(|given| given.values.len()).sum();
    match program.map(count) {
        None => Key::CodeNone.text(language).to_owned(),
        Some(0) => Key::CodeAbout.text(language).to_owned(),
        Some(count) => text::code_about_beside(language, &count, &FILE),
    }
}

/// Whether both states give the same program.
pub fn writes_alike(one: &State, other: &State) -> bool {
    let is_written =
        |field: &Field| !field.is_shown_only() || matches!(field, Field::Head | Field::Library);
    let mut written = Field::ALL.into_iter().filter(is_written);
    written.all(|field| one.get(field) == other.get(field))
}

/// Data that a program is generated from.
struct Source<'a> {
    state: &'a State,
    request: &'a Request,
    plan: Plan,
    sides: Sides,
    language: Language,
    dialect: Dialect,
}

/// The program of a state in the words of `library`, with remarks in `language`; `None` where there are no queries or no keys,
/// and so nothing to compute. `request` is the one that [`request_builder::request`] makes of `state`.
pub fn program(
    state: &State,
    request: &Request,
    library: Library,
    language: Language,
) -> Option<Program> {
    let sizes = request.sizes();
    if sizes.n == 0 || sizes.m == 0 || sizes.keys == 0 {
        return None;
    }
    let source = Source {
        state,
        request,
        plan: Plan::full(request.config()),
        sides: request_builder::tokens(state),
        language,
        dialect: Dialect(library),
    };
    let given = inputs::given(request);
    let is_inline = inputs::length(&given) <= inputs::MOST_INLINE;
    let mut cells = vec![source.opening(is_inline), source.numbers(&given, is_inline)];
    cells.extend(Steps::new(&source).cells());
    cells.push(source.closing());
    Some(Program {
        cells,
        beside: if is_inline { Vec::new() } else { given },
    })
}

impl Source<'_> {
    fn text(&self, key: Key) -> &'static str {
        key.text(self.language)
    }

    fn has(&self, operation: Operation) -> bool {
        let mut steps = self.plan.steps().iter();
        steps.any(|step| step.operation == operation)
    }

    /// Imports, sizes and tokens.
    fn opening(&self, is_inline: bool) -> String {
        let sizes = self.request.sizes();
        let (n, m, heads) = (sizes.n, sizes.m, sizes.heads);
        let mut lines = vec![
            format!(
                "# {}",
                text::code_title(self.language, &self.dialect.name(), &n, &m, &heads)
            ),
            format!("# {}", self.text(Key::CodePrecision)),
        ];
        lines.extend(
            self.dialect
                .imports(is_inline)
                .iter()
                .map(|&l| l.to_owned()),
        );
        lines.push(String::new());
        lines.extend(self.sizes());
        lines.push(String::new());
        lines.extend(self.tokens());
        lines.join("\n")
    }

    fn sizes(&self) -> Vec<String> {
        let s = self.request.sizes();
        let mut lines = vec![self.size("n, m", &format!("{}, {}", s.n, s.m), Key::CodeLengths)];
        if let Some(d_model) = s.d_model {
            lines.push(self.size("d_model", &d_model.to_string(), Key::CodeModelWidth));
        }
        let head_width = if s.d_v == s.d_k {
            Key::CodeHeadWidth
        } else {
            Key::CodeKeyWidth
        };
        lines.push(self.size("d_k", &s.d_k.to_string(), head_width));
        if s.d_v != s.d_k {
            lines.push(self.size("d_v", &s.d_v.to_string(), Key::CodeValueWidth));
        }
        lines.push(self.size("h", &s.heads.to_string(), Key::CodeHeads));
        if s.kv_heads != s.heads {
            lines.push(self.size("g", &s.kv_heads.to_string(), Key::CodeKvHeads));
        }
        if self.output_width() == "d_out" {
            lines.push(self.size("d_out", &s.d_out.to_string(), Key::CodeOutputWidth));
        }
        if self.request.config().linformer {
            lines.push(self.size("k", &s.keys.to_string(), Key::CodeProjected));
        }
        let temperature = self.request.call().temperature;
        if temperature != 1.0 {
            lines.push(self.size("T", &temperature.to_string(), Key::CodeTemperature));
        }
        lines
    }

    fn size(&self, name: &str, value: &str, key: Key) -> String {
        format!("{name} = {value}  # {}", self.text(key))
    }

    fn tokens(&self) -> Vec<String> {
        let list = |name, words: &[String]| format!("{name} = {}", python::list(words));
        let mut lines = vec![format!("# {}", self.text(Key::CodeTokens))];
        lines.push(list("queries", &self.sides.queries.words));
        lines.push(match &self.sides.source {
            Some(source) => list("keys", &source.words),
            None => "keys = queries".to_owned(),
        });
        lines
    }

    /// Inputs and weights.
    fn numbers(&self, given: &[ProgramInputs], is_inline: bool) -> String {
        let about = if is_inline {
            self.text(Key::CodeNumbers).to_owned()
        } else {
            text::code_numbers_beside(self.language, &FILE)
        };
        let mut lines: Vec<String> = vec![format!("# {about}")];
        let is_packed = |given: &&ProgramInputs| !(is_inline && given.is_tiny());
        if given.iter().any(|given| is_packed(&given)) {
            lines.extend(self.dialect.reader(is_inline).iter().map(|&l| l.to_owned()));
            lines.extend(["", ""].map(str::to_owned));
        }
        for given in given {
            lines.push(match (is_inline, is_packed(&given)) {
                (false, _) => format!(
                    "{} = numbers(\"{}\")  # {}",
                    given.name,
                    given.file,
                    given.axes()
                ),
                (true, true) => format!(
                    "{} = numbers({}, \"{}\")",
                    given.name,
                    given.axes(),
                    python::base64(&given.values)
                ),
                (true, false) => format!(
                    "{} = {}.{}  # {}",
                    given.name,
                    self.dialect.module(),
                    python::array(self.dialect.array(), given),
                    given.axes()
                ),
            });
        }
        lines.join("\n")
    }

    /// Statements that print the result.
    fn closing(&self) -> String {
        let head = self.state.head.min(self.request.sizes().heads - 1);
        let remark = text::code_printed(self.language, &(head + 1));
        [
            format!("# {remark}"),
            format!("head = {head}"),
            "print(f\"A[{head}] =\\n{A[head]}\")".to_owned(),
            "print(f\"O =\\n{O}\")".to_owned(),
        ]
        .join("\n")
    }

    /// The letter of the rows that keys and values are made from.
    fn key_side(&self) -> &'static str {
        match self.sides.source {
            Some(_) => "Y",
            None => "X",
        }
    }

    /// The width of a value, which is that of a query unless both are given.
    fn value_width(&self) -> &'static str {
        let sizes = self.request.sizes();
        if sizes.d_v == sizes.d_k { "d_k" } else { "d_v" }
    }

    /// The letter of the number of key/value heads.
    fn kv_heads(&self) -> &'static str {
        let sizes = self.request.sizes();
        if sizes.kv_heads == sizes.heads {
            "h"
        } else {
            "g"
        }
    }

    /// The width of the output.
    fn output_width(&self) -> &'static str {
        let sizes = self.request.sizes();
        match self.request.output() {
            Some(_) if sizes.d_model == Some(sizes.d_out) => "d_model",
            Some(_) => "d_out",
            None if sizes.d_v == sizes.d_k => "h·d_k",
            None => "h·d_v",
        }
    }
}

/// A notebook file (nbformat 4, JSON) with a cell for each part of the program.
pub fn notebook(program: &Program) -> String {
    let cells: Vec<String> = program
        .cells
        .iter()
        .map(|cell| notebook_cell(cell))
        .collect();
    format!(
        "{{\"cells\":[{}],\"metadata\":{{\"kernelspec\":{{\"display_name\":\"Python 3\",\"language\":\"python\",\"name\":\"python3\"}},\"language_info\":{{\"name\":\"python\"}}}},\"nbformat\":4,\"nbformat_minor\":4}}\n",
        cells.join(",")
    )
}

fn notebook_cell(cell: &str) -> String {
    let mut source = String::new();
    write_string(&mut source, cell);
    format!(
        "{{\"cell_type\":\"code\",\"execution_count\":null,\"metadata\":{{}},\"outputs\":[],\"source\":{source}}}"
    )
}
