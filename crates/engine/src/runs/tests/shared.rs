//! Runs that are shared with a second worker.

use super::*;

#[test]
fn a_run_is_computed_by_both_workers_whichever_ends_first() {
    for first_ends_first in [true, false] {
        let mut world = World::with_second();
        let id = world.take(call(BackendChoice::Cpu));
        world.turn(Turn::GoesOn);
        assert_eq!(world.halves, [id]);
        if first_ends_first {
            world.turn(Turn::Ends);
            assert!(world.runs.first_half(id).is_some() && !world.runs.is_idle());
            world.weights_come();
            world.half_ends(Some(()));
        } else {
            assert!(world.runs.on_cpu(id).is_some());
            world.weights_come();
            world.half_ends(Some(()));
            assert_eq!(world.answers.get(&id), None);
            world.turn(Turn::Ends);
        }
        assert_eq!(world.answers[&id], Answer::Both);
        world.end();
    }
}

#[test]
fn a_run_whose_second_half_lacks_something_is_computed_whole() {
    let lacks: [fn(&mut World); 4] = [
        |world| world.half_ends(None),
        |world| world.half_ends(Some(())),
        |world| {
            world.weights_come();
            world.half_ends(None);
        },
        World::second_stops,
    ];
    for lack in lacks {
        for first_ends_first in [true, false] {
            let mut world = World::with_second();
            let id = world.take(call(BackendChoice::Cpu));
            world.turn(Turn::GoesOn);
            if first_ends_first {
                world.turn(Turn::Ends);
                lack(&mut world);
            } else {
                lack(&mut world);
                world.turn(Turn::Ends);
            }
            assert_eq!(world.answers.get(&id), None);
            world.turn(Turn::Ends);
            assert_eq!(world.answers[&id], Answer::Cpu);
            world.end();
        }
    }
}

#[test]
fn a_second_worker_that_has_stopped_gets_no_more_halves_nor_layers() {
    let mut world = World::with_second();
    let second = world.runs.second().expect("it was started");
    second.add_layer(3);
    assert!(second.has_layer(3) && !second.has_layer(4));
    world.second_stops();
    world.runs.second_came_up();
    world.take(call(BackendChoice::Cpu));
    world.turn(Turn::GoesOn);
    assert!(world.halves.is_empty());
    assert!(
        !world
            .runs
            .second()
            .is_some_and(|second| second.has_layer(3))
    );
    world.end();
}

#[test]
fn only_a_run_that_nothing_waits_behind_is_shared_and_once() {
    let mut world = World::with_second();
    let first = world.take(call(BackendChoice::Cpu));
    let second = world.take(call(BackendChoice::Cpu));
    world.turn(Turn::GoesOn);
    assert!(world.halves.is_empty());
    world.cancel(first);
    world.turn(Turn::GoesOn);
    assert_eq!(world.halves, [second]);
    world.take(of_page(MAIN, BackendChoice::Cpu));
    world.turn(Turn::GoesOn);
    assert_eq!(world.halves, [second], "one at a time");
    world.end();
}

#[test]
fn a_run_of_few_operations_or_of_odd_heads_is_not_shared_nor_one_that_one_worker_computes_faster() {
    let mut world = World::with_second();
    for run in [
        Run {
            flops: 1_000,
            ..call(BackendChoice::Cpu)
        },
        Run {
            is_shareable: false,
            ..call(BackendChoice::Cpu)
        },
    ] {
        world.take(run);
        world.turn(Turn::Ends);
        assert!(world.halves.is_empty());
    }
    world.prefer(Workers::One);
    let shared = (0..12).filter(|_| {
        world.take(call(BackendChoice::Cpu));
        world.turn(Turn::Ends);
        world.halves.pop().is_some_and(|id| {
            world.cancel(id);
            true
        })
    });
    assert!(shared.count() <= 1);
}

#[test]
fn a_shared_run_that_is_dropped_is_dropped_in_both_workers() {
    for has_first_ended in [false, true] {
        for is_replaced in [false, true] {
            let mut world = World::with_second();
            let id = world.take(of_page(MAIN, BackendChoice::Cpu));
            world.turn(if has_first_ended {
                Turn::Ends
            } else {
                Turn::GoesOn
            });
            assert_eq!(world.halves, [id]);
            if is_replaced {
                world.take(of_page(SIDE, BackendChoice::Cpu));
                assert_eq!(world.halves, [id], "another lane");
                world.take(of_page(MAIN, BackendChoice::Cpu));
                assert_eq!(world.answers[&id], Answer::Replaced);
            } else {
                world.cancel(id);
            }
            assert!(world.halves.is_empty());
            world.end();
        }
    }
}

#[test]
fn without_memory_for_a_half_the_run_starts_whole_and_is_then_refused_as_any_other() {
    let mut world = World::with_second();
    let id = world.take(call(BackendChoice::Cpu));
    world.turn(Turn::NoMemory);
    assert_eq!((world.halves.len(), world.answers.get(&id)), (0, None));
    world.turn(Turn::NoMemory);
    assert_eq!(world.answers[&id], Answer::Refused(Code::TooLarge));
    world.end();
}
