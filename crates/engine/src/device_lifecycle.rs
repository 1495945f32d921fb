//! Decides whether there is a GPU, when to try to open one, and which runs use it. It touches no device: it receives events and
//! returns decisions, so that every sequence of events can be tested.

use std::collections::HashSet;

use super::{Backend, BackendChoice, LatencyModel, Reason, Sample, Workload};

/// The first pause before a lost device is requested again; each further loss doubles it.
const FIRST_PAUSE_MS: f64 = 1_000.0;

/// The longest pause.
const LONGEST_PAUSE_MS: f64 = 60_000.0;

/// A device that was well for this long has nothing to do with losses before it.
const HEALTHY_MS: f64 = 60_000.0;

/// Device properties that decide the choice of a backend.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceTraits {
    /// Which backend finishes first.
    pub pace: LatencyModel,
    /// Whether the adapter is software that runs on the CPU.
    pub is_software: bool,
}

/// One attempt to open and check a device; results of older ones are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt(u32);

/// How long to wait before the one attempt to get a lost device back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pause {
    /// Milliseconds.
    pub ms: f64,
    /// Cause to report once the retries are over.
    pub cause: Cause,
}

/// Why an attempt should be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The page has loaded and is idle.
    Idle,
    /// The pause after a loss is over.
    PauseOver(Attempt),
    /// A user chose WebGPU.
    Asked,
}

/// Who asks for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requester {
    /// The page, which always has to show something.
    Page,
    /// A caller of the public API, whose call fails if the device is unavailable.
    Caller,
}

/// Where a run goes.
#[derive(Debug, Clone, PartialEq)]
pub enum Route {
    /// To the processor, and why.
    Cpu(Reason),
    /// To the device.
    WebGpu,
    /// Nowhere before an attempt has ended.
    Wait,
}

/// The device, or why there is none.
#[derive(Debug)]
pub struct Device<G> {
    state: DeviceState<G>,
    attempt: u32,
    /// Losses since the device was last well.
    losses: u32,
    /// Requests that ask as much of memory as the smallest one that had too little.
    too_much: Option<u64>,
    /// Pages whose users have chosen WebGPU.
    by_hand: HashSet<u32>,
}

#[derive(Debug)]
enum DeviceState<G> {
    Untried,
    Checking,
    Ready {
        graphics: G,
        terms: DeviceTraits,
        since_ms: f64,
    },
    Absent {
        reason: Reason,
        /// An attempt will be made when a pause is over.
        is_waiting: bool,
    },
}

impl<G> Default for Device<G> {
    fn default() -> Self {
        Self {
            state: DeviceState::Untried,
            attempt: 0,
            losses: 0,
            too_much: None,
            by_hand: HashSet::new(),
        }
    }
}

impl<G> Device<G> {
    /// The device, if it was opened and checked.
    pub fn ready(&self) -> Option<&G> {
        match &self.state {
            DeviceState::Ready { graphics, .. } => Some(graphics),
            _ => None,
        }
    }

    /// Why it is not there; `None` where it is, or while it is being checked.
    pub fn absence(&self) -> Option<&Reason> {
        match &self.state {
            DeviceState::Absent { reason, .. } => Some(reason),
            _ => None,
        }
    }

    /// Whether it is decided if there is a device.
    pub fn is_settled(&self) -> bool {
        matches!(
            self.state,
            DeviceState::Ready { .. } | DeviceState::Absent { .. }
        )
    }

    /// Whether it was lost and will be requested again.
    pub fn is_waiting(&self) -> bool {
        matches!(
            self.state,
            DeviceState::Absent {
                is_waiting: true,
                ..
            }
        )
    }

    /// The attempt to make because of `cause`; `None` where none should be made.
    pub fn attempt(&mut self, cause: Cause) -> Option<Attempt> {
        let should = match (&self.state, cause) {
            (DeviceState::Untried, _) => true,
            (DeviceState::Absent { is_waiting, .. }, Cause::PauseOver(lost)) => {
                *is_waiting && lost.0 == self.attempt
            }
            (DeviceState::Absent { reason, .. }, Cause::Asked) => may_change(reason),
            _ => false,
        };
        should.then(|| {
            self.state = DeviceState::Checking;
            self.attempt = self.attempt.wrapping_add(1);
            Attempt(self.attempt)
        })
    }

    /// An attempt has opened `graphics`; returns it if that attempt has been abandoned.
    pub fn opened(
        &mut self,
        attempt: Attempt,
        graphics: G,
        terms: DeviceTraits,
        now_ms: f64,
    ) -> Result<(), G> {
        if !self.is_under_way(attempt) {
            return Err(graphics);
        }
        self.state = DeviceState::Ready {
            graphics,
            terms,
            since_ms: now_ms,
        };
        Ok(())
    }

    /// An attempt has failed; nothing is tried again until the next request. Returns whether the
    /// status has changed.
    pub fn failed(&mut self, attempt: Attempt, reason: Reason) -> bool {
        let is_news = self.is_under_way(attempt);
        if is_news {
            self.state = DeviceState::Absent {
                reason,
                is_waiting: false,
            };
        }
        is_news
    }

    fn is_under_way(&self, attempt: Attempt) -> bool {
        matches!(self.state, DeviceState::Checking) && attempt.0 == self.attempt
    }

    /// The attempt that the present device came from.
    pub fn present(&self) -> Attempt {
        Attempt(self.attempt)
    }

    /// The device of `attempt` is lost, or can no longer be trusted. Returns the device, and the
    /// pause before the next attempt; `None` if that was reported already.
    pub fn lost(&mut self, attempt: Attempt, reason: Reason, now_ms: f64) -> Option<(G, Pause)> {
        if attempt.0 != self.attempt || self.ready().is_none() {
            return None;
        }
        let gone = DeviceState::Absent {
            reason,
            is_waiting: true,
        };
        let DeviceState::Ready {
            graphics, since_ms, ..
        } = std::mem::replace(&mut self.state, gone)
        else {
            return None;
        };
        if now_ms - since_ms >= HEALTHY_MS {
            self.losses = 0;
        }
        let doubled = FIRST_PAUSE_MS * libm::exp2(f64::from(self.losses.min(16)));
        self.losses = self.losses.saturating_add(1);
        let pause = Pause {
            ms: doubled.min(LONGEST_PAUSE_MS),
            cause: Cause::PauseOver(attempt),
        };
        Some((graphics, pause))
    }

    /// A run has ended.
    pub fn learn(&mut self, backend: Backend, run: Sample) {
        if let DeviceState::Ready { terms, .. } = &mut self.state {
            terms.pace.learn(backend, run);
        }
    }

    /// A run of `load` ran out of memory: runs of that size are no longer sent to the device
    /// automatically.
    pub fn record_out_of_memory(&mut self, load: Workload) {
        let least = self.too_much.unwrap_or(u64::MAX);
        self.too_much = Some(least.min(load.bytes));
    }

    /// Whether a page has just switched to WebGPU: that counts as an explicit request, but its next
    /// runs do not.
    pub fn page_turns(&mut self, page: u32, choice: BackendChoice) -> bool {
        if choice == BackendChoice::WebGpu {
            return self.by_hand.insert(page);
        }
        self.by_hand.remove(&page);
        false
    }

    /// Where a run goes.
    ///
    /// # Errors
    /// Why there is no WebGPU, for a caller that requires it and that no further attempt can help.
    pub fn route(
        &self,
        choice: BackendChoice,
        requester: Requester,
        load: Workload,
    ) -> Result<Route, Reason> {
        match (&self.state, choice, requester) {
            (_, BackendChoice::Cpu, _) => Ok(Route::Cpu(Reason::Chosen)),
            (DeviceState::Ready { .. }, BackendChoice::WebGpu, _) => Ok(Route::WebGpu),
            (DeviceState::Ready { terms, .. }, BackendChoice::Auto, _) => {
                Ok(self.suited(terms, load))
            }
            (
                DeviceState::Untried | DeviceState::Checking,
                BackendChoice::WebGpu,
                Requester::Caller,
            ) => Ok(Route::Wait),
            (DeviceState::Untried | DeviceState::Checking, ..) => Ok(Route::Cpu(Reason::Checking)),
            (DeviceState::Absent { reason, .. }, BackendChoice::WebGpu, Requester::Caller) => {
                if may_change(reason) {
                    Ok(Route::Wait)
                } else {
                    Err(reason.clone())
                }
            }
            (DeviceState::Absent { reason, .. }, ..) => Ok(Route::Cpu(reason.clone())),
        }
    }

    fn suited(&self, terms: &DeviceTraits, load: Workload) -> Route {
        if self.too_much.is_some_and(|bytes| load.bytes >= bytes) {
            return Route::Cpu(Reason::OutOfMemory);
        }
        match (terms.pace.first(load), terms.is_software) {
            (Backend::WebGpu, _) => Route::WebGpu,
            (Backend::Cpu, true) => Route::Cpu(Reason::Slow),
            (Backend::Cpu, false) => Route::Cpu(Reason::Sooner),
        }
    }
}

/// Whether another attempt could succeed while the page is open.
fn may_change(reason: &Reason) -> bool {
    !matches!(reason, Reason::NoWebGpu | Reason::Insecure)
}

impl Reason {
    /// Whether the device itself is lost or unreliable, and not only one request too large for it.
    pub fn is_of_the_device(&self) -> bool {
        matches!(
            self,
            Self::Lost { .. } | Self::OutOfMemory | Self::Rejected { .. }
        )
    }
}

#[cfg(test)]
mod tests;
