//! Texts of the backend badge and panel: where a picture was computed, and why there.

use crate::i18n::{self, Key, Language, number, text};
use engine::{Backend, Reason};

/// How much of what a browser or driver said is quoted: errors of shaders quote whole shaders.
const QUOTED: usize = 240;

/// Where a picture was computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunLocation<'a> {
    /// The backend.
    pub backend: Backend,
    /// The adapter's name, for WebGPU, where the browser says it.
    pub adapter: Option<&'a str>,
    /// Whether the adapter is only a software one.
    pub is_software: bool,
    /// Why it was not WebGPU.
    pub reason: Option<&'a Reason>,
}

impl RunLocation<'_> {
    /// Returns the name of the backend on the badge.
    pub fn name(&self, language: Language) -> &'static str {
        match self.backend {
            Backend::Cpu => Key::BadgeCpu,
            Backend::WebGpu => Key::BadgeWebgpu,
        }
        .text(language)
    }

    /// Returns the second part of the badge: the adapter, or briefly why there is none; may be
    /// empty.
    pub fn beside(&self, language: Language) -> String {
        match (self.backend, self.adapter, self.reason) {
            (Backend::WebGpu, Some(adapter), _) => adapter.to_owned(),
            (Backend::Cpu, _, Some(reason)) => short(reason).text(language).to_owned(),
            _ => String::new(),
        }
    }

    /// Backend, adapter and reason in full, in one or two sentences.
    pub fn sentence(&self, language: Language) -> String {
        if self.reason == Some(&Reason::Given) {
            return reason(language, &Reason::Given);
        }
        let ran = match self.backend {
            Backend::Cpu => Key::RanCpu,
            Backend::WebGpu if self.is_software => Key::RanSoftware,
            Backend::WebGpu => Key::RanWebgpu,
        };
        let ran = ran.text(language);
        let because = self.reason.filter(|_| self.backend == Backend::Cpu);
        because.map_or_else(
            || ran.to_owned(),
            |because| {
                let because = reason(language, because);
                text::ran_because(language, &ran, &because)
            },
        )
    }

    /// Returns the browser's or driver's own message, quoted; `None` without one.
    pub fn said(&self, language: Language) -> Option<String> {
        let detail = self.reason?.detail()?.trim();
        let quoted = i18n::beginning(detail, QUOTED);
        (!detail.is_empty()).then(|| text::reason_said(language, &quoted))
    }
}

/// Why a picture was not computed by WebGPU, as a sentence.
pub fn reason(language: Language, reason: &Reason) -> String {
    if let Some((difference, allowed)) = reason.differences().filter(|both| both.0.is_finite()) {
        let (difference, allowed) = (number(difference), number(allowed));
        return text::reason_probe_failed(language, &difference, &allowed);
    }
    let key = match reason {
        Reason::NoWebGpu => Key::ReasonNoWebgpu,
        Reason::Insecure => Key::ReasonInsecure,
        Reason::NoAdapter => Key::ReasonNoAdapter,
        Reason::NoDevice { .. } => Key::ReasonNoDevice,
        Reason::Checking => Key::ReasonChecking,
        Reason::ProbeFailed { .. } => Key::ReasonProbeNotFinite,
        Reason::Lost { .. } => Key::ReasonLost,
        Reason::OutOfMemory => Key::ReasonOutOfMemory,
        Reason::Rejected { .. } => Key::ReasonRejected,
        Reason::TooLarge { .. } => Key::ReasonTooLarge,
        Reason::Sooner => Key::ReasonSooner,
        Reason::Slow => Key::ReasonSlow,
        Reason::Chosen => Key::ReasonChosen,
        Reason::Given => Key::ReasonGiven,
    };
    key.text(language).to_owned()
}

/// Whether there was no device at all, so that another one changes everything.
pub fn is_without_device(reason: &Reason) -> bool {
    match reason {
        Reason::NoWebGpu
        | Reason::Insecure
        | Reason::NoAdapter
        | Reason::NoDevice { .. }
        | Reason::Checking
        | Reason::ProbeFailed { .. }
        | Reason::Lost { .. } => true,
        Reason::OutOfMemory
        | Reason::Rejected { .. }
        | Reason::TooLarge { .. }
        | Reason::Sooner
        | Reason::Slow
        | Reason::Chosen
        | Reason::Given => false,
    }
}

fn short(reason: &Reason) -> Key {
    match reason {
        Reason::NoWebGpu => Key::ShortNoWebgpu,
        Reason::Insecure => Key::ShortInsecure,
        Reason::NoAdapter => Key::ShortNoAdapter,
        Reason::NoDevice { .. } => Key::ShortNoDevice,
        Reason::Checking => Key::ShortChecking,
        Reason::ProbeFailed { .. } => Key::ShortProbeFailed,
        Reason::Lost { .. } => Key::ShortLost,
        Reason::OutOfMemory => Key::ShortOutOfMemory,
        Reason::Rejected { .. } => Key::ShortRejected,
        Reason::TooLarge { .. } => Key::ShortTooLarge,
        Reason::Sooner => Key::ShortSooner,
        Reason::Slow => Key::ShortSlow,
        Reason::Chosen => Key::ShortChosen,
        Reason::Given => Key::ShortGiven,
    }
}

/// Difference of both backends, and the allowed one.
pub fn verdict(language: Language, difference: f64, allowed: f64) -> String {
    let sentence = match difference {
        0.0 => return Key::ComparisonSame.text(language).to_owned(),
        _ if difference <= allowed => text::comparison_within,
        _ => text::comparison_beyond,
    };
    sentence(language, &number(difference), &number(allowed))
}

/// Two weights, with as many decimals as it takes to see their difference.
pub fn apart(weights: [f32; 2], difference: f64) -> [String; 2] {
    const FEWEST: f64 = 6.0;
    const MOST: f64 = 12.0;
    let decimals = (1.0 - libm::log10(difference).floor()).clamp(FEWEST, MOST) as usize;
    weights.map(|weight| {
        if weight.is_finite() {
            format!("{weight:.decimals$}")
        } else {
            number::exact(weight)
        }
    })
}

fn number(value: f64) -> String {
    number::short(value as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_reason() -> Vec<Reason> {
        let codes = [
            "no_webgpu",
            "insecure",
            "no_adapter",
            "no_device",
            "checking",
            "probe_failed",
            "lost",
            "out_of_memory",
            "rejected",
            "too_large",
            "sooner",
            "slow",
            "chosen",
        ];
        let of = |code| Reason::from_parts(code, "as it was said", (0.031, 1e-4));
        codes.into_iter().filter_map(of).collect()
    }

    fn on_cpu(reason: &Reason) -> RunLocation<'_> {
        RunLocation {
            backend: Backend::Cpu,
            adapter: None,
            is_software: false,
            reason: Some(reason),
        }
    }

    #[test]
    fn every_reason_has_its_own_words_in_every_language() {
        assert_eq!(every_reason().len(), 13);
        for language in Language::ALL {
            let mut said: Vec<String> = Vec::new();
            for reason in &every_reason() {
                let place = on_cpu(reason);
                said.extend([place.sentence(language), place.beside(language)]);
                assert_eq!(place.name(language), "CPU");
            }
            let ends = match language {
                Language::En => '.',
                Language::Zh => '。',
            };
            assert!(said.iter().step_by(2).all(|words| words.ends_with(ends)));
            assert!(said.iter().all(|words| !words.contains(['{', '}'])));
            let count = said.len();
            said.sort_unstable();
            said.dedup();
            assert_eq!(said.len(), count);
        }
    }

    #[test]
    fn a_sentence_says_who_computed_and_why() {
        let said = |reason: &Reason, language| on_cpu(reason).sentence(language);
        assert_eq!(
            said(&Reason::NoAdapter, Language::En),
            "Your processor computed this picture. The browser has WebGPU, but found no graphics card that it can use."
        );
        assert_eq!(
            said(&Reason::Sooner, Language::Zh),
            "这张图由你的处理器算出。在这个规模上，处理器比显卡先算完。"
        );
        let failed = |difference| Reason::ProbeFailed {
            difference,
            allowed: 1e-4,
        };
        assert_eq!(
            reason(Language::En, &failed(0.031)),
            "The graphics card failed its check: on a small known example it was off by 0.031, and 10⁻⁴ is allowed."
        );
        for broken in [f64::NAN, f64::INFINITY] {
            let said = reason(Language::En, &failed(broken));
            assert!(said.ends_with("not a number."), "{said}");
        }
    }

    #[test]
    fn webgpu_is_named_with_its_adapter() {
        let mut place = RunLocation {
            backend: Backend::WebGpu,
            adapter: Some("NVIDIA H200"),
            is_software: false,
            reason: None,
        };
        let said = |place: &RunLocation<'_>| {
            let language = Language::En;
            (place.name(language), place.beside(language))
        };
        assert_eq!(said(&place), ("WebGPU", "NVIDIA H200".to_owned()));
        let on_card = place.sentence(Language::En);
        assert_eq!(
            on_card,
            "Your graphics card computed this picture, through WebGPU."
        );
        place.is_software = true;
        assert_ne!(place.sentence(Language::En), on_card);
        place.adapter = None;
        assert_eq!(said(&place), ("WebGPU", String::new()));
    }

    #[test]
    fn what_a_driver_said_is_quoted_in_part() {
        let said = |detail: &str| {
            let reason = Reason::Lost {
                detail: detail.to_owned(),
            };
            on_cpu(&reason).said(Language::En)
        };
        assert_eq!(said(" "), None);
        assert_eq!(on_cpu(&Reason::OutOfMemory).said(Language::En), None);
        assert_eq!(
            said("destroyed").as_deref(),
            Some("The browser’s own words: “destroyed”")
        );
        let long = said(&"字".repeat(900)).expect("something was said");
        assert!(long.ends_with("字…”") && long.chars().count() < QUOTED + 40);
    }

    #[test]
    fn a_comparison_is_within_or_beyond() {
        let said = |difference| verdict(Language::En, difference, 1e-4);
        assert_eq!(
            said(2.4e-7),
            "The largest difference between weights is 2.4×10⁻⁷, within the promised 10⁻⁴."
        );
        assert!(said(0.5).contains("0.5, more than the promised"));
        assert!(said(f64::NAN).contains("more than the promised"));
        assert!(!said(0.0).contains('0'));
    }

    #[test]
    fn two_weights_show_their_difference() {
        assert_eq!(
            apart([0.653_012_1, 0.653_012_34], 2.4e-7),
            ["0.65301210", "0.65301234"]
        );
        assert_eq!(apart([0.5, 0.5], 0.0), ["0.500000000000"; 2]);
        assert_eq!(apart([0.25, 0.5], 0.25), ["0.250000", "0.500000"]);
        assert_eq!(apart([0.25, f32::NAN], f64::NAN)[1], "NaN");
    }
}
