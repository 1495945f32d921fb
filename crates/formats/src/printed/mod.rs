//! Parser for arrays as NumPy, PyTorch, JAX, MLX, TensorFlow and Python print them, and for Python
//! lists. Brackets delimit the values; text before the first is a name, and text after the last an
//! option, such as `dtype` or `device`.

mod aligned;
mod array;
mod detect;
mod lexer;
mod lines;

use crate::contents::{Contents, Source};
use crate::error::{FormatError, FormatRule};
use crate::limits::Limits;
use crate::names::Names;
use crate::tensor::Tensor;
pub(crate) use aligned::read as read_aligned;
use array::{Value, value};
pub(crate) use detect::{Print, detect};
use lexer::{Lexer, Token};
pub(crate) use lines::is_aligned;

/// Reads the arrays of a text; `stem` names those without a name.
pub(crate) fn read(stem: &str, text: &str, limits: &Limits) -> Result<Contents, FormatError> {
    let mut reader = Reader {
        lexer: Lexer::new(text),
        limits,
        stem,
        names: Names::default(),
        tensors: Vec::new(),
    };
    while reader.next()? {}
    let Reader {
        names, mut tensors, ..
    } = reader;
    let skipped = names.label(&mut tensors);
    Ok(Contents {
        tensors,
        source: Source::Brackets,
        skipped,
    })
}

struct Reader<'a, 'l> {
    lexer: Lexer<'a>,
    limits: &'l Limits,
    stem: &'l str,
    names: Names,
    tensors: Vec<Tensor>,
}

impl<'a> Reader<'a, '_> {
    /// Reads the next array or dictionary; whether there was any.
    fn next(&mut self) -> Result<bool, FormatError> {
        self.skip_prompts();
        if self.lexer.rest().is_empty() {
            return Ok(false);
        }
        let name = self.lead()?;
        let is_mapping = match self.lexer.peek()? {
            Token::Call(call) => call.ends_with("Dict") || call.ends_with("dict"),
            token => token == Token::Mark(b'{'),
        };
        if is_mapping {
            self.mapping()?;
        } else {
            let name = name.unwrap_or(self.stem).to_owned();
            self.item(&name)?;
        }
        self.lexer.skip_space();
        // As between two prints in a list of arguments.
        if self.lexer.rest().starts_with([',', ';']) {
            self.lexer.skip(1);
        }
        Ok(true)
    }

    /// Skips input lines of a session, and the prompts before its output.
    fn skip_prompts(&mut self) {
        loop {
            self.lexer.skip_space();
            let rest = self.lexer.rest();
            let line = || rest.find('\n').map_or(rest.len(), |end| end + 1);
            let is_typed = [">>>", "In ["].iter().any(|mark| rest.starts_with(mark));
            let answer = rest.strip_prefix("Out[").and_then(|rest| rest.find("]:"));
            match (is_typed, answer) {
                (true, _) => self.lexer.skip(line()),
                (false, Some(end)) => self.lexer.skip("Out[".len() + end + "]:".len()),
                (false, None) => return,
            }
        }
    }

    /// Passes over what stands before an array, and takes its name from that: `q = np.`, `Parameter containing:`, or a line of its own.
    fn lead(&mut self) -> Result<Option<&'a str>, FormatError> {
        let rest = self.lexer.rest();
        let end = rest.find(['[', '(', '{', '<']);
        let end = end.ok_or_else(|| self.stray())?;
        let called = match &rest[end..] {
            call if call.starts_with('(') => {
                let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
                rest[..end].len() - rest[..end].trim_end_matches(is_inside).len()
            }
            _ => 0,
        };
        let lead = &rest[..end - called];
        let name = match lead.trim_end().strip_suffix(['=', ':']) {
            Some(told) => told.trim_end(),
            None if lead.trim().is_empty() => "",
            None if lead.contains('\n') => lead.trim_end(),
            None => return Err(self.stray()),
        };
        let word = name.rsplit(char::is_whitespace).next().unwrap_or(name);
        let is_word = lexer::word(word) == word.len();
        if !is_word || name.contains('\n') || lead.trim_end().contains(',') {
            return Err(self.stray());
        }
        self.lexer.skip(end - called);
        Ok(Some(word).filter(|word| !matches!(*word, "" | "containing")))
    }

    /// The refusal of words that lead to no array.
    fn stray(&self) -> FormatError {
        self.lexer.refuse(match self.tensors.is_empty() {
            true => FormatRule::Malformed,
            false => FormatRule::Trailing,
        })
    }

    fn item(&mut self, name: &str) -> Result<(), FormatError> {
        self.limits.tensors(self.tensors.len() + 1)?;
        let before = self.tensors.iter().map(|tensor| tensor.data.len()).sum();
        match value(&mut self.lexer, name, self.limits, before)? {
            Value::Array(mut tensor) => {
                let taken = |name: &str| self.tensors.iter().any(|other| other.name == name);
                if taken(&tensor.name) {
                    // Arrays that were printed one after the other have no names of their own.
                    tensor.name = format!("{name}_{}", self.tensors.len() + 1);
                }
                self.tensors.push(tensor);
            }
            Value::Texts(list) => self.names.take(name, list),
        }
        Ok(())
    }

    /// A dictionary: `{'q': …}`, `OrderedDict([('q', …)])` or `OrderedDict({'q': …})`.
    fn mapping(&mut self) -> Result<(), FormatError> {
        let mut is_call = false;
        if let Token::Call(_) = self.lexer.peek()? {
            is_call = true;
            self.lexer.next()?;
        }
        let (is_pairs, end) = match self.lexer.next()? {
            Token::Mark(b'{') => (false, b'}'),
            Token::Mark(b'[') => (true, b']'),
            _ => return Err(self.lexer.refuse(FormatRule::Malformed)),
        };
        while self.lexer.peek()? != Token::Mark(end) {
            if is_pairs {
                self.expect(Token::Call(""))?;
            }
            let (Token::Text(key) | Token::Word(key)) = self.lexer.next()? else {
                return Err(self.lexer.refuse(FormatRule::Malformed));
            };
            self.expect(Token::Mark(if is_pairs { b',' } else { b':' }))?;
            self.item(key)?;
            if is_pairs {
                self.expect(Token::Mark(b')'))?;
            }
            if self.lexer.peek()? != Token::Mark(end) {
                self.expect(Token::Mark(b','))?;
            }
        }
        self.lexer.next()?;
        match is_call {
            true => self.lexer.skip_options(),
            false => Ok(()),
        }
    }

    fn expect(&mut self, wanted: Token<'_>) -> Result<(), FormatError> {
        let start = self.lexer;
        if self.lexer.next()? == wanted {
            Ok(())
        } else {
            Err(start.refuse(FormatRule::Malformed))
        }
    }
}
