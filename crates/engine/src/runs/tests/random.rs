//! Every order of events: each run is answered once, in whatever place it was.

use super::*;
use proptest::prelude::*;

fn choices() -> impl Strategy<Value = BackendChoice> {
    prop_oneof![
        Just(BackendChoice::Auto),
        Just(BackendChoice::Cpu),
        Just(BackendChoice::WebGpu)
    ]
}

/// Something that happens to a world.
fn events() -> impl Strategy<Value = Event> {
    use Event::*;
    prop_oneof![
        3 => (prop_oneof![Just(MAIN), Just(SIDE)], choices()).prop_map(|(track, choice)| Page(track, choice)),
        3 => choices().prop_map(Call),
        1 => Just(Ask),
        2 => any::<prop::sample::Index>().prop_map(Cancel),
        6 => prop_oneof![3 => Just(Turn::Ends), 3 => Just(Turn::GoesOn), 1 => Just(Turn::NoMemory)].prop_map(TurnOver),
        3 => Just(Weights),
        2 => any::<bool>().prop_map(|is_whole| HalfEnds(is_whole.then_some(()))),
        1 => Just(SecondStops),
        1 => any::<bool>().prop_map(AttemptEnds),
        1 => Just(DeviceLost),
        4 => Just(Submit),
        3 => (0..4_usize).prop_map(SubmissionEnds),
    ]
}

#[derive(Clone, Debug)]
enum Event {
    Page(PageLane, BackendChoice),
    Call(BackendChoice),
    Ask,
    Cancel(prop::sample::Index),
    TurnOver(Turn),
    Weights,
    HalfEnds(Option<()>),
    SecondStops,
    AttemptEnds(bool),
    DeviceLost,
    Submit,
    SubmissionEnds(usize),
}

fn happen(world: &mut World, event: Event) {
    world.now += 1.0;
    match event {
        Event::Page(track, choice) => drop(world.take(of_page(track, choice))),
        Event::Call(choice) => drop(world.take(call(choice))),
        Event::Ask => drop(world.ask()),
        Event::Cancel(which) => {
            let ids: Vec<u32> = world.waiting.keys().copied().collect();
            if !ids.is_empty() {
                world.cancel(*which.get(&ids));
            }
        }
        Event::TurnOver(turn) => world.turn(turn),
        Event::Weights => world.weights_come(),
        Event::HalfEnds(half) => world.half_ends(half),
        Event::SecondStops => world.second_stops(),
        Event::AttemptEnds(is_there) => world.attempt_ends(if is_there {
            Ok(())
        } else {
            Err(Reason::NoAdapter)
        }),
        Event::DeviceLost => {
            if let Some(attempt) = world.device {
                world.lose(attempt, lost());
            }
        }
        Event::Submit => world.submit(),
        Event::SubmissionEnds(how) => world.submission_ends(match how {
            0 => of_device(lost()),
            1 => of_device(Reason::OutOfMemory),
            2 => Ok(true),
            _ => Ok(false),
        }),
    }
    let is_shared = world.runs.second().is_some_and(|second| second.is_busy());
    assert!(
        world.halves.len() <= usize::from(is_shared),
        "halves that nobody waits for"
    );
}

proptest! {
    /// Whatever happens in whatever order: a lane holds one run, each run is answered once unless its caller has ended it, and nothing is
    /// computed that nobody waits for.
    #[test]
    fn each_run_is_answered_once(
        events in prop::collection::vec(events(), 0..120),
        has_second: bool,
        has_device: bool,
    ) {
        let mut world = if has_second { World::with_second() } else { World::new() };
        if has_device {
            world.opened();
        }
        for event in events {
            happen(&mut world, event);
        }
        world.end();
    }
}
