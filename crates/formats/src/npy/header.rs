//! The header of an NPY file: a Python literal, of which only three fields are read.

use crate::dtype::Type;
use crate::error::{FormatError, FormatRule};

/// Characters of the header that a refusal repeats.
const EXCERPT: usize = 24;

/// Element type of an array.
#[derive(Clone, Copy)]
pub(super) enum ElementType<'a> {
    Numbers(Type),
    /// Texts of so many characters of 32 bit, as they are called.
    Letters(usize, &'a str),
    /// Texts of so many bytes.
    Bytes(usize, &'a str),
    /// Pickled objects, which may be texts.
    Objects(&'a str),
}

/// The fields of a header.
pub(super) struct Header<'a> {
    pub kind: ElementType<'a>,
    pub is_fortran: bool,
    pub shape: Vec<usize>,
}

pub(super) fn parse<'a>(name: &'a str, bytes: &'a [u8]) -> Result<Header<'a>, FormatError> {
    let text = std::str::from_utf8(bytes);
    let mut scan = Scan {
        rest: text.map_err(|_| FormatError::new(name, "", FormatRule::NotText))?,
        name,
    };
    let (mut descr, mut order, mut shape) = (None, None, None);
    scan.expect("{")?;
    while !scan.took("}") {
        let key = scan.string()?;
        scan.expect(":")?;
        let is_new = match key {
            "descr" => descr.replace(scan.descr()?).is_none(),
            "fortran_order" => order.replace(scan.truth()?).is_none(),
            "shape" => shape.replace(scan.shape()?).is_none(),
            _ => return Err(FormatError::new(name, key, FormatRule::UnknownField)),
        };
        if !is_new {
            return Err(FormatError::new(name, key, FormatRule::Duplicate));
        }
        if !scan.took(",") {
            scan.expect("}")?;
            break;
        }
    }
    if !scan.rest.trim_ascii().is_empty() {
        return Err(scan.malformed());
    }
    let missing = |field| FormatError::new(name, field, FormatRule::Missing);
    Ok(Header {
        kind: descr.ok_or_else(|| missing("descr"))?,
        is_fortran: order.ok_or_else(|| missing("fortran_order"))?,
        shape: shape.ok_or_else(|| missing("shape"))?,
    })
}

struct Scan<'a> {
    rest: &'a str,
    name: &'a str,
}

impl<'a> Scan<'a> {
    fn took(&mut self, wanted: &str) -> bool {
        let rest = self.rest.trim_ascii_start();
        let after = rest.strip_prefix(wanted);
        self.rest = after.unwrap_or(rest);
        after.is_some()
    }

    fn expect(&mut self, wanted: &str) -> Result<(), FormatError> {
        if self.took(wanted) {
            Ok(())
        } else {
            Err(self.malformed())
        }
    }

    /// A string in either kind of quotes. What would need an escape is no name of a type.
    fn string(&mut self) -> Result<&'a str, FormatError> {
        let quote = if self.took("'") { '\'' } else { '"' };
        if quote == '"' {
            self.expect("\"")?;
        }
        let ended = self.rest.split_once(quote);
        let (text, rest) = ended.ok_or_else(|| self.malformed())?;
        self.rest = rest;
        if text.contains(['\\', '\n']) {
            Err(self.malformed())
        } else {
            Ok(text)
        }
    }

    fn truth(&mut self) -> Result<bool, FormatError> {
        let is_true = self.took("True");
        if is_true || self.took("False") {
            Ok(is_true)
        } else {
            Err(self.malformed())
        }
    }

    fn shape(&mut self) -> Result<Vec<usize>, FormatError> {
        let mut lengths = Vec::new();
        self.expect("(")?;
        while !self.took(")") {
            let length = self.rest.len()
                - self
                    .rest
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .len();
            let (digits, rest) = self.rest.split_at(length);
            lengths.push(digits.parse().map_err(|_| self.malformed())?);
            self.rest = rest;
            if !self.took(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(lengths)
    }

    /// Parses the element type of the array.
    fn descr(&mut self) -> Result<ElementType<'a>, FormatError> {
        if self.took("[") {
            return Err(FormatError::new(self.name, "structured", FormatRule::Dtype));
        }
        let descr = self.string()?;
        let refused = || FormatError::new(self.name, descr, FormatRule::Dtype);
        let (order, kind) = descr.split_at_checked(1).ok_or_else(refused)?;
        let width = |digits: &str| digits.parse().map_err(|_| refused());
        match (order, kind.split_at_checked(1)) {
            ("<" | "=", Some(("U", digits))) => {
                return Ok(ElementType::Letters(width(digits)?, descr));
            }
            ("|", Some(("S", digits))) => return Ok(ElementType::Bytes(width(digits)?, descr)),
            ("|", Some(("O", ""))) => return Ok(ElementType::Objects(descr)),
            _ => (),
        }
        let kind = match kind {
            "f2" => Type::F16,
            "f4" => Type::F32,
            "f8" => Type::F64,
            "b1" => Type::Bool,
            "i1" => Type::Signed(1),
            "i2" => Type::Signed(2),
            "i4" => Type::Signed(4),
            "i8" => Type::Signed(8),
            "u1" => Type::Unsigned(1),
            "u2" => Type::Unsigned(2),
            "u4" => Type::Unsigned(4),
            "u8" => Type::Unsigned(8),
            _ => return Err(refused()),
        };
        match order {
            "<" | "=" => Ok(ElementType::Numbers(kind)),
            "|" if kind.size() == 1 => Ok(ElementType::Numbers(kind)),
            ">" => Err(FormatError::new(self.name, descr, FormatRule::BigEndian)),
            _ => Err(refused()),
        }
    }

    fn malformed(&self) -> FormatError {
        let excerpt: String = self.rest.chars().take(EXCERPT).collect();
        FormatError::new(self.name, excerpt, FormatRule::Malformed)
    }
}
