//! Limits on what one request may allocate.

use attention::{Code, Error, Outputs, Sizes};
use engine::{memory_of, numbers_in};
use model::ModelConfig;

/// Bytes of tensors that one request may need: 1 GiB, a quarter of what a 32-bit module can address.
pub const MOST_BYTES: u64 = 1 << 30;

const MOST_VALUES: u64 = MOST_BYTES / 4;

/// Refuses a tensor whose lengths alone are too much.
pub(super) fn check_shape(field: &str, shape: &[u64]) -> Result<(), Error> {
    if numbers_in(shape) <= MOST_VALUES {
        return Ok(());
    }
    let rule = format!("a tensor may hold at most {MOST_VALUES} numbers (1 GiB)");
    Err(Error::new(
        Code::TooLarge,
        field,
        format!("{shape:?}"),
        rule,
    ))
}

/// Refuses head counts and widths whose product no tensor could have.
pub(super) fn check_heads(heads: usize, d_v: usize) -> Result<(), Error> {
    check_shape("heads", &[heads as u64, d_v as u64])
}

/// Refuses a run whose tensors together need more than [`MOST_BYTES`].
pub(super) fn check_run(sizes: &Sizes, want: &Outputs) -> Result<(), Error> {
    let bytes = memory_of(sizes, want);
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    let rule = format!(
        "the tensors of one call may take at most {MOST_BYTES} bytes; leave what is quadratic (scores, weights) out of want"
    );
    Err(Error::new(
        Code::TooLarge,
        "request",
        format!("{bytes} bytes"),
        rule,
    ))
}

/// Refuses a batch for which a model would need more than [`MOST_BYTES`]: weights of every head, and a dozen tensors of each layer.
pub(super) fn check_model(config: &ModelConfig, batch: usize, length: usize) -> Result<(), Error> {
    let [batch, n] = [batch, length].map(|length| length as f64);
    let widths = [config.heads * config.d_k, config.d_model, config.mlp].map(|width| width as f64);
    let layer = 4.0 * n * config.heads as f64 + 12.0 * widths.iter().sum::<f64>();
    let row = layer * config.layers as f64 + 3.0 * config.vocabulary as f64;
    let bytes = 4.0 * batch * n * row;
    if bytes <= MOST_BYTES as f64 {
        return Ok(());
    }
    let rule = format!("the tensors of one call may take at most {MOST_BYTES} bytes");
    Err(Error::new(
        Code::TooLarge,
        "tokens",
        format!("{bytes} bytes"),
        rule,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Sizes = Sizes {
        batch: 1,
        heads: 3,
        kv_heads: 1,
        n: 20_001,
        m: 20_003,
        keys: 20_003,
        d_model: Some(17),
        d_k: 5,
        d_v: 7,
        d_out: 11,
    };

    fn code(checked: Result<(), Error>) -> Option<Code> {
        checked.err().map(|error| error.code)
    }

    #[test]
    fn a_long_sequence_fits_without_what_is_quadratic() {
        assert_eq!(code(check_run(&LONG, &Outputs::ALL)), Some(Code::TooLarge));
        assert!(
            check_run(
                &LONG,
                &Outputs {
                    scores: false,
                    weights: false,
                    ..Outputs::ALL
                }
            )
            .is_ok()
        );
    }

    /// However short the rest is.
    #[test]
    fn a_linformer_that_makes_more_keys_than_memory_holds_is_too_large() {
        let projected = |keys| {
            let sizes = Sizes {
                keys,
                n: 1,
                m: 1,
                d_v: 8192,
                ..LONG
            };
            code(check_run(&sizes, &Outputs::NOTHING))
        };
        assert_eq!(projected(1 << 20), Some(Code::TooLarge));
        assert_eq!(projected(3), None);
    }

    #[test]
    fn products_that_overflow_are_too_large() {
        assert!(check_shape("q", &[1 << 14, 1 << 14]).is_ok());
        assert_eq!(
            code(check_shape("q", &[1 << 14, (1 << 14) + 1])),
            Some(Code::TooLarge)
        );
        assert_eq!(
            code(check_shape("q", &[u64::MAX, 0, 2])),
            Some(Code::TooLarge)
        );
        let huge = Sizes {
            batch: usize::MAX,
            n: 0,
            ..LONG
        };
        assert_eq!(
            code(check_run(&huge, &Outputs::NOTHING)),
            Some(Code::TooLarge)
        );
    }
}
