//! Every order of events: each call is settled once, whatever becomes of its worker.

use std::collections::BTreeMap;

use super::*;
use proptest::prelude::*;

/// A window whose waiters are the numbers of their calls.
#[derive(Default)]
struct World {
    calls: Calls<u32, char>,
    /// Those that wait for an answer.
    waiting: BTreeMap<u32, &'static str>,
    rejected: Vec<(u32, Rejection)>,
    resent: Vec<u32>,
    /// What has happened besides, in order.
    done: Vec<&'static str>,
    /// Whether the next worker cannot be started.
    is_last: bool,
}

const MAIN: PageLane = PageLane {
    page: 1,
    lane: Lane::Main,
};
const SIDE: PageLane = PageLane {
    page: 1,
    lane: Lane::Side,
};

impl World {
    fn running() -> Self {
        let mut world = Self::default();
        assert!(world.calls.started());
        world
    }

    fn post(&mut self, purpose: Purpose<char>, page: Option<u32>) -> u32 {
        let (id, kind) = (
            self.calls.new_id(),
            match &purpose {
                Purpose::Result => "result",
                Purpose::Layer => "layer",
                Purpose::Page(_) => "page",
            },
        );
        if self.calls.broken().is_some() {
            self.rejected.push((id, Rejection::Stopped));
            return id;
        }
        self.waiting.insert(id, kind);
        let waiter = id;
        self.calls.posted(
            id,
            Call {
                waiter,
                purpose,
                page,
            },
        );
        id
    }

    fn run(&mut self, track: PageLane) -> u32 {
        let run = self.calls.page_call('s', track);
        self.post(Purpose::Page(run), Some(track.page))
    }

    fn settle(&mut self, id: u32) {
        assert!(self.waiting.remove(&id).is_some(), "{id} is settled twice");
    }

    fn carry_out(&mut self, effects: Vec<Effect<u32, char>>) {
        for effect in effects {
            match effect {
                Effect::Spawn if std::mem::take(&mut self.is_last) => {
                    let effects = self.calls.not_started("no more");
                    self.carry_out(effects);
                }
                Effect::Spawn => self.done.push("spawn"),
                Effect::DisableAutoGpu => self.done.push("disable"),
                Effect::Fail => self.done.push("fail"),
                Effect::NeverReady => self.done.push("never ready"),
                Effect::ForgetGpu => self.done.push("forget"),
                Effect::Abort(_) => self.done.push("abort"),
                Effect::Free(_) => self.done.push("free"),
                Effect::Reject(id, rejection) => {
                    self.settle(id);
                    self.rejected.push((id, rejection));
                }
                Effect::Resend(id, waiter, run) => {
                    assert_eq!((id, run.state), (waiter, 's'));
                    assert!(!self.resent.contains(&id), "{id} is requested a third time");
                    self.resent.push(id);
                    if self.calls.broken().is_some() {
                        self.settle(id);
                        continue;
                    }
                    let page = Some(run.track.page);
                    let purpose = Purpose::Page(run);
                    self.calls.posted(
                        id,
                        Call {
                            waiter,
                            purpose,
                            page,
                        },
                    );
                }
            }
        }
    }

    fn stop(&mut self, is_unloaded: bool) {
        let effects = self.calls.stopped("on purpose", is_unloaded);
        self.carry_out(effects);
    }

    fn answer(&mut self, id: u32, is_refused: bool) {
        if let Some(waiter) = self.calls.answered(id, is_refused) {
            self.settle(waiter);
        }
    }

    fn abort(&mut self, id: u32) {
        let effects = self.calls.abort(id);
        self.carry_out(effects);
    }
}

#[test]
fn a_worker_that_dies_is_replaced_its_runs_are_resent_once_and_other_calls_are_refused() {
    let mut world = World::running();
    let (call, layer) = (
        world.post(Purpose::Result, None),
        world.post(Purpose::Layer, None),
    );
    world.answer(layer, false);
    let (run, other) = (world.run(MAIN), world.post(Purpose::Result, Some(1)));
    assert!(world.calls.has_layer(layer));
    world.stop(false);
    world.rejected.sort_unstable_by_key(|(id, _)| *id);
    assert_eq!(
        world.rejected,
        [(call, Rejection::Stopped), (other, Rejection::Stopped)]
    );
    assert_eq!(
        (&world.resent[..], &world.done[..]),
        (&[run][..], &["spawn", "forget"][..])
    );
    assert!(!world.calls.has_layer(layer), "it was lost with the worker");
    assert!(world.calls.started());
    world.stop(false);
    assert_eq!(world.rejected.last(), Some(&(run, Rejection::Stopped)));
    assert_eq!(world.done[2..], ["spawn", "disable", "fail", "forget"]);
    assert!(world.waiting.is_empty());
}

#[test]
fn a_run_at_the_side_is_given_up_beside_one_for_the_map_and_without_a_word() {
    for (has_main, resent) in [(true, false), (false, true)] {
        let mut world = World::running();
        let side = world.run(SIDE);
        if has_main {
            world.run(MAIN);
        }
        world.stop(false);
        assert_eq!(world.resent.contains(&side), resent);
        world.calls.started();
        world.stop(false);
        assert_eq!(
            world.done.contains(&"fail"),
            has_main,
            "only the map's is told"
        );
    }
}

#[test]
fn the_gpu_is_suspected_from_the_second_death_on_and_not_for_code_that_has_not_come() {
    let mut world = World::running();
    for _ in 0..3 {
        world.stop(true);
        world.calls.started();
    }
    assert!(!world.done.contains(&"disable"));
    world.stop(false);
    world.calls.started();
    assert!(!world.done.contains(&"disable"));
    for _ in 0..2 {
        world.done.clear();
        world.stop(false);
        world.calls.started();
        assert_eq!(world.done, ["spawn", "disable", "forget"]);
    }
}

#[test]
fn code_that_has_not_come_is_no_failure_of_the_page() {
    let mut world = World::running();
    world.run(MAIN);
    world.stop(true);
    world.calls.started();
    world.stop(true);
    assert!(!world.done.contains(&"fail"));
    assert!(world.waiting.is_empty());
}

#[test]
fn a_worker_that_never_came_up_is_not_replaced() {
    let mut world = World::default();
    let run = world.run(MAIN);
    world.stop(false);
    assert_eq!(world.done, ["fail", "never ready"]);
    assert_eq!((&world.resent[..], world.waiting.len()), (&[run][..], 0));
    assert_eq!(world.calls.broken(), Some("on purpose"));
    assert!(!world.calls.started() && !world.calls.is_running());
    world.post(Purpose::Result, None);
    assert!(world.waiting.is_empty());
}

#[test]
fn where_no_other_worker_can_be_started_all_calls_end() {
    let mut world = World::running();
    world.run(MAIN);
    world.is_last = true;
    world.stop(false);
    assert_eq!(world.calls.broken(), Some("no more"));
    assert_eq!(world.done, ["fail", "never ready", "forget"]);
    assert!(world.waiting.is_empty());
}

#[test]
fn an_aborted_call_ends_at_once_and_its_answer_goes_nowhere() {
    let mut world = World::running();
    let (call, layer) = (
        world.post(Purpose::Result, None),
        world.post(Purpose::Layer, None),
    );
    world.abort(call);
    assert_eq!(world.done, ["abort"]);
    world.abort(layer);
    assert_eq!(
        world.done[1..],
        ["abort", "free"],
        "a layer that comes all the same is freed"
    );
    world.abort(layer);
    world.answer(layer, false);
    assert!(!world.calls.has_layer(layer));
    assert_eq!(
        world.rejected,
        [(call, Rejection::Aborted), (layer, Rejection::Aborted)]
    );
}

#[test]
fn a_layer_is_freed_once_and_only_one_that_was_made() {
    let mut world = World::running();
    let (made, refused) = (
        world.post(Purpose::Layer, None),
        world.post(Purpose::Layer, None),
    );
    world.answer(made, false);
    world.answer(refused, true);
    for (layer, effects) in [
        (made, vec![Effect::Free(made)]),
        (made, vec![]),
        (refused, vec![]),
    ] {
        assert_eq!(world.calls.free(layer), effects);
    }
}

#[test]
fn a_page_that_leaves_ends_its_own_calls() {
    let mut world = World::running();
    let (own, of_a_caller) = (world.run(MAIN), world.post(Purpose::Result, None));
    let (own_too, of_another) = (
        world.post(Purpose::Result, Some(1)),
        world.post(Purpose::Result, Some(2)),
    );
    let effects = world.calls.leave(1);
    world.carry_out(effects);
    assert_eq!(
        world.waiting.keys().copied().collect::<Vec<_>>(),
        [of_a_caller, of_another]
    );
    let mut ended: Vec<u32> = world.rejected.iter().map(|(id, _)| *id).collect();
    ended.sort_unstable();
    assert_eq!(ended, [own, own_too]);
}

#[test]
fn only_the_first_run_for_the_map_may_be_computed_before_the_worker_is_there() {
    let mut world = World::default();
    assert!(world.calls.is_first_run(Lane::Main) && !world.calls.is_first_run(Lane::Side));
    world.run(MAIN);
    assert!(!world.calls.is_first_run(Lane::Main));
    let mut world = World::running();
    assert!(!world.calls.is_first_run(Lane::Main));
    world.stop(false);
    assert!(
        !world.calls.is_first_run(Lane::Main),
        "it may have been the cause"
    );
}

#[derive(Clone, Debug)]
enum Event {
    Run(bool),
    Call(Option<u32>),
    Layer,
    Answer(prop::sample::Index, bool),
    Abort(prop::sample::Index),
    Leave,
    Started,
    Stopped(bool),
    StoppedForGood,
}

fn events() -> impl Strategy<Value = Event> {
    use Event::*;
    prop_oneof![
        any::<bool>().prop_map(Run),
        prop::option::of(1..3_u32).prop_map(Call),
        Just(Layer),
        (any::<prop::sample::Index>(), any::<bool>())
            .prop_map(|(which, is_refused)| Answer(which, is_refused)),
        any::<prop::sample::Index>().prop_map(Abort),
        Just(Leave),
        Just(Started),
        any::<bool>().prop_map(Stopped),
        Just(StoppedForGood),
    ]
}

fn happen(world: &mut World, event: Event) {
    let any = |which: prop::sample::Index| which.index(world.calls.last_id as usize + 1) as u32;
    match event {
        Event::Run(is_main) => drop(world.run(if is_main { MAIN } else { SIDE })),
        Event::Call(page) => drop(world.post(Purpose::Result, page)),
        Event::Layer => drop(world.post(Purpose::Layer, None)),
        Event::Answer(which, is_refused) => world.answer(any(which), is_refused),
        Event::Abort(which) => world.abort(any(which)),
        Event::Leave => {
            let effects = world.calls.leave(1);
            world.carry_out(effects);
        }
        Event::Started => drop(world.calls.started()),
        Event::Stopped(is_unloaded) => world.stop(is_unloaded),
        Event::StoppedForGood => {
            world.is_last = true;
            world.stop(false);
            world.is_last = false;
        }
    }
}

proptest! {
    /// Whatever happens in whatever order: a call is settled once, a run is requested twice at most, and without a worker nobody waits.
    #[test]
    fn each_call_is_settled_once(events in prop::collection::vec(events(), 0..80)) {
        let mut world = World::default();
        for event in events {
            happen(&mut world, event);
            prop_assert!(world.calls.broken().is_none() || world.waiting.is_empty());
            prop_assert_eq!(world.calls.pending.len(), world.waiting.len());
        }
    }
}
