//! Why a run was not on WebGPU.

use std::fmt;

use attention::{Code, Error};

/// Why a run was not on WebGPU: plain data, so that each caller can phrase it.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// The browser has no WebGPU.
    NoWebGpu,
    /// The page was not served securely, and browsers give WebGPU to secure pages only.
    Insecure,
    /// The browser has WebGPU, and found no graphics adapter.
    NoAdapter,
    /// The adapter gave no device.
    NoDevice {
        /// Message of the browser or driver.
        detail: String,
    },
    /// The check of WebGPU is not over yet.
    Checking,
    /// The check was not passed.
    ProbeFailed {
        /// How far a result was from the reference; infinite where it was no finite number.
        difference: f64,
        /// How far it may be.
        allowed: f64,
    },
    /// The device was lost.
    Lost {
        /// Message about the loss.
        detail: String,
    },
    /// The device had no memory left.
    OutOfMemory,
    /// The device reported a validation error, or returned results that no computation gives.
    Rejected {
        /// Message of the browser or driver.
        detail: String,
    },
    /// The request is larger than the device takes.
    TooLarge {
        /// The tensor or count that exceeds a limit, and the limit.
        detail: String,
    },
    /// The processor finishes a request of this size first.
    Sooner,
    /// The adapter is only a software one, and measured slower than the processor.
    Slow,
    /// The caller chose the processor.
    Chosen,
    /// Nothing was computed: the weights were imported.
    Given,
}

impl Reason {
    /// The name in the public API.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoWebGpu => "no_webgpu",
            Self::Insecure => "insecure",
            Self::NoAdapter => "no_adapter",
            Self::NoDevice { .. } => "no_device",
            Self::Checking => "checking",
            Self::ProbeFailed { .. } => "probe_failed",
            Self::Lost { .. } => "lost",
            Self::OutOfMemory => "out_of_memory",
            Self::Rejected { .. } => "rejected",
            Self::TooLarge { .. } => "too_large",
            Self::Sooner => "sooner",
            Self::Slow => "slow",
            Self::Chosen => "chosen",
            Self::Given => "given",
        }
    }

    /// Returns the browser's or driver's message, where there is one.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::NoDevice { detail }
            | Self::Lost { detail }
            | Self::Rejected { detail }
            | Self::TooLarge { detail } => Some(detail),
            _ => None,
        }
    }

    /// How far a result was from the reference and how far it may be, where that is the reason.
    pub const fn differences(&self) -> Option<(f64, f64)> {
        match self {
            Self::ProbeFailed {
                difference,
                allowed,
            } => Some((*difference, *allowed)),
            _ => None,
        }
    }

    /// The reason with these parts, as [`code`](Self::code), [`detail`](Self::detail) and
    /// [`differences`](Self::differences) give them; `None` for a code that is not known.
    pub fn from_parts(code: &str, detail: &str, (difference, allowed): (f64, f64)) -> Option<Self> {
        let detail = || detail.to_owned();
        let all = [
            Self::NoWebGpu,
            Self::Insecure,
            Self::NoAdapter,
            Self::NoDevice { detail: detail() },
            Self::Checking,
            Self::ProbeFailed {
                difference,
                allowed,
            },
            Self::Lost { detail: detail() },
            Self::OutOfMemory,
            Self::Rejected { detail: detail() },
            Self::TooLarge { detail: detail() },
            Self::Sooner,
            Self::Slow,
            Self::Chosen,
            Self::Given,
        ];
        all.into_iter().find(|reason| reason.code() == code)
    }

    /// Error of a call that requires WebGPU.
    pub fn refusal(&self) -> Error {
        let rule = format!("{self}; ask for \"auto\" or \"cpu\"");
        Error::new(Code::BackendUnavailable, "backend", "\"webgpu\"", rule)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoWebGpu => f.write_str("this browser has no WebGPU"),
            Self::Insecure => f.write_str(
                "browsers give WebGPU only to pages served over https or from localhost",
            ),
            Self::NoAdapter => f.write_str("the browser found no graphics adapter"),
            Self::NoDevice { .. } => f.write_str("the graphics adapter gave no device"),
            Self::Checking => f.write_str("the check of WebGPU is not over yet"),
            Self::ProbeFailed { difference, .. } if !difference.is_finite() => {
                f.write_str("WebGPU gave no finite number in the check")
            }
            Self::ProbeFailed {
                difference,
                allowed,
            } => write!(
                f,
                "WebGPU was off by {difference:.1e} in the check, and {allowed:.0e} is allowed"
            ),
            Self::Lost { .. } => f.write_str("the graphics device was lost"),
            Self::OutOfMemory => f.write_str("the graphics device has no memory left"),
            Self::Rejected { .. } => f.write_str("the graphics device refused the computation"),
            Self::TooLarge { .. } => {
                f.write_str("the request is larger than the graphics device takes")
            }
            Self::Sooner => f.write_str("the processor finishes a request of this size first"),
            Self::Slow => {
                f.write_str("WebGPU runs in software here and measured slower than the processor")
            }
            Self::Chosen => f.write_str("the processor was asked for"),
            Self::Given => f.write_str("the weights were brought, and nothing was computed"),
        }?;
        match self.detail() {
            Some(detail) if !detail.is_empty() => write!(f, " ({detail})"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_reason() -> Vec<Reason> {
        let detail = || "as it was said".to_owned();
        vec![
            Reason::NoWebGpu,
            Reason::Insecure,
            Reason::NoAdapter,
            Reason::NoDevice { detail: detail() },
            Reason::Checking,
            Reason::ProbeFailed {
                difference: 0.5,
                allowed: 1e-4,
            },
            Reason::Lost { detail: detail() },
            Reason::OutOfMemory,
            Reason::Rejected { detail: detail() },
            Reason::TooLarge { detail: detail() },
            Reason::Sooner,
            Reason::Slow,
            Reason::Chosen,
            Reason::Given,
        ]
    }

    #[test]
    fn a_reason_survives_the_way_between_worker_and_window() {
        for reason in every_reason() {
            let differences = reason.differences().unwrap_or_default();
            let detail = reason.detail().unwrap_or_default();
            assert_eq!(
                Reason::from_parts(reason.code(), detail, differences).as_ref(),
                Some(&reason)
            );
        }
        assert_eq!(Reason::from_parts("", "", (0.0, 0.0)), None);
    }

    #[test]
    fn codes_and_sentences_tell_reasons_apart() {
        let reasons = every_reason();
        for (at, reason) in reasons.iter().enumerate() {
            for other in &reasons[..at] {
                assert_ne!(reason.code(), other.code());
                assert_ne!(reason.to_string(), other.to_string());
            }
        }
    }

    #[test]
    fn a_sentence_says_by_how_much_and_what_was_said() {
        let failed = Reason::ProbeFailed {
            difference: 0.031,
            allowed: 1e-4,
        };
        assert_eq!(
            failed.to_string(),
            "WebGPU was off by 3.1e-2 in the check, and 1e-4 is allowed"
        );
        let lost = |detail: &str| Reason::Lost {
            detail: detail.to_owned(),
        };
        assert_eq!(lost("").to_string(), "the graphics device was lost");
        assert_eq!(
            lost("destroyed").to_string(),
            "the graphics device was lost (destroyed)"
        );
        let refusal = lost("destroyed").refusal();
        assert_eq!(refusal.code, Code::BackendUnavailable);
        assert!(refusal.to_string().contains("destroyed"));
    }
}
