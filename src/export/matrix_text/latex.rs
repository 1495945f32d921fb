//! A LaTeX table with the rules of `booktabs`.

use super::Part;
use super::text_table::clean;

/// What stands for a hidden cell.
pub(super) const HIDDEN: &str = "$\\cdot$";

pub(super) fn table(part: &Part<'_>) -> String {
    let (sheet, decimals) = (part.sheet, part.decimals());
    let names = part
        .columns
        .clone()
        .map(|column| escaped(&sheet.columns[column]));
    let head: Vec<String> = std::iter::once(String::new()).chain(names).collect();
    let mut rows = vec![line(&head)];
    rows.push("\\midrule\n".to_owned());
    for row in part.rows.clone() {
        let values = part
            .columns
            .clone()
            .map(|column| number(part.short(row, column, decimals)));
        let cells: Vec<String> = std::iter::once(escaped(&sheet.rows[row]))
            .chain(values)
            .collect();
        rows.push(line(&cells));
    }
    let body: String = rows.iter().map(|row| format!("    {row}")).collect();
    format!(
        "{}\\begin{{table}}\n  \\centering\n  \\caption{{{} {}}}\n  \\begin{{tabular}}{{l{}}}\n    \\toprule\n{body}    \\bottomrule\n  \\end{{tabular}}\n\\end{{table}}\n",
        needs(part),
        escaped(sheet.caption),
        sheet.formula,
        "r".repeat(part.columns.len()),
    )
}

fn line(cells: &[String]) -> String {
    format!("{} \\\\\n", cells.join(" & "))
}

/// What the table needs of its document.
fn needs(part: &Part<'_>) -> String {
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
    format!("% \\usepackage{{booktabs}}\n{fonts}")
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
