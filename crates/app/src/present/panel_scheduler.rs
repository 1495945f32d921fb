//! Decides which panel is updated next: the map goes first, and panels follow as time allows.
//!
//! Visible panels are updated in the frames after the map. Off-screen panels are deferred while the user drags, types or hovers, and
//! updated when input is idle, so that find-in-page, copy and screen readers never see stale content. Closed panels are never updated.
//! Each panel gets only the newest picture. The scheduler knows neither time nor browser.

use crate::state::{Panel, Panels};

/// Most pictures that a visible panel may miss: during a drag each frame has a new one.
const MOST_BEHIND: u8 = 6;

/// The panels in their order.
#[derive(Clone, Debug)]
pub struct PanelScheduler {
    slots: Vec<PanelSlot>,
    open: Panels,
    /// Panel that is considered next, round-robin, so that every panel is reached.
    next: usize,
    hand: InputActivity,
}

/// Input of the user: dragging, typing or pointing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputActivity {
    /// Input was committed, or there was none yet.
    Still,
    /// Dragging, typing or pointing; `is_stirred` if there was input in the current interval.
    Moving { is_stirred: bool },
    /// Idle for an interval, but the input may continue at any time.
    Resting,
}

/// Changes that a panel has not shown yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dirty {
    /// Another picture.
    pub picture: bool,
    /// Something else pointed out on it.
    pub pointed: bool,
}

#[derive(Clone, Debug)]
struct PanelSlot {
    panel: Panel,
    missed: Dirty,
    /// How many pictures it has missed.
    behind: u8,
    is_in_sight: bool,
}

impl Dirty {
    fn anything(self) -> bool {
        self.picture || self.pointed
    }
}

impl PanelScheduler {
    /// Schedules the parts of panels; a panel may have several. All start closed and outdated.
    pub fn new(parts: impl IntoIterator<Item = Panel>) -> Self {
        let slot = |panel| PanelSlot {
            panel,
            missed: Dirty {
                picture: true,
                pointed: true,
            },
            behind: 0,
            is_in_sight: true,
        };
        Self {
            slots: parts.into_iter().map(slot).collect(),
            open: Panels::EMPTY,
            next: 0,
            hand: InputActivity::Still,
        }
    }

    /// Sets which panels are open. One that has just been opened counts as visible until reported
    /// otherwise.
    pub fn open(&mut self, open: Panels) {
        let before = std::mem::replace(&mut self.open, open);
        for slot in &mut self.slots {
            slot.is_in_sight |= open.contains(slot.panel) && !before.contains(slot.panel);
        }
    }

    /// Sets whether a panel is visible.
    pub fn set_in_sight(&mut self, panel: Panel, is_in_sight: bool) {
        for slot in self.slots.iter_mut().filter(|slot| slot.panel == panel) {
            slot.is_in_sight = is_in_sight;
        }
    }

    /// Marks all panels as outdated: another picture or another highlight is on screen.
    pub fn outdate(&mut self, is_picture: bool) {
        for slot in &mut self.slots {
            slot.outdate(is_picture);
        }
    }

    /// Marks a single panel as outdated.
    pub fn outdate_one(&mut self, panel: Panel, is_picture: bool) {
        for slot in self.slots.iter_mut().filter(|slot| slot.panel == panel) {
            slot.outdate(is_picture);
        }
    }

    /// Reports that the user moves or types something.
    pub fn input_started(&mut self) {
        self.hand = InputActivity::Moving { is_stirred: true };
    }

    /// Reports that the input was committed: the next change is complete in itself.
    pub fn input_ended(&mut self) {
        self.hand = InputActivity::Still;
    }

    /// Reports the end of an interval: input is idle if there was none in it.
    pub fn tick(&mut self) {
        self.hand = match self.hand {
            InputActivity::Moving { is_stirred: true } => {
                InputActivity::Moving { is_stirred: false }
            }
            InputActivity::Moving { is_stirred: false } => InputActivity::Resting,
            hand => hand,
        };
    }

    /// Whether the user drags, types or points.
    pub fn is_moving(&self) -> bool {
        matches!(self.hand, InputActivity::Moving { .. })
    }

    /// Whether input may continue, so that panels get a limited part of each frame.
    pub fn is_budgeted(&self) -> bool {
        self.hand != InputActivity::Still
    }

    /// Whether a panel is open.
    pub fn is_open(&self, panel: Panel) -> bool {
        self.open.contains(panel)
    }

    /// Whether a panel should be updated now.
    pub fn is_due(&self) -> bool {
        self.slots.iter().any(|slot| self.is_ready(slot))
    }

    /// Whether a panel should be updated once input is idle.
    pub fn waits_for_idle(&self) -> bool {
        let waits = |slot: &PanelSlot| self.is_missing(slot) && !self.is_ready(slot);
        self.slots.iter().any(waits)
    }

    /// Whether a visible panel has missed too many pictures to wait for the pending run.
    pub fn is_overdue(&self) -> bool {
        let mut due = self.slots.iter().filter(|slot| self.is_ready(slot));
        due.any(|slot| slot.behind > MOST_BEHIND)
    }

    /// The part to update now, by its index, and what it has missed; marks it as up to date.
    pub fn next_ready(&mut self) -> Option<(usize, Dirty)> {
        let count = self.slots.len();
        let mut places = (self.next..count).chain(0..self.next.min(count));
        let at = places.find(|&at| self.is_ready(&self.slots[at]))?;
        self.next = (at + 1) % count;
        let slot = &mut self.slots[at];
        slot.behind = 0;
        Some((at, std::mem::take(&mut slot.missed)))
    }

    fn is_missing(&self, slot: &PanelSlot) -> bool {
        self.open.contains(slot.panel) && slot.missed.anything()
    }

    fn is_ready(&self, slot: &PanelSlot) -> bool {
        self.is_missing(slot) && (slot.is_in_sight || !self.is_moving())
    }
}

impl PanelSlot {
    fn outdate(&mut self, is_picture: bool) {
        self.missed.picture |= is_picture;
        self.missed.pointed = true;
        self.behind = self.behind.saturating_add(u8::from(is_picture));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PARTS: [Panel; 4] = [Panel::Steps, Panel::Steps, Panel::Cost, Panel::Code];

    fn with_open(open: &[Panel]) -> PanelScheduler {
        let mut scheduler = PanelScheduler::new(PARTS);
        let panels = open.iter();
        scheduler.open(panels.fold(Panels::EMPTY, |set, panel| set.with(*panel, true)));
        scheduler
    }

    fn taken(scheduler: &mut PanelScheduler) -> Vec<usize> {
        std::iter::from_fn(|| scheduler.next_ready())
            .map(|(at, _)| at)
            .collect()
    }

    #[test]
    fn a_closed_panel_never_has_a_turn() {
        let mut scheduler = with_open(&[Panel::Cost]);
        assert_eq!(taken(&mut scheduler), [2]);
        assert!(!scheduler.is_due() && !scheduler.waits_for_idle());
    }

    #[test]
    fn what_is_out_of_sight_waits_until_the_hand_rests() {
        let mut scheduler = with_open(&[Panel::Steps, Panel::Cost]);
        scheduler.set_in_sight(Panel::Cost, false);
        scheduler.input_started();
        assert_eq!(taken(&mut scheduler), [0, 1]);
        assert!(!scheduler.is_due() && scheduler.waits_for_idle());
        scheduler.input_ended();
        assert_eq!(taken(&mut scheduler), [2]);
        scheduler.outdate(true);
        scheduler.input_started();
        assert_eq!(taken(&mut scheduler), [0, 1], "it moves again");
        scheduler.set_in_sight(Panel::Cost, true);
        assert_eq!(
            taken(&mut scheduler),
            [2],
            "what is scrolled to has its turn"
        );
    }

    #[test]
    fn the_hand_rests_when_it_has_not_moved_in_a_whole_moment() {
        let mut scheduler = with_open(&[Panel::Cost]);
        scheduler.set_in_sight(Panel::Cost, false);
        scheduler.input_started();
        scheduler.tick();
        assert!(scheduler.waits_for_idle());
        scheduler.input_started();
        scheduler.tick();
        assert!(scheduler.waits_for_idle());
        scheduler.tick();
        assert!(scheduler.is_due() && scheduler.is_budgeted());
    }

    #[test]
    fn a_panel_that_has_just_been_opened_is_in_sight() {
        let mut scheduler = with_open(&[Panel::Cost]);
        scheduler.set_in_sight(Panel::Cost, false);
        scheduler.input_started();
        scheduler.open(Panels::EMPTY);
        assert!(!scheduler.is_due() && !scheduler.waits_for_idle());
        scheduler.open(Panels::EMPTY.with(Panel::Cost, true));
        assert_eq!(taken(&mut scheduler), [2]);
    }

    #[test]
    fn pointing_misses_no_picture_and_brings_nobody_behind() {
        let mut scheduler = with_open(&[Panel::Cost]);
        taken(&mut scheduler);
        for _ in 0..20 {
            scheduler.outdate(false);
        }
        assert!(scheduler.is_due() && !scheduler.is_overdue());
        let missed = Dirty {
            picture: false,
            pointed: true,
        };
        assert_eq!(scheduler.next_ready(), Some((2, missed)));
    }

    #[test]
    fn only_what_is_in_sight_is_ever_overdue() {
        let mut scheduler = with_open(&[Panel::Cost, Panel::Code]);
        taken(&mut scheduler);
        scheduler.set_in_sight(Panel::Code, false);
        scheduler.input_started();
        for _ in 0..MOST_BEHIND {
            scheduler.outdate(true);
        }
        assert!(!scheduler.is_overdue());
        scheduler.outdate(true);
        assert!(scheduler.is_overdue());
        assert_eq!(taken(&mut scheduler), [2]);
        assert!(!scheduler.is_overdue());
    }

    proptest! {
        /// Whatever happens: once input is idle, every open part has shown the newest picture, each
        /// once.
        #[test]
        fn nothing_is_old_when_the_hand_rests(
            events in proptest::collection::vec((0_u8..7, 0_usize..4, any::<bool>()), 0..80),
        ) {
            let mut scheduler = with_open(&[]);
            let (mut open, mut newest, mut shown) = (Panels::EMPTY, 0, [None; PARTS.len()]);
            for (event, at, flag) in events {
                match event {
                    0 => {
                        newest += u32::from(flag);
                        scheduler.outdate(flag);
                    }
                    1 => scheduler.set_in_sight(PARTS[at], flag),
                    2 => {
                        open = open.with(PARTS[at], flag);
                        scheduler.open(open);
                    }
                    3 if flag => scheduler.input_started(),
                    3 => scheduler.input_ended(),
                    4 => scheduler.tick(),
                    _ => if let Some((at, missed)) = scheduler.next_ready() {
                        prop_assert!(open.contains(PARTS[at]));
                        prop_assert!(missed.picture == (shown[at] != Some(newest)));
                        shown[at] = Some(newest);
                    }
                }
            }
            for _ in 0..2 {
                scheduler.tick();
            }
            let mut again = Vec::new();
            while let Some((at, _)) = scheduler.next_ready() {
                shown[at] = Some(newest);
                again.push(at);
            }
            again.sort_unstable();
            prop_assert!(again.windows(2).all(|pair| pair[0] != pair[1]));
            for (at, panel) in PARTS.into_iter().enumerate() {
                prop_assert!(!open.contains(panel) || shown[at] == Some(newest));
            }
        }
    }
}
