//! Runs that wait, and move between the device and the processor.

use super::*;

#[test]
fn without_memory_a_call_waits_for_the_others_and_a_page_is_refused() {
    let mut world = World::new();
    let small = world.take(call(BackendChoice::Cpu));
    world.turn(Turn::GoesOn);
    let large = world.take(call(BackendChoice::Cpu));
    world.turn(Turn::GoesOn);
    world.turn(Turn::NoMemory);
    assert_eq!(world.answers.get(&large), None);
    world.turn(Turn::Ends);
    assert_eq!(world.answers.get(&small), Some(&Answer::Cpu));
    let page = world.take(of_page(MAIN, BackendChoice::Cpu));
    world.turn(Turn::NoMemory);
    assert_eq!(world.answers[&page], Answer::Refused(Code::TooLarge));
    world.turn(Turn::NoMemory);
    assert_eq!(world.answers[&large], Answer::Refused(Code::TooLarge));
    world.end();
}

#[test]
fn calls_are_read_while_the_inputs_of_those_that_were_read_leave_room() {
    let mut world = World::new();
    let ids: Vec<u32> = (0..6)
        .map(|_| world.take(call(BackendChoice::Cpu)))
        .collect();
    assert!(ids[..4].iter().all(|id| world.runs.on_cpu(*id).is_some()));
    assert!(ids[4..].iter().all(|id| world.runs.on_cpu(*id).is_none()));
    world.cancel(ids[5]);
    world.turn(Turn::Ends);
    world.read();
    assert!(world.runs.on_cpu(ids[4]).is_some());
    world.end();
    assert_eq!(world.answers.len(), 5);
}

#[test]
fn who_waits_for_the_check_of_the_device_goes_on_when_it_is_over() {
    for found in [Ok(()), Err(Reason::NoAdapter)] {
        let mut world = World::new();
        let (run, dropped) = (
            world.take(call(BackendChoice::WebGpu)),
            world.take(call(BackendChoice::WebGpu)),
        );
        let question = world.ask();
        world.cancel(dropped);
        assert_eq!(world.answers, BTreeMap::new());
        let is_there = found.is_ok();
        world.attempt_ends(found);
        assert_eq!(world.answers[&question], Answer::Settled);
        world.submit();
        world.submission_ends(Ok(true));
        world.submit();
        world.submission_ends(Ok(false));
        let refused = Answer::Refused(Code::BackendUnavailable);
        assert_eq!(
            world.answers[&run],
            if is_there { Answer::Gpu } else { refused }
        );
        world.end();
    }
}

#[test]
fn a_device_that_is_lost_leaves_its_runs_to_the_processor_but_those_that_insist() {
    let mut world = World::new();
    world.opened();
    let auto = world.take(call(BackendChoice::Auto));
    let insists = world.take(call(BackendChoice::WebGpu));
    let page = world.take(of_page(MAIN, BackendChoice::WebGpu));
    world.submit();
    world.submission_ends(of_device(lost()));
    assert!(world.runs.device.ready().is_none());
    world.submit();
    assert!(!world.is_driven);
    assert_eq!(
        world.answers,
        BTreeMap::from([(insists, Answer::Refused(Code::BackendUnavailable))])
    );
    world.turn(Turn::Ends);
    world.turn(Turn::Ends);
    assert_eq!(
        (world.answers[&auto], world.answers[&page]),
        (Answer::Cpu, Answer::Cpu)
    );
    world.end();
}

#[test]
fn a_run_that_the_device_cannot_do_moves_alone_and_the_device_stays() {
    let mut world = World::new();
    world.opened();
    let id = world.take(call(BackendChoice::Auto));
    world.submit();
    let detail = "q".to_owned();
    world.submission_ends(of_device(Reason::TooLarge { detail }));
    assert!(world.runs.device.ready().is_some());
    world.turn(Turn::Ends);
    assert_eq!(world.answers[&id], Answer::Cpu);
    world.end();
}

#[test]
fn a_run_that_ran_out_of_memory_sends_none_of_its_size_to_the_next_device() {
    let mut world = World::new();
    world.opened();
    world.take(call(BackendChoice::Auto));
    world.submit();
    world.submission_ends(of_device(Reason::OutOfMemory));
    let cause = Cause::PauseOver(world.runs.device.present());
    let effects = world.runs.attempt(cause);
    world.carry_out(effects);
    world.attempt_ends(Ok(()));
    let id = world.take(call(BackendChoice::Auto));
    assert!(world.runs.on_cpu(id).is_some());
    world.end();
}

#[test]
fn a_run_that_is_dropped_while_its_submission_is_pending_is_not_answered() {
    for is_replaced in [false, true] {
        let mut world = World::new();
        world.opened();
        let id = world.take(of_page(MAIN, BackendChoice::WebGpu));
        world.submit();
        if is_replaced {
            world.take(of_page(MAIN, BackendChoice::WebGpu));
            assert_eq!(world.answers[&id], Answer::Replaced);
            // It is replaced once.
            world.take(of_page(MAIN, BackendChoice::WebGpu));
        } else {
            world.cancel(id);
        }
        world.submission_ends(Ok(false));
        world.end();
    }
}
