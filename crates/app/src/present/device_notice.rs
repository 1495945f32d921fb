//! Events of the graphics device while the page is open, and the notices about them.

use crate::i18n::{Key, Language};
use engine::{Backend, Reason};

/// Something that happened to the graphics device and deserves a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It was lost.
    Lost,
    /// It had no memory left.
    OutOfMemory,
    /// It reported a validation error.
    Rejected,
    /// It can be used again.
    Back,
}

impl Event {
    /// Text of the notice.
    pub fn sentence(self, language: Language) -> &'static str {
        match self {
            Self::Lost => Key::DeviceLost,
            Self::OutOfMemory => Key::DeviceOutOfMemory,
            Self::Rejected => Key::DeviceRejected,
            Self::Back => Key::DeviceBack,
        }
        .text(language)
    }

    fn from_reason(reason: &Reason) -> Option<Self> {
        match reason {
            Reason::Lost { .. } => Some(Self::Lost),
            Reason::OutOfMemory => Some(Self::OutOfMemory),
            Reason::Rejected { .. } => Some(Self::Rejected),
            _ => None,
        }
    }
}

/// The last notice about the device, so that each fault and its end are reported once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastNotified(Option<Event>);

impl LastNotified {
    /// A picture was computed. Returns the event to report, if any.
    pub fn ran(&mut self, backend: Backend, reason: Option<&Reason>) -> Option<Event> {
        if backend == Backend::WebGpu {
            return self.ready();
        }
        let event = Event::from_reason(reason?)?;
        (self.0.replace(event) != Some(event)).then_some(event)
    }

    /// The device can be used. Returns the event to report, if any.
    pub fn ready(&mut self) -> Option<Event> {
        self.0.take().map(|_| Event::Back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_told_once_and_so_is_its_end() {
        let (mut told, lost) = (
            LastNotified::default(),
            Reason::Lost {
                detail: "destroyed".to_owned(),
            },
        );
        let cpu = Backend::Cpu;
        assert_eq!(told.ready(), None);
        assert_eq!(told.ran(cpu, Some(&Reason::Sooner)), None);
        assert_eq!(told.ran(cpu, Some(&lost)), Some(Event::Lost));
        assert_eq!(told.ran(cpu, Some(&lost)), None);
        assert_eq!(
            told.ran(cpu, Some(&Reason::OutOfMemory)),
            Some(Event::OutOfMemory)
        );
        assert_eq!(told.ran(cpu, None), None);
        assert_eq!(told.ran(Backend::WebGpu, None), Some(Event::Back));
        assert_eq!(
            (told.ready(), told.ran(Backend::WebGpu, None)),
            (None, None)
        );
    }
}
