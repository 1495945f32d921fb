//! Sequences of events, without a device.

use super::*;

const SMALL: Workload = of_size(1_000);
const LARGE: Workload = of_size(1_000_000_000);

/// So many operations, and bytes of memory.
const fn of_size(size: u64) -> Workload {
    Workload {
        flops: size,
        bytes: size,
        returned: 0,
        measured: 0,
    }
}

/// A card that is faster from some ten million operations on; as software it would not be.
fn terms(is_software: bool) -> DeviceTraits {
    let each = if is_software { 2e-5 } else { 1e-8 };
    let pace = LatencyModel::of_rates([0.0, 1e-6, 0.0, 0.0], [10.0, each, 0.0, 0.0]);
    DeviceTraits { pace, is_software }
}

fn lost() -> Reason {
    Reason::Lost {
        detail: "pulled out".to_owned(),
    }
}

/// An open device, with the attempt that opened it.
fn opened(device: &mut Device<&'static str>, cause: Cause, now_ms: f64) -> Attempt {
    let attempt = device.attempt(cause).expect("an attempt is due");
    let taken = device.opened(attempt, "card", terms(false), now_ms);
    assert_eq!(taken, Ok(()));
    attempt
}

#[test]
fn it_is_tried_once_when_there_is_time() {
    let mut device = Device::default();
    assert_eq!(device.absence(), None);
    let attempt = device.attempt(Cause::Idle).expect("the first");
    assert_eq!(device.attempt(Cause::Idle), None);
    assert_eq!(device.attempt(Cause::Asked), None);
    assert!(device.failed(attempt, Reason::NoAdapter));
    assert_eq!(device.absence(), Some(&Reason::NoAdapter));
    assert!(!device.is_waiting());
    assert_eq!(device.attempt(Cause::Idle), None);
    assert_eq!(device.attempt(Cause::PauseOver(attempt)), None);
    assert_eq!(device.ready(), None::<&()>);
}

#[test]
fn asking_by_hand_tries_again_unless_nothing_can_change() {
    for (reason, again) in [
        (Reason::NoAdapter, true),
        (lost(), true),
        (Reason::NoWebGpu, false),
        (Reason::Insecure, false),
    ] {
        let mut device = Device::<()>::default();
        let attempt = device.attempt(Cause::Asked).expect("the first");
        device.failed(attempt, reason.clone());
        let route = device.route(BackendChoice::WebGpu, Requester::Caller, SMALL);
        assert_eq!(device.attempt(Cause::Asked).is_some(), again, "{reason:?}");
        let wanted = if again { Ok(Route::Wait) } else { Err(reason) };
        assert_eq!(route, wanted);
    }
}

#[test]
fn an_attempt_that_nobody_waits_for_changes_nothing() {
    let mut device = Device::default();
    let slow = device.attempt(Cause::Idle).expect("the first");
    let too_late = Reason::NoDevice {
        detail: "no answer".to_owned(),
    };
    assert!(device.failed(slow, too_late.clone()));
    assert_eq!(device.opened(slow, "card", terms(false), 0.0), Err("card"));
    assert!(!device.failed(slow, Reason::NoAdapter));
    assert_eq!(device.absence(), Some(&too_late));
    let newer = device.attempt(Cause::Asked).expect("by hand");
    assert_eq!(device.opened(slow, "card", terms(false), 0.0), Err("card"));
    assert_eq!(device.opened(newer, "new", terms(false), 0.0), Ok(()));
    assert_eq!(device.ready(), Some(&"new"));
}

#[test]
fn a_loss_is_known_once_and_tried_once_more() {
    let mut device = Device::default();
    let first = opened(&mut device, Cause::Idle, 0.0);
    let (graphics, pause) = device.lost(first, lost(), 5.0).expect("news");
    assert_eq!((graphics, pause.ms), ("card", 1_000.0));
    assert_eq!(device.absence(), Some(&lost()));
    assert!(device.is_waiting());
    assert_eq!(device.lost(first, Reason::OutOfMemory, 6.0), None);
    assert_eq!(device.absence(), Some(&lost()));
    let second = device.attempt(pause.cause).expect("the pause is over");
    assert_eq!(device.attempt(pause.cause), None);
    assert!(device.failed(second, Reason::NoAdapter));
    assert!(!device.is_waiting());
    assert_eq!(device.attempt(pause.cause), None);
}

#[test]
fn what_is_said_of_an_older_device_does_not_touch_the_present_one() {
    let mut device = Device::default();
    let old = opened(&mut device, Cause::Idle, 0.0);
    let (_, pause) = device.lost(old, lost(), 1.0).expect("news");
    let new = opened(&mut device, pause.cause, 2.0);
    assert_eq!(device.lost(old, lost(), 3.0), None);
    assert!(device.ready().is_some());
    assert_eq!(device.present(), new);
}

#[test]
fn an_attempt_by_hand_takes_the_place_of_the_pause() {
    let mut device = Device::default();
    let old = opened(&mut device, Cause::Idle, 0.0);
    let (_, pause) = device.lost(old, lost(), 1.0).expect("news");
    let by_hand = opened(&mut device, Cause::Asked, 2.0);
    assert_eq!(device.attempt(pause.cause), None);
    // Lost again before that pause is over: only the newer one counts.
    let (_, newer) = device.lost(by_hand, lost(), 3.0).expect("news");
    assert_eq!(device.attempt(pause.cause), None);
    assert!(device.attempt(newer.cause).is_some());
}

/// A hundred losses in a row: pauses grow to a minute and stay there, and a minute of health forgets them.
#[test]
fn pauses_grow_to_a_minute_and_start_again_after_a_minute_of_health() {
    let (mut device, mut now, mut pauses) = (Device::default(), 0.0, Vec::new());
    let mut cause = Cause::Idle;
    for _ in 0..100 {
        let attempt = opened(&mut device, cause, now);
        now += HEALTHY_MS - 1.0;
        let (_, pause) = device.lost(attempt, lost(), now).expect("news");
        pauses.push(pause.ms);
        cause = pause.cause;
        now += pause.ms;
    }
    let grown = [1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 60e3, 60e3];
    assert_eq!(pauses[..8], grown);
    assert!(pauses[8..].iter().all(|pause| *pause == LONGEST_PAUSE_MS));
    let attempt = opened(&mut device, cause, now);
    let (_, pause) = device
        .lost(attempt, lost(), now + HEALTHY_MS)
        .expect("news");
    assert_eq!(pause.ms, FIRST_PAUSE_MS);
}

#[test]
fn the_page_is_never_kept_waiting_and_always_told_why() {
    let mut device = Device::default();
    let route = |device: &Device<_>, choice| device.route(choice, Requester::Page, LARGE);
    for choice in [BackendChoice::Auto, BackendChoice::WebGpu] {
        assert_eq!(route(&device, choice), Ok(Route::Cpu(Reason::Checking)));
    }
    let attempt = device.attempt(Cause::Idle).expect("the first");
    for choice in [BackendChoice::Auto, BackendChoice::WebGpu] {
        assert_eq!(route(&device, choice), Ok(Route::Cpu(Reason::Checking)));
    }
    let taken = device.opened(attempt, "card", terms(false), 0.0);
    assert_eq!(taken, Ok(()));
    for choice in [BackendChoice::Auto, BackendChoice::WebGpu] {
        assert_eq!(route(&device, choice), Ok(Route::WebGpu));
    }
    device.lost(attempt, lost(), 1.0).expect("news");
    for choice in [BackendChoice::Auto, BackendChoice::WebGpu] {
        assert_eq!(route(&device, choice), Ok(Route::Cpu(lost())));
    }
}

#[test]
fn the_processor_is_taken_where_it_was_asked_for() {
    let mut device = Device::default();
    let chosen = Ok(Route::Cpu(Reason::Chosen));
    for requester in [Requester::Page, Requester::Caller] {
        assert_eq!(device.route(BackendChoice::Cpu, requester, LARGE), chosen);
    }
    opened(&mut device, Cause::Idle, 0.0);
    assert_eq!(
        device.route(BackendChoice::Cpu, Requester::Page, LARGE),
        chosen
    );
}

#[test]
fn a_caller_waits_for_the_check_only_where_webgpu_and_nothing_else_will_do() {
    let mut device = Device::default();
    let route = |device: &Device<_>, choice| device.route(choice, Requester::Caller, LARGE);
    assert_eq!(route(&device, BackendChoice::WebGpu), Ok(Route::Wait));
    let checking = Ok(Route::Cpu(Reason::Checking));
    assert_eq!(route(&device, BackendChoice::Auto), checking);
    let attempt = device.attempt(Cause::Asked).expect("the first");
    assert_eq!(route(&device, BackendChoice::WebGpu), Ok(Route::Wait));
    let taken = device.opened(attempt, "card", terms(false), 0.0);
    assert_eq!(taken, Ok(()));
    assert_eq!(route(&device, BackendChoice::WebGpu), Ok(Route::WebGpu));
}

#[test]
fn size_decides_unless_somebody_asks() {
    let mut device = Device::default();
    opened(&mut device, Cause::Idle, 0.0);
    let route = |choice, load| device.route(choice, Requester::Page, load);
    assert_eq!(route(BackendChoice::Auto, LARGE), Ok(Route::WebGpu));
    assert_eq!(
        route(BackendChoice::Auto, SMALL),
        Ok(Route::Cpu(Reason::Sooner))
    );
    assert_eq!(route(BackendChoice::WebGpu, SMALL), Ok(Route::WebGpu));
}

#[test]
fn a_slow_software_adapter_is_used_only_when_asked_for() {
    let mut device = Device::default();
    let attempt = device.attempt(Cause::Idle).expect("the first");
    let taken = device.opened(attempt, "software", terms(true), 0.0);
    assert_eq!(taken, Ok(()));
    let route = |choice, load| device.route(choice, Requester::Page, load);
    for load in [SMALL, LARGE] {
        assert_eq!(
            route(BackendChoice::Auto, load),
            Ok(Route::Cpu(Reason::Slow))
        );
        assert_eq!(route(BackendChoice::WebGpu, load), Ok(Route::WebGpu));
    }
}

#[test]
fn what_had_too_little_memory_is_not_sent_there_again_unasked() {
    let mut device = Device::default();
    opened(&mut device, Cause::Idle, 0.0);
    device.record_out_of_memory(LARGE);
    device.record_out_of_memory(Workload {
        bytes: 2 * LARGE.bytes,
        ..LARGE
    });
    let route = |choice, load| device.route(choice, Requester::Page, load);
    let refused = Ok(Route::Cpu(Reason::OutOfMemory));
    assert_eq!(route(BackendChoice::Auto, LARGE), refused);
    assert_eq!(route(BackendChoice::WebGpu, LARGE), Ok(Route::WebGpu));
    let less = Workload {
        bytes: LARGE.bytes - 1,
        ..LARGE
    };
    assert_eq!(route(BackendChoice::Auto, less), Ok(Route::WebGpu));
}

#[test]
fn the_page_asks_by_hand_when_it_turns_to_webgpu() {
    let mut device = Device::<()>::default();
    let turns = [
        (BackendChoice::Auto, false),
        (BackendChoice::WebGpu, true),
        (BackendChoice::WebGpu, false),
        (BackendChoice::Cpu, false),
        (BackendChoice::WebGpu, true),
    ];
    assert!(device.page_turns(9, BackendChoice::WebGpu));
    for (choice, by_hand) in turns {
        assert_eq!(device.page_turns(1, choice), by_hand);
    }
}

#[test]
fn only_faults_of_the_device_end_it() {
    let detail = String::new;
    for (reason, ends) in [
        (lost(), true),
        (Reason::OutOfMemory, true),
        (Reason::Rejected { detail: detail() }, true),
        (Reason::TooLarge { detail: detail() }, false),
        (Reason::Sooner, false),
    ] {
        assert_eq!(reason.is_of_the_device(), ends, "{reason:?}");
    }
}
