//! How a tensor of a model is taken from one of a file.

use attention::{Code, Error};

/// A tensor as the list of a file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTensor {
    /// Its name in the file.
    pub name: String,
    /// The type of its numbers as the file names it, such as `F32`, `BF16` or `Q4_1`.
    pub dtype: String,
    /// Its axes, the one whose numbers lie side by side last, as in Hugging Face's files; GGUF writes them the other way round.
    pub shape: Vec<usize>,
}

/// Where a tensor of a model comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct MappedTensor {
    /// Its name in the model, such as `layers.0.w_q`.
    pub name: String,
    /// Its shape in the model.
    pub shape: Vec<usize>,
    /// Where its numbers come from.
    pub origin: Origin,
}

/// Where numbers come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// From a tensor of the file.
    File(Taken),
    /// From the file's settings: these numbers, in row-major order.
    Given(Vec<f32>),
    /// All 0: a bias that the file's model does without.
    Zeros,
}

/// Which numbers of a file's tensor are taken, and what is done to them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Taken {
    /// Place of the tensor in the file's list.
    pub tensor: usize,
    /// Whether the file has a row for each column here: `[out, in]` for `[in, out]`.
    pub transposed: bool,
    /// Which of the file's output features these are.
    pub outputs: Outputs,
    /// Added to every number: 1 for the norms of Gemma in Hugging Face's files, which store `scale − 1`.
    pub plus: f32,
}

/// Output features of a linear map: the columns of a model's matrix, or the entries of its bias. They are given in the order of the
/// model, head by head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outputs {
    /// All, in the file's order.
    All,
    /// One of three parts that stand one after the other: queries, keys, values.
    Part(usize),
    /// One of three parts of each head: the file has queries, keys and values of head 0, then those of head 1, … (GPT-NeoX in Hugging
    /// Face's files).
    PartOfHeads {
        /// 0 for queries, 1 for keys, 2 for values.
        part: usize,
        /// Columns of a head.
        d_k: usize,
    },
    /// Heads whose rotary pairs are neighbours, `2c` and `2c + 1`, in the file, and `c` and `c + d_k/2` here (architecture `llama` of GGUF).
    Neighbours {
        /// Columns of a head.
        d_k: usize,
    },
}

impl Outputs {
    /// The file's feature that is feature `output` here, of `count`.
    pub const fn in_file(self, output: usize, count: usize) -> usize {
        match self {
            Self::All => output,
            Self::Part(part) => part * count + output,
            Self::PartOfHeads { part, d_k } => {
                let (head, column) = (output / d_k, output % d_k);
                (3 * head + part) * d_k + column
            }
            Self::Neighbours { d_k } => {
                let (head, column) = (output / d_k, output % d_k);
                let half = d_k / 2;
                // An odd last column belongs to no pair.
                let column = if column < 2 * half {
                    2 * (column % half) + column / half
                } else {
                    column
                };
                head * d_k + column
            }
        }
    }

    /// How many features the file's tensor has for `count` here.
    pub(crate) const fn count_in_file(self, count: usize) -> Option<usize> {
        match self {
            Self::All | Self::Neighbours { .. } => Some(count),
            Self::Part(_) | Self::PartOfHeads { .. } => count.checked_mul(3),
        }
    }
}

impl Taken {
    /// The shape that the file's tensor must have for one of `shape` here; `None` beyond what a machine can count.
    pub fn shape_in_file(&self, shape: &[usize]) -> Option<Vec<usize>> {
        let (outputs, inputs) = shape.split_last()?;
        let outputs = self.outputs.count_in_file(*outputs)?;
        let mut wanted: Vec<usize> = inputs.to_vec();
        wanted.push(outputs);
        if self.transposed {
            wanted.reverse();
        }
        Some(wanted)
    }

    /// The numbers of a tensor of `shape`, of one or two axes, from those of the file's tensor.
    ///
    /// # Errors
    /// [`Code::ShapeMismatch`], naming `field`, for another count of numbers than that of [`shape_in_file`](Self::shape_in_file).
    pub fn arrange(&self, field: &str, shape: &[usize], stored: &[f32]) -> Result<Vec<f32>, Error> {
        let (rows, columns) = match *shape {
            [rows, columns] => (rows, columns),
            [columns] => (1, columns),
            _ => {
                let rule = "must have one axis or two";
                let value = format!("{} axes", shape.len());
                return Err(Error::new(Code::ShapeMismatch, field, value, rule));
            }
        };
        let in_file = self.outputs.count_in_file(columns);
        let count = in_file.and_then(|in_file| rows.checked_mul(in_file));
        let Some(in_file) = in_file.filter(|_| count == Some(stored.len())) else {
            let rule = format!("must have the numbers of {:?}", self.shape_in_file(shape));
            return Err(Error::new(Code::ShapeMismatch, field, stored.len(), rule));
        };
        let mut numbers = vec![0.0; rows * columns];
        for column in 0..columns {
            let feature = self.outputs.in_file(column, columns);
            for row in 0..rows {
                let from = match self.transposed {
                    true => feature * rows + row,
                    false => row * in_file + feature,
                };
                numbers[row * columns + column] = stored[from] + self.plus;
            }
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(outputs: Outputs, count: usize) -> Vec<usize> {
        (0..count)
            .map(|output| outputs.in_file(output, count))
            .collect()
    }

    #[test]
    fn features_stand_where_the_format_says() {
        assert_eq!(places(Outputs::All, 3), [0, 1, 2]);
        assert_eq!(places(Outputs::Part(2), 4), [8, 9, 10, 11]);
        let of_heads = Outputs::PartOfHeads { part: 1, d_k: 3 };
        assert_eq!(places(of_heads, 6), [3, 4, 5, 12, 13, 14]);
        let neighbours = Outputs::Neighbours { d_k: 4 };
        assert_eq!(places(neighbours, 8), [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!(places(Outputs::Neighbours { d_k: 5 }, 5), [0, 2, 1, 3, 4]);
        assert_eq!(places(Outputs::Neighbours { d_k: 1 }, 2), [0, 1]);
    }

    #[test]
    fn numbers_are_taken_from_either_side_of_the_file() {
        let taken = |transposed, outputs, plus| Taken {
            tensor: 0,
            transposed,
            outputs,
            plus,
        };
        let stored: Vec<f32> = (0..12).map(|x| x as f32).collect();
        let fused = taken(true, Outputs::Part(1), 0.0);
        assert_eq!(fused.shape_in_file(&[2, 2]), Some(vec![6, 2]));
        assert_eq!(
            fused.arrange("w", &[2, 2], &stored),
            Ok(vec![4.0, 6.0, 5.0, 7.0])
        );
        let fused = taken(false, Outputs::Part(1), 0.0);
        assert_eq!(fused.shape_in_file(&[2, 2]), Some(vec![2, 6]));
        assert_eq!(
            fused.arrange("w", &[2, 2], &stored),
            Ok(vec![2.0, 3.0, 8.0, 9.0])
        );
        let norm = taken(false, Outputs::All, 1.0);
        assert_eq!(
            norm.arrange("scale", &[2], &[0.5, -1.0]),
            Ok(vec![1.5, 0.0])
        );
        let error = norm
            .arrange("scale", &[2], &stored)
            .expect_err("ten too many");
        assert_eq!(
            (error.field.as_str(), error.value.as_str()),
            ("scale", "12")
        );
    }
}
