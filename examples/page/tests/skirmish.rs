//! Two peers of the strategy game and their relay, without a browser.
#![allow(missing_docs)]

use std::{collections::BTreeMap, time::Duration};

use bitstep::{
    replay::{Replay, verify},
    session::{Session, Simulation},
};
use bitstep_lockstep::Terms;
use page::{Skirmish, Weather};
use rts::{Army, Order, Place, Rts, Units, script::play_alone};

const FRAME: Duration = Duration::from_millis(16);
const FOUL: Weather = Weather { latency: 120, jitter: 80, loss: 10, rubbish: 0 };

/// Plays until something is true, for at most so many seconds of the page's time.
fn play(skirmish: &mut Skirmish, seconds: u64, mut until: impl FnMut(&mut Skirmish) -> bool) {
    for _ in 0..seconds * 1_000 / 16 {
        if until(skirmish) {
            return;
        }
        skirmish.advance(FRAME);
    }
    panic!("not within {seconds} s: {}", skirmish.peer(0).ending());
}

fn tick(skirmish: &Skirmish, side: usize) -> u64 {
    skirmish.peer(side).state().map_or(0, Session::tick_count)
}

/// The checksum of a script that is played without a network.
fn straight(units: u16, ticks: u64) -> String {
    let terms = Terms::new::<Rts>(0, 2, &Army { seed: 7, units }).unwrap();
    let terms = Terms { last_tick: ticks, ..terms };
    play_alone(&terms, |_, _| {}).unwrap().checksum().to_string()
}

fn ends(skirmish: &Skirmish) -> [String; 2] {
    [0, 1].map(|side| skirmish.peer(side).state().unwrap().checksum().to_string())
}

/// Checks that the last ticks that both peers have are the same, and that there are so many.
fn assert_same(skirmish: &Skirmish, least: usize) {
    let [ours, theirs] = [0, 1].map(|side| skirmish.peer(side).sums().collect::<BTreeMap<_, _>>());
    let both: Vec<_> = ours.iter().filter_map(|(tick, sum)| Some((sum, theirs.get(tick)?))).collect();
    assert!(both.len() >= least && both.iter().all(|(ours, theirs)| ours == theirs), "{both:?}");
}

#[test]
fn the_worst_connections_stop_no_peer() {
    let mut skirmish = Skirmish::new(7, 5, 0).unwrap();
    skirmish.set_weather(Weather { latency: 300, jitter: 200, loss: 60, rubbish: 0 });
    play(&mut skirmish, 1_200, |skirmish| tick(skirmish, 0) >= 200 && tick(skirmish, 1) >= 200);
    assert_eq!([0, 1].map(|side| skirmish.peer(side).is_playing()), [true; 2]);
    assert_same(&skirmish, 20);
}

#[test]
fn scripts_come_to_the_same_in_any_weather() {
    let straight = straight(25, 300);
    let fair = Weather::default();
    for weather in [fair, Weather { latency: 60, jitter: 20, ..fair }, FOUL] {
        let mut skirmish = Skirmish::new(7, 25, 300).unwrap();
        skirmish.set_weather(weather);
        play(&mut skirmish, 400, |skirmish| skirmish.is_over());
        assert!([0, 1].iter().all(|&side| skirmish.peer(side).is_finished()), "{weather:?}");
        assert_eq!(ends(&skirmish), [straight.as_str(); 2], "{weather:?}");
        for side in [0, 1] {
            let replay = Replay::<Session<Rts>>::read(&skirmish.peer(side).recording()).unwrap();
            assert_eq!(replay.ticks().len(), 300);
            assert_eq!(verify(&replay, |_, _| {}).unwrap().divergence, None);
        }
    }
}

#[test]
fn bits_are_found_on_both_sides_and_healed() {
    for (side, place, phase, told) in [
        (1, "3:pos.x", "impacts", "body\tbody 3\nfield\tposition.x\n"),
        (0, "30:vel.y", "steering", "body\tbody 30\nfield\tmomentum.y\n"),
        (1, "game.units[12].health", "orders", "body\tunit 12\nfield\thealth\n"),
    ] {
        let mut skirmish = Skirmish::new(7, 20, 0).unwrap();
        skirmish.set_weather(Weather { latency: 40, jitter: 10, loss: 5, rubbish: 0 });
        play(&mut skirmish, 20, |skirmish| tick(skirmish, side) >= 100);
        skirmish.flip(side, &format!("{place}@{phase}")).unwrap();
        play(&mut skirmish, 60, |skirmish| {
            [0, 1].iter().all(|&side| skirmish.peer(side).finding().is_done())
        });
        for side in [0, 1] {
            let lines = skirmish.peer(side).finding().lines();
            assert!(lines.contains(told) && lines.contains(&format!("phase\t{phase}\n")), "{lines}");
        }
        let found = tick(&skirmish, 0);
        let mut news = [Vec::new(), Vec::new()];
        play(&mut skirmish, 60, |skirmish| {
            for (side, news) in news.iter_mut().enumerate() {
                news.extend(skirmish.peer_mut(side).news());
            }
            [0, 1].iter().all(|&side| tick(skirmish, side) > found + 100)
        });
        let gave_up = [0, 1].map(|side| skirmish.peer(side).given_up());
        assert_eq!(gave_up, [u32::from(side == 0), u32::from(side == 1)], "the one that was wrong");
        let told = "the state here is given up for another one".to_owned();
        assert_eq!(news.map(|news| news.contains(&told)), [side == 0, side == 1]);
        skirmish.end();
        assert!(skirmish.is_over() && skirmish.peer(side).ending().contains("left"));
        assert_same(&skirmish, 20);
    }
}

#[test]
fn orders_of_a_person_are_obeyed_on_both_sides() {
    let mut skirmish = Skirmish::new(7, 10, 0).unwrap();
    skirmish.set_weather(FOUL);
    play(&mut skirmish, 20, |skirmish| tick(skirmish, 0) >= 10);
    let to = Place { x: -(20 << 16), y: -(60 << 16) };
    skirmish.order(&Order::Gather { units: Units::of(0..10), to }).unwrap();
    let mut nearest = [i64::MAX; 2];
    play(&mut skirmish, 60, |skirmish| {
        for (side, nearest) in nearest.iter_mut().enumerate() {
            let state = skirmish.peer(side).state().unwrap();
            let body = state.game().units()[3].body.and_then(|body| state.world().body(body));
            let away = body.map_or(i64::MAX, |body| {
                let to = to.point() - body.position;
                to.raw().into_iter().map(i64::abs).max().unwrap_or_default()
            });
            *nearest = away.min(*nearest);
        }
        nearest.iter().all(|&away| away < 3 << 32)
    });
    assert_eq!(skirmish.peer(0).state().unwrap().game().refused(), 0);
}

#[test]
fn saved_matches_go_on() {
    let mut skirmish = Skirmish::new(7, 12, 0).unwrap();
    skirmish.set_weather(Weather { latency: 30, jitter: 5, loss: 0, rubbish: 0 });
    play(&mut skirmish, 20, |skirmish| tick(skirmish, 0) >= 60);
    skirmish.peer_mut(0).save().unwrap();
    let mut saved = None;
    play(&mut skirmish, 20, |skirmish| {
        saved = saved.take().or_else(|| skirmish.peer_mut(0).saved());
        saved.is_some()
    });
    let now = Replay::<Session<Rts>>::read(&skirmish.peer(1).recording()).unwrap();
    assert!(now.ticks().len() > 60, "what is recorded so far is whole: {}", now.ticks().len());
    assert_eq!(verify(&now, |_, _| {}).unwrap().divergence, None);
    let saved = saved.unwrap();
    let bytes = saved.encode();
    let mut again = Skirmish::load(&bytes).unwrap();
    play(&mut again, 20, |again| tick(again, 0) > saved.tick + 40 && tick(again, 1) > saved.tick + 40);
    assert_same(&again, 20);
    for at in (0..bytes.len()).step_by(97) {
        let mut bad = bytes.clone();
        bad[at] ^= 1;
        assert!(Skirmish::load(&bad).is_err(), "byte {at}");
    }
}

#[test]
fn opponents_come_to_blows() {
    let mut skirmish = Skirmish::new(7, 40, 0).unwrap();
    play(&mut skirmish, 120, |skirmish| {
        let alive = skirmish.peer(0).state().map(|state| state.game().alive());
        alive.is_some_and(|[a, b, ..]| a < 30 && b < 30)
    });
    assert!(tick(&skirmish, 0).abs_diff(tick(&skirmish, 1)) <= 2);
}

#[test]
fn numbers_that_no_match_has_are_named() {
    let error = |units, ticks| Skirmish::new(7, units, ticks).unwrap_err().to_string();
    assert_eq!(error(1_001, 0), "units is 1001, must be in 1..=1000 for each of 2 players");
    assert_eq!(error(10, 1 << 31), "last_tick is 2147483648, must be in 1..=1073741824");
    assert!(Skirmish::load(b"no match").is_err());
}
