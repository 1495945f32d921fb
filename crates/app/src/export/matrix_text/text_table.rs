//! A table for fixed-width fonts. Chinese, Japanese and Korean characters take two columns, combining marks none.

use super::CellRange;

/// Text of a hidden cell.
pub(super) const HIDDEN: &str = "·";

pub(super) fn table(part: &CellRange<'_>) -> String {
    let [down, along] = part.sheet.titles;
    let mut names = vec![clean(&format!("{down} \\ {along}"))];
    names.extend(part.rows.clone().map(|row| clean(&part.sheet.rows[row])));
    let mut columns = vec![names];
    let decimals = part.decimals();
    for column in part.columns.clone() {
        let mut cells = vec![clean(&part.sheet.columns[column])];
        let value = |row| {
            part.short(row, column, decimals)
                .unwrap_or_else(|| HIDDEN.to_owned())
        };
        cells.extend(part.rows.clone().map(value));
        columns.push(cells);
    }
    let widths: Vec<usize> = columns
        .iter()
        .map(|cells| cells.iter().map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in 0..=part.rows.len() {
        for (at, (cells, width)) in columns.iter().zip(&widths).enumerate() {
            text.push_str(if at == 0 { "" } else { "  " });
            text.push_str(&padded(&cells[line], *width, at == 0));
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
        if line == 0 {
            let all = widths.iter().sum::<usize>() + 2 * (widths.len() - 1);
            text.push_str(&"-".repeat(all));
            text.push('\n');
        }
    }
    text.push_str(&format!("\n{}\n", clean(part.sheet.caption)));
    text
}

/// Names to the left, numbers to the right.
fn padded(cell: &str, to: usize, is_name: bool) -> String {
    let space = " ".repeat(to - width(cell).min(to));
    if is_name {
        format!("{cell}{space}")
    } else {
        format!("{space}{cell}")
    }
}

/// A name on one line, without what would move the others: control characters, marks that turn the direction of writing.
pub(super) fn clean(text: &str) -> String {
    let kept = text.chars().filter(|c| !is_unseen(*c));
    kept.map(|c| {
        if c.is_control() || c.is_whitespace() {
            ' '
        } else {
            c
        }
    })
    .collect()
}

fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn width(text: &str) -> usize {
    text.chars().map(places).sum()
}

/// How many places a character takes: the blocks of Unicode's East Asian width that texts have.
fn places(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}'
        | '\u{64b}'..='\u{65f}'
        | '\u{93c}'
        | '\u{941}'..='\u{948}'
        | '\u{94d}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}
