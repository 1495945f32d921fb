//! The order of turns, and how much has started at once.

use super::*;

const CALL: Option<PageLane> = None;
const MAIN: Option<PageLane> = track(7, Lane::Main);
const SIDE: Option<PageLane> = track(7, Lane::Side);

const fn track(page: u32, lane: Lane) -> Option<PageLane> {
    Some(PageLane { page, lane })
}

fn entry(id: u32, track: Option<PageLane>) -> Entry<()> {
    Entry::new(id, track, 1, ())
}

fn take_from(queue: &mut RunQueue<()>, track: Option<PageLane>) -> Option<Entry<()>> {
    track.and_then(|track| queue.take_from(track))
}

/// The order of turns, where each run needs as many as its number says in `slices`.
fn order(queue: &mut RunQueue<()>, mut slices: [usize; 4]) -> Vec<u32> {
    let mut order = Vec::new();
    while let Some(entry) = queue.take() {
        order.push(entry.id);
        slices[entry.id as usize] -= 1;
        if slices[entry.id as usize] > 0 {
            queue.add(entry);
        }
    }
    order
}

#[test]
fn a_long_run_does_not_hold_up_the_others() {
    let mut queue = RunQueue::default();
    for id in 0..3 {
        queue.add(entry(id, CALL));
    }
    assert_eq!(order(&mut queue, [4, 1, 2, 0]), [0, 0, 1, 0, 2, 0, 2]);
    assert!(queue.is_empty());
}

/// Takes as many turns as there are, each of which ends its run; ids in their order.
fn finished(queue: &mut RunQueue<()>) -> Vec<u32> {
    std::iter::from_fn(|| queue.take().map(|entry| entry.id)).collect()
}

/// Lets a hundred turns pass; the most memory of calls that were under way at once.
fn most_started(queue: &mut RunQueue<()>) -> u64 {
    let mut most = 0;
    for _ in 0..100 {
        let Some(entry) = queue.take() else { break };
        queue.add(entry);
        most = most.max(queue.started_bytes());
    }
    most
}

#[test]
fn calls_begin_as_far_as_there_is_memory_and_the_others_wait() {
    let mut queue = RunQueue::default();
    for id in 0..200 {
        queue.add(Entry::new(id, CALL, BUDGET / 16, ()));
    }
    assert_eq!(most_started(&mut queue), BUDGET);
    assert_eq!(queue.iter().count(), 200);
    let mut all = finished(&mut queue);
    all.sort_unstable();
    assert_eq!(all, (0..200).collect::<Vec<_>>());
}

#[test]
fn a_call_of_more_than_the_budget_begins_alone() {
    let mut queue = RunQueue::default();
    queue.add(Entry::new(0, CALL, BUDGET + 1, ()));
    queue.add(Entry::new(1, CALL, 2 * BUDGET, ()));
    assert_eq!(most_started(&mut queue), BUDGET + 1);
    assert_eq!(finished(&mut queue), [0, 1]);
    let large = Entry::new(2, CALL, 7, ()).alone();
    queue.add(entry(3, CALL));
    let started = queue.take().expect("the small one");
    queue.add(started);
    queue.add(large);
    assert_eq!(order(&mut queue, [0, 0, 1, 2]), [3, 3, 2]);
}

#[test]
fn a_small_call_waits_for_two_turns_whatever_is_under_way() {
    let mut queue = RunQueue::default();
    for id in 0..64 {
        queue.add(Entry::new(id, CALL, BUDGET / 64, ()));
    }
    most_started(&mut queue);
    queue.add(Entry::new(99, CALL, 0, ()));
    let next: Vec<u32> = (0..2).filter_map(|_| Some(queue.take()?.id)).collect();
    assert!(next.contains(&99), "{next:?}");
}

#[test]
fn a_small_call_overtakes_those_that_wait_and_not_for_ever() {
    let mut queue = RunQueue::default();
    queue.add(Entry::new(0, CALL, BUDGET, ()));
    let mut order = Vec::new();
    for id in 1..100 {
        queue.add(Entry::new(id, CALL, 1, ()));
        order.extend(queue.take().map(|entry| entry.id));
    }
    assert_eq!(order[0], 1);
    let overtaken = order.iter().position(|id| *id == 0);
    assert_eq!(overtaken, Some(MOST_OVERTAKEN as usize));
}

#[test]
fn the_page_gets_every_other_turn() {
    for track in [MAIN, SIDE] {
        let mut queue = RunQueue::default();
        queue.add(entry(0, CALL));
        queue.add(entry(1, CALL));
        queue.add(entry(3, track));
        assert_eq!(order(&mut queue, [2, 1, 0, 3]), [3, 0, 3, 0, 3, 1]);
    }
}

#[test]
fn the_side_waits_for_the_main_lane_alone() {
    let mut queue = RunQueue::default();
    queue.add(entry(2, SIDE));
    queue.add(entry(0, CALL));
    queue.add(entry(1, MAIN));
    assert_eq!(order(&mut queue, [3, 2, 2, 0]), [1, 0, 1, 0, 2, 0, 2]);
    assert!(queue.is_empty());
}

#[test]
fn a_main_run_that_comes_later_overtakes_the_side_and_leaves_it_where_it_was() {
    let mut queue = RunQueue::default();
    queue.add(entry(2, SIDE));
    let started = queue.take().expect("one run");
    queue.add(started);
    assert_eq!(queue.add(entry(1, MAIN)), None);
    assert_eq!(order(&mut queue, [0, 3, 2, 0]), [1, 1, 1, 2, 2]);
}

#[test]
fn the_newest_run_of_a_lane_replaces_the_one_before_and_no_other() {
    let mut queue = RunQueue::default();
    assert_eq!(queue.add(entry(0, MAIN)), None);
    assert_eq!(queue.add(entry(2, SIDE)), None);
    assert_eq!(queue.add(entry(1, MAIN)), Some(entry(0, MAIN)));
    assert_eq!(queue.add(entry(3, SIDE)), Some(entry(2, SIDE)));
    assert_eq!(order(&mut queue, [0, 1, 0, 1]), [1, 3]);
}

#[test]
fn a_lane_can_be_emptied_out_of_turn() {
    let mut queue = RunQueue::default();
    queue.add(entry(0, CALL));
    assert_eq!(take_from(&mut queue, MAIN), None);
    queue.add(entry(1, MAIN));
    queue.add(entry(2, SIDE));
    assert_eq!(take_from(&mut queue, MAIN), Some(entry(1, MAIN)));
    assert_eq!(take_from(&mut queue, SIDE), Some(entry(2, SIDE)));
    assert_eq!(order(&mut queue, [1, 0, 0, 0]), [0]);
}

#[test]
fn a_cancelled_run_is_gone() {
    let mut queue = RunQueue::default();
    queue.add(entry(0, CALL));
    queue.add(entry(1, MAIN));
    queue.add(entry(2, CALL));
    queue.add(entry(3, SIDE));
    for id in [0, 1, 3, 7] {
        queue.cancel(id);
    }
    assert_eq!(order(&mut queue, [0, 0, 1, 0]), [2]);
}

#[test]
fn pages_go_round_and_none_replaces_the_run_of_another() {
    let mut queue = RunQueue::default();
    for page in 0..3 {
        assert_eq!(queue.add(entry(page, track(page, Lane::Main))), None);
    }
    assert_eq!(order(&mut queue, [3, 1, 2, 0]), [0, 1, 2, 0, 2, 0]);
}

#[test]
fn the_side_of_one_page_waits_for_the_main_lane_of_another() {
    let mut queue = RunQueue::default();
    queue.add(entry(0, track(1, Lane::Side)));
    queue.add(entry(1, track(2, Lane::Main)));
    assert_eq!(order(&mut queue, [2, 2, 0, 0]), [1, 1, 0, 0]);
}
