//! Shares in per cent.

/// Formats a share in per cent. Only exactly 1 is written as 100 %, and only exactly 0 as 0 %.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        all if all >= 100.0 => "100\u{202f}%".to_owned(),
        none if none <= 0.0 => "0\u{202f}%".to_owned(),
        few if few < 0.1 => "<0.1\u{202f}%".to_owned(),
        nearly if nearly > 99.9 => ">99.9\u{202f}%".to_owned(),
        share if (10.0..99.0).contains(&share) => format!("{share:.0}\u{202f}%"),
        share => format!("{share:.1}\u{202f}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_rounded_to_all_or_to_none() {
        let written = [0.0, 1e-5, 0.004, 0.5, 0.996, 0.9996, 1.0].map(percent);
        let numbers = written.map(|text| text.replace("\u{202f}%", ""));
        assert_eq!(numbers, ["0", "<0.1", "0.4", "50", "99.6", ">99.9", "100"]);
    }
}
