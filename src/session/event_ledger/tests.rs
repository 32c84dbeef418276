use super::*;
use crate::{
    num::{Rng, Toi, rng::Draws},
    state::StaticId,
};

fn event(tick: u64, u_q8: u64, kind: EventKind, b: u32) -> ContactEvent {
    let toi = Toi::from_raw(u_q8 << 24).unwrap();
    let (a, b) = (BodyId::from_parts(1, 0), Collider::Static(StaticId(b)));
    ContactEvent { tick, toi, kind, a, b, children: [0; 2], repeat: 0 }
}

fn hit(tick: u64, u_q8: u64, b: u32) -> ContactEvent {
    event(tick, u_q8, EventKind::Hit, b)
}

fn play(ledger: &mut EventLedger, tick: u64, events: &[ContactEvent]) {
    let mut report = TickReport { tick, events_listed: true, ..TickReport::default() };
    report.events.extend(events);
    ledger.note(tick, &report);
}

use EventChange::{Confirmed, Moved, Started, Withdrawn};

#[test]
fn events_that_are_played_again_alike_are_told_once() {
    let mut ledger = EventLedger::new(0);
    let (first, second) = (hit(1, 10, 0), hit(2, 20, 0));
    play(&mut ledger, 1, &[first]);
    play(&mut ledger, 2, &[second]);
    assert_eq!(ledger.reconcile(0), [Started(first), Started(second)]);
    assert_eq!(ledger.reconcile(0), []);
    play(&mut ledger, 1, &[first]);
    play(&mut ledger, 2, &[second]);
    assert_eq!(ledger.reconcile(1), [Confirmed(first)]);
    assert_eq!(ledger.reconcile(1), []);
    // A sync test plays confirmed ticks again.
    play(&mut ledger, 1, &[]);
    assert_eq!(ledger.reconcile(2), [Confirmed(second)]);
}

#[test]
fn events_that_never_happened_are_withdrawn_and_moved_ones_are_not() {
    let mut ledger = EventLedger::new(1);
    let (hit_wall, hit_floor) = (hit(5, 10, 0), hit(5, 10, 1));
    play(&mut ledger, 5, &[hit_wall, hit_floor]);
    assert_eq!(ledger.reconcile(0), [Started(hit_wall), Started(hit_floor)]);
    // The wall was met a tick later, the floor not at all, and another body in its place.
    let (later, other) = (hit(6, 3, 0), hit(6, 3, 2));
    play(&mut ledger, 5, &[]);
    play(&mut ledger, 6, &[later, other]);
    let moved = Moved { from: hit_wall, to: later };
    assert_eq!(ledger.reconcile(4), [Withdrawn(hit_floor), moved, Started(other)]);
    assert_eq!(ledger.reconcile(6), [Confirmed(later), Confirmed(other)]);
}

#[test]
fn events_beyond_the_drift_or_of_another_kind_are_other_events() {
    for (drift, to, is_same) in [
        (0, hit(5, 200, 0), true),
        (0, hit(6, 10, 0), false),
        (1, hit(6, 10, 0), true),
        (1, hit(4, 250, 0), true),
        (1, hit(7, 10, 0), false),
        (2, hit(7, 10, 0), true),
        (9, event(5, 10, EventKind::Begin, 0), false),
        (9, hit(5, 10, 1), false),
        (9, ContactEvent { children: [0, 1], ..hit(5, 10, 0) }, false),
        (0, ContactEvent { repeat: 1, ..hit(5, 10, 0) }, true),
    ] {
        let mut ledger = EventLedger::new(drift);
        let from = hit(5, 10, 0);
        play(&mut ledger, 5, &[from]);
        ledger.reconcile(0);
        play(&mut ledger, 4, &[]);
        play(&mut ledger, to.tick, &[to]);
        let changes = ledger.reconcile(0);
        let expected = if is_same { vec![Moved { from, to }] } else { vec![Withdrawn(from), Started(to)] };
        assert_eq!(changes, expected, "{drift} {to}");
    }
}

#[test]
fn ticks_after_the_one_that_is_played_again_wait_until_they_are() {
    let mut ledger = EventLedger::new(0);
    let (first, second) = (hit(1, 10, 0), hit(2, 20, 0));
    play(&mut ledger, 1, &[first]);
    play(&mut ledger, 2, &[second]);
    ledger.reconcile(0);
    play(&mut ledger, 1, &[first]);
    assert_eq!(ledger.reconcile(0), [Withdrawn(second)]);
    play(&mut ledger, 2, &[second]);
    assert_eq!(ledger.reconcile(2), [Started(second), Confirmed(first), Confirmed(second)]);
}

/// A game that was paused: its world has fewer ticks than its session.
#[test]
fn events_of_a_world_that_lags_are_confirmed_by_the_tick_of_the_session() {
    let mut ledger = EventLedger::new(0);
    let late = hit(3, 10, 0);
    let mut report = TickReport { tick: 3, events_listed: true, ..TickReport::default() };
    report.events.push(late);
    assert_eq!(ledger.reconcile(40), []);
    ledger.note(41, &report);
    assert_eq!(ledger.reconcile(40), [Started(late)]);
    // Played again, the game is paused in this tick.
    report.events.clear();
    ledger.note(41, &report);
    assert_eq!(ledger.reconcile(41), [Withdrawn(late)]);
}

#[test]
#[should_panic = "lists events"]
fn a_report_that_does_not_listen_is_a_mistake() {
    EventLedger::new(0).note(1, &TickReport { tick: 1, ..TickReport::default() });
}

/// The events of a tick: a few of many, mostly those of another draw.
fn drawn(draws: &mut Draws, tick: u64) -> Vec<ContactEvent> {
    let kinds = [EventKind::Begin, EventKind::Hit, EventKind::End];
    let mut events: Vec<_> = (0..draws.below(5))
        .map(|_| event(tick, draws.below(4), kinds[draws.below(3) as usize], draws.below(3) as u32))
        .collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// A listener that only follows the changes knows what happened, however often and far the run goes back.
#[test]
fn a_listener_that_follows_the_changes_ends_with_what_happened() {
    let (mut withdrawn, mut moved, mut confirmed_count) = (0, 0, 0);
    for case in 0..300 {
        let mut draws = Rng::new(3).at(0, case, 0);
        let mut ledger = EventLedger::new(draws.below(3) as u32);
        let (mut sounding, mut confirmed) = (Vec::new(), Vec::new());
        let mut now: Vec<Vec<ContactEvent>> = Vec::new();
        let mut known = 0;
        while known < 60 {
            // Goes back to any tick that is not confirmed, and on from there to a little beyond the latest
            // tick.
            let back = draws.between(known as i64, now.len() as i64) as usize;
            now.truncate(back);
            for tick in back as u64 + 1..=back as u64 + draws.between(1, 6) as u64 {
                now.push(drawn(&mut draws, tick));
                play(&mut ledger, tick, &now[tick as usize - 1]);
            }
            if draws.below(3) == 0 {
                continue;
            }
            known = draws.between(known as i64, now.len() as i64) as u64;
            for &change in ledger.reconcile(known) {
                let mut silence = |event| {
                    let at = sounding.iter().position(|sound| *sound == event);
                    sounding.swap_remove(at.expect("only what sounds is changed"));
                };
                match change {
                    Started(event) => sounding.push(event),
                    Withdrawn(event) => {
                        silence(event);
                        withdrawn += 1;
                    }
                    Moved { from, to } => {
                        silence(from);
                        sounding.push(to);
                        moved += 1;
                    }
                    Confirmed(event) => {
                        silence(event);
                        confirmed.push(event);
                        confirmed_count += 1;
                    }
                }
            }
            let mut later: Vec<_> = now[known as usize..].concat();
            later.sort_unstable();
            sounding.sort_unstable();
            assert_eq!(sounding, later, "case {case}: what sounds and is not confirmed");
        }
        assert_eq!(confirmed, now[..known as usize].concat(), "case {case}");
    }
    assert!(
        withdrawn > 1_000 && moved > 1_000 && confirmed_count > 10_000,
        "{withdrawn} {moved} {confirmed_count}"
    );
}

/// The events of a tick are in order of their instants, and are matched by their bodies: neither order is lost.
#[test]
fn changes_are_in_order_whatever_the_order_of_the_bodies() {
    let mut ledger = EventLedger::new(1);
    let told = [hit(5, 10, 1), hit(5, 20, 0)];
    play(&mut ledger, 5, &told);
    ledger.reconcile(0);
    let moved = [hit(5, 12, 1), hit(5, 30, 0)];
    play(&mut ledger, 5, &moved);
    assert_eq!(ledger.reconcile(0), [0, 1].map(|index| Moved { from: told[index], to: moved[index] }));

    let mut ledger = EventLedger::new(1);
    let told = [hit(5, 10, 3), hit(5, 20, 1), hit(5, 30, 2)];
    play(&mut ledger, 5, &told);
    ledger.reconcile(0);
    let new = [hit(5, 11, 4), hit(5, 12, 0), hit(5, 25, 2)];
    play(&mut ledger, 5, &new);
    let moved = Moved { from: told[2], to: new[2] };
    let expected = [Withdrawn(told[0]), Withdrawn(told[1]), moved, Started(new[0]), Started(new[1])];
    assert_eq!(ledger.reconcile(0), expected);
}
