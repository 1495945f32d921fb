//! A LaTeX table with the rules of `booktabs`.

use super::text_table::clean;
use super::{CellRange, TextMatrix};

/// Text of a hidden cell.
pub(super) const HIDDEN: &str = "$\\cdot$";

/// Width of a line in `article` at 10 pt, in points.
const LINE: f64 = 345.0;

/// How a table is set, from the largest.
struct Setting {
    /// TeX's name of the size; nothing is that of the text around.
    size: &'static str,
    /// Points that a point of text at 10 pt becomes in this size.
    factor: f64,
    /// Points at each side of a column.
    separation: f64,
    /// Most decimals.
    decimals: usize,
    /// Names of columns stand upright.
    is_turned: bool,
}

const SETTINGS: [Setting; 3] = [
    Setting {
        size: "",
        factor: 1.0,
        separation: 6.0,
        decimals: 3,
        is_turned: false,
    },
    Setting {
        size: "\\small",
        factor: 0.9,
        separation: 3.0,
        decimals: 2,
        is_turned: false,
    },
    Setting {
        size: "\\small",
        factor: 0.9,
        separation: 3.0,
        decimals: 2,
        is_turned: true,
    },
];

/// The table in the largest setting in which it fits into a line; what fits in none is made smaller as a whole.
pub(super) fn table(part: &CellRange<'_>) -> String {
    let fits = |setting: &&Setting| width(part, setting) <= LINE;
    let fitting = SETTINGS.iter().find(fits);
    let [.., smallest] = &SETTINGS;
    let setting = fitting.unwrap_or(smallest);
    let (before, after) = match fitting {
        Some(_) => ("", ""),
        None => ("  \\resizebox{\\linewidth}{!}{%\n", "  }\n"),
    };
    let looks = match setting.size {
        "" => String::new(),
        size => format!(
            "  {size}\\setlength{{\\tabcolsep}}{{{}pt}}\n",
            setting.separation
        ),
    };
    let needs = needs(part, setting.is_turned);
    let (caption, body) = (caption(part.sheet), body(part, setting));
    let columns = "r".repeat(part.columns.len());
    format!(
        "{needs}\\begin{{table}}\n  \\centering\n  \\caption{{{caption}}}\n{looks}{before}  \\begin{{tabular}}{{l{columns}}}\n    \\toprule\n{body}    \\bottomrule\n  \\end{{tabular}}\n{after}\\end{{table}}\n",
    )
}

fn body(part: &CellRange<'_>, setting: &Setting) -> String {
    let sheet = part.sheet;
    let decimals = part.decimals().min(setting.decimals);
    let name = |column: usize| {
        let name = escaped(&sheet.columns[column]);
        if setting.is_turned {
            format!("\\rotatebox{{90}}{{{name}}}")
        } else {
            name
        }
    };
    let names = part.columns.clone().map(name);
    let head: Vec<String> = std::iter::once(String::new()).chain(names).collect();
    let mut rows = vec![line(&head), "\\midrule\n".to_owned()];
    for row in part.rows.clone() {
        let columns = part.columns.clone();
        let values = columns.map(|column| number(part.short(row, column, decimals)));
        let cells: Vec<String> = std::iter::once(escaped(&sheet.rows[row]))
            .chain(values)
            .collect();
        rows.push(line(&cells));
    }
    rows.iter().map(|row| format!("    {row}")).collect()
}

/// Caption, with the formula as a sentence of its own.
fn caption(sheet: &TextMatrix<'_>) -> String {
    let stop = match sheet.caption.chars().last() {
        Some('.' | '。') | None => "",
        _ if !sheet.caption.contains(|c| c >= FIRST_CJK) => ".",
        _ => "。",
    };
    format!("{}{stop} {}", escaped(sheet.caption), sheet.formula)
}

/// About how wide the table is, in points, rather too much than too little.
fn width(part: &CellRange<'_>, setting: &Setting) -> f64 {
    let sheet = part.sheet;
    let decimals = part.decimals().min(setting.decimals);
    let set = |text: &str| setting.factor * text.chars().map(width_of).sum::<f64>();
    let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
    let column = |column: usize| {
        let values = part
            .rows
            .clone()
            .filter_map(|row| part.short(row, column, decimals));
        let own = widest(&mut values.map(|value| set(&value)));
        let name = if setting.is_turned {
            setting.factor * 10.0
        } else {
            set(&sheet.columns[column])
        };
        own.max(name) + 2.0 * setting.separation
    };
    let names = widest(&mut part.rows.clone().map(|row| set(&sheet.rows[row])));
    names + 2.0 * setting.separation + part.columns.clone().map(column).sum::<f64>()
}

/// The first character of those of Chinese; arrows and signs of mathematics stand before it.
const FIRST_CJK: char = '\u{2e80}';

/// Points of a character in Computer Modern at 10 pt, or a little more.
fn width_of(c: char) -> f64 {
    match c {
        '.' | ',' | '\'' | 'i' | 'j' | 'l' | ':' | ';' | '!' => 3.0,
        '-' | 'm' | 'w' | 'M' | 'W' | '%' => 8.5,
        'f' | 'r' | 's' | 't' | 'I' => 4.5,
        '0'..='9' => 5.0,
        'a'..='z' => 5.6,
        c if c.is_ascii() => 7.8,
        '\u{1100}'.. => 10.0,
        _ => 7.8,
    }
}

fn line(cells: &[String]) -> String {
    format!("{} \\\\\n", cells.join(" & "))
}

/// LaTeX packages that the table requires.
fn needs(part: &CellRange<'_>, is_turned: bool) -> String {
    let sheet = part.sheet;
    let shown = part
        .rows
        .clone()
        .map(|row| &sheet.rows[row])
        .chain(part.columns.clone().map(|column| &sheet.columns[column]));
    let is_plain = shown.into_iter().all(|name| name.is_ascii()) && sheet.caption.is_ascii();
    let fonts = if is_plain {
        ""
    } else {
        "% XeLaTeX, LuaLaTeX; \\usepackage{ctex} for Chinese\n"
    };
    let turning = if is_turned { ", graphicx" } else { "" };
    format!("% \\usepackage{{booktabs{turning}}}\n{fonts}")
}

/// In mathematics, for a minus sign instead of a hyphen.
fn number(short: Option<String>) -> String {
    match short {
        None => HIDDEN.to_owned(),
        Some(number) => format!("${number}$"),
    }
}

/// Somebody else's text in a document. Every character that TeX takes for more than itself is escaped, pairs that it joins
/// are kept apart, and what cannot be typeset is left out. The text never begins with what `\\` would take for its option.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in clean(text).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("''"),
            '[' | ']' | '*' => out.extend(['{', c, '}']),
            // Dashes, quotes and question marks are joined where two of them meet.
            '-' | '\'' | '`' | ',' if c == before || (c == '`' && "?!".contains(before)) => {
                out.extend(['{', '}', c])
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}
