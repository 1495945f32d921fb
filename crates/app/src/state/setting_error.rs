//! Why a setting was refused or adjusted.

use super::imported::url::MissingData;
use thiserror::Error;

/// The rule that a refused value breaks. The page says it in words; the text here is for tests and logs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// Not a whole number.
    #[error("must be a whole number")]
    Number,
    /// A number out of its range.
    #[error("must be from {min} to {max}")]
    Range {
        /// The smallest allowed.
        min: u32,
        /// The largest allowed.
        max: u32,
    },
    /// Key/value heads that do not divide the heads.
    #[error("must divide the {heads} heads")]
    Divisor {
        /// The heads.
        heads: u32,
    },
    /// More heads than there are hand-built ones.
    #[error("there are {max} hand-built heads")]
    TeachingHeads {
        /// How many there are.
        max: u32,
    },
    /// Not a number.
    #[error("must be a number with at most two decimals")]
    Decimal,
    /// A number with decimals out of its range, in hundredths.
    #[error("must be from {min} to {max} hundredths")]
    DecimalRange {
        /// The smallest allowed.
        min: u32,
        /// The largest allowed.
        max: u32,
    },
    /// Not names with commas between them.
    #[error("must be some of {}, or none", .0.join(", "))]
    Names(&'static [&'static str]),
    /// Not written as a painting.
    #[error("must be a painting as this page writes it")]
    PaintingForm,
    /// A painting with too many pieces.
    #[error("must have at most {max} stretches of painted cells")]
    Painted {
        /// The most it may have.
        max: u32,
    },
    /// Not one of the names.
    #[error("must be one of {}", .0.join(", "))]
    Options(&'static [&'static str]),
    /// Not a row, or a row and a column, of the map.
    #[error("must be a row from 1 to {rows}, or row,column with a column from 1 to {columns}")]
    Cell {
        /// Rows of the map.
        rows: u32,
        /// Columns of the map.
        columns: u32,
    },
    /// Not written as a cell.
    #[error("must be row or row,column, counted from 1")]
    CellForm,
    /// A text with too many characters.
    #[error("must have at most {max} characters")]
    Long {
        /// The most it may have.
        max: u32,
    },
    /// A value of another kind than the field's, such as a switch where a number is wanted.
    #[error("must be of the field's own kind")]
    Kind,
    /// Changed by the user although a link has locked it.
    #[error("is locked")]
    Locked,
    /// Not the origins of pages.
    #[error("must be origins such as https://course.example with commas between them, or none")]
    Origins,
    /// More things than there may be.
    #[error("must be at most {max}")]
    Many {
        /// The most there may be.
        max: u32,
    },
    /// Bytes that are not UTF-8, or a `%` without two hexadecimal digits.
    #[error("must be percent-encoded UTF-8")]
    Encoding,
    /// A setting that imported data fix.
    #[error("follows from the imported numbers")]
    Given,
    /// A setting that a learned model decides.
    #[error("follows from the learned model")]
    Learned,
    /// Not in the form of imported data.
    #[error("must be numbers as this page writes them")]
    DataForm,
    /// Numbers that a link names but does not contain, and that are not cached.
    #[error("these numbers are not in the link")]
    DataMissing(MissingData),
    /// A name that no setting has.
    #[error("no setting has this name")]
    Unknown,
    /// A setting that occurs twice in one link; the first counts.
    #[error("stands more than once; the first is taken")]
    Repeated,
    /// A link of a version that this page does not know; it is read as the newest that it knows.
    #[error("this page knows links up to version {known}")]
    Version {
        /// The newest known version.
        known: u32,
    },
    /// A link that is too large to be read at all.
    #[error("a link has at most {max} bytes")]
    Large {
        /// The most it may have.
        max: u32,
    },
    /// More problems than are listed.
    #[error("and {0} more")]
    More(u32),
}
