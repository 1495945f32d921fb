//! One printed value: nested brackets or parentheses with numbers, whatever calls stand around them.

use super::lexer::{Lexer, Token};
use crate::dtype::{narrow, parse};
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::nested::Shape;
use crate::tensor::Tensor;

/// Bytes of what stands before the numbers of a tensor of TensorFlow, at most, and the end of it.
const ANGLE: usize = 200;
const NUMBERS: &[u8] = b"numpy=";

/// Printed value.
pub(super) enum Value {
    Array(Tensor),
    Texts(Vec<String>),
}

/// Open bracket or call.
#[derive(Clone, Copy, PartialEq)]
enum Frame {
    List,
    Tuple,
    /// A call around one value, such as `tensor(…)` or `np.float32(…)`; options may follow it.
    Call,
    /// `<tf.Tensor: … numpy=…>`.
    Angle,
}

struct Array<'a, 'l, 'n> {
    lexer: &'l mut Lexer<'a>,
    name: &'n str,
    limits: &'n Limits,
    before: usize,
    frames: Vec<Frame>,
    shape: Shape<'n>,
    data: Vec<f32>,
    texts: Vec<String>,
    /// Factor that PyTorch prints before the numbers, which multiplies each: `1.00000e-03 *`.
    factor: f64,
    /// Whether a comma was the last token.
    after_comma: bool,
}

/// The value that comes next, after `before` numbers of others.
pub(super) fn value<'n>(
    lexer: &mut Lexer<'_>,
    name: &'n str,
    limits: &'n Limits,
    before: usize,
) -> Result<Value, FormatError> {
    let mut array = Array {
        lexer,
        name,
        limits,
        before,
        frames: Vec::new(),
        shape: Shape::new(name),
        data: Vec::new(),
        texts: Vec::new(),
        factor: 1.0,
        after_comma: false,
    };
    while !array.step()? {}
    let Array {
        shape, data, texts, ..
    } = array;
    if !texts.is_empty() {
        return Ok(Value::Texts(texts));
    }
    let shape = shape.lengths();
    limits.count(name, &shape, before)?;
    Ok(Value::Array(Tensor::new(name, shape, data)))
}

impl Array<'_, '_, '_> {
    /// Takes a token; whether the value ends with it.
    fn step(&mut self) -> Result<bool, FormatError> {
        let start = *self.lexer;
        let token = self.lexer.next()?;
        let after_comma = std::mem::replace(&mut self.after_comma, false);
        match token {
            Token::Mark(b'[') => self.open(Frame::List)?,
            Token::Call("") => self.open(Frame::Tuple)?,
            Token::Call(_) => self.frames.push(Frame::Call),
            Token::Mark(b'<') => self.angle()?,
            Token::Mark(b']') if self.frames.last() == Some(&Frame::List) => {
                return self.close();
            }
            Token::Mark(b')') if self.frames.last() == Some(&Frame::Tuple) => {
                return self.close();
            }
            Token::Mark(b',') if !after_comma && self.is_in_list() && self.shape.has_items() => {
                self.after_comma = true;
            }
            Token::Word(word) => return self.word(word),
            Token::Text(text) => {
                self.shape.item(false)?;
                self.limits.elements(self.name, self.texts.len() + 1)?;
                if !self.data.is_empty() {
                    return Err(self.shape.refuse(text, FormatRule::NotNumber));
                }
                self.texts.push(text.to_owned());
                return self.ends();
            }
            _ => return Err(start.refuse(FormatRule::Malformed)),
        }
        Ok(false)
    }

    fn is_in_list(&self) -> bool {
        matches!(self.frames.last(), Some(Frame::List | Frame::Tuple))
    }

    fn open(&mut self, frame: Frame) -> Result<(), FormatError> {
        self.shape.enter(self.limits)?;
        self.frames.push(frame);
        Ok(())
    }

    fn close(&mut self) -> Result<bool, FormatError> {
        self.frames.pop();
        self.shape.leave()?;
        self.ends()
    }

    /// After a value: closes the calls that stand around it alone. Whether that was all.
    fn ends(&mut self) -> Result<bool, FormatError> {
        loop {
            match self.frames.last() {
                None => return Ok(true),
                Some(Frame::List | Frame::Tuple) => return Ok(false),
                Some(Frame::Call) => self.lexer.skip_options()?,
                Some(Frame::Angle) => self.end_of_angle()?,
            }
            self.frames.pop();
            self.factor = 1.0;
        }
    }

    /// `<tf.Tensor: shape=(2, 2), dtype=float32, numpy=`.
    fn angle(&mut self) -> Result<(), FormatError> {
        let rest = self.lexer.rest();
        let head = &rest.as_bytes()[..rest.len().min(ANGLE)];
        let mut ends = head.windows(NUMBERS.len());
        match ends.position(|end| end == NUMBERS) {
            Some(at) if rest.starts_with("tf.") => self.lexer.skip(at + NUMBERS.len()),
            _ => return Err(self.lexer.refuse(FormatRule::Malformed)),
        }
        self.frames.push(Frame::Angle);
        Ok(())
    }

    fn end_of_angle(&mut self) -> Result<(), FormatError> {
        let start = *self.lexer;
        match self.lexer.next()? {
            Token::Mark(b'>') => Ok(()),
            _ => Err(start.refuse(FormatRule::Malformed)),
        }
    }

    fn word(&mut self, word: &str) -> Result<bool, FormatError> {
        if self.frames.last() == Some(&Frame::Call) {
            match self.lexer.peek()? {
                Token::Mark(b'=') if matches!(word, "data" | "object") => {
                    self.lexer.next()?;
                    return Ok(false);
                }
                Token::Mark(b'*') => {
                    self.lexer.next()?;
                    let factor = word.parse().ok().filter(|factor: &f64| factor.is_finite());
                    self.factor = factor.ok_or_else(|| self.refuse(word, FormatRule::NotNumber))?;
                    return Ok(false);
                }
                _ => (),
            }
        }
        self.shape.item(false)?;
        let count = self.before + self.data.len() + 1;
        self.limits.elements(self.name, count)?;
        if !self.texts.is_empty() {
            return Err(self.refuse(word, FormatRule::Uneven));
        }
        let number = number(word).map_err(|rule| self.refuse(word, rule))?;
        self.data.push(match word.parse::<f64>() {
            Ok(exact) if self.factor != 1.0 => {
                narrow(exact * self.factor).map_err(|rule| self.refuse(word, rule))?
            }
            _ => number,
        });
        self.ends()
    }

    fn refuse(&self, word: &str, rule: FormatRule) -> FormatError {
        self.shape.refuse(word, rule)
    }
}

/// A number as Python writes it. `None` is what this page writes for a hidden cell in a list.
fn number(word: &str) -> Result<f32, FormatRule> {
    match word.strip_prefix("np.").unwrap_or(word) {
        "True" | "True_" | "true" => return Ok(1.0),
        "False" | "False_" | "false" | "None" => return Ok(0.0),
        "..." => return Err(FormatRule::Elided),
        _ => (),
    }
    match word.parse::<f32>() {
        Ok(number) if number.is_nan() => Ok(number),
        Ok(_) if word.contains(|c: char| c.is_ascii_digit()) => parse(word),
        Ok(_) => Err(FormatRule::NotFinite),
        Err(_) => Err(FormatRule::NotNumber),
    }
}
