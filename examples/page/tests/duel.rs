//! A match between two peers has the result of its script without a network, whatever the weather.
#![allow(missing_docs)]

use bitstep::session::Simulation;
use fight::{Input, script::script};
use page::{
    Weather,
    duel::{Duel, Side, WINDOW},
};

const TICKS: u64 = 900;

/// Plays a script to its end.
fn played(seed: u64, weather: Weather) -> Duel {
    let mut duel = Duel::new(seed, TICKS).unwrap();
    duel.set_weather(weather);
    for _ in 0..TICKS * 20 {
        duel.advance();
        if duel.is_over() {
            return duel;
        }
    }
    panic!("in {weather:?} it is not over: {:?} {:?}", duel.side(0).counts(), duel.side(1).counts());
}

fn sum(side: &Side) -> u128 {
    assert_eq!((side.tick(), side.confirmed(), side.compared()), (TICKS, TICKS, TICKS));
    assert_eq!(side.finding().tick(), None);
    side.confirmed_state().checksum().0
}

#[test]
fn a_duel_is_the_script_in_every_weather() {
    let straight = script(7, TICKS).unwrap().end.checksum().0;
    let fair = Weather::default();
    let weathers = [
        fair,
        Weather { latency: 60, jitter: 20, ..fair },
        Weather { latency: 120, jitter: 90, loss: 25, rubbish: 50 },
        Weather { latency: 400, loss: 60, ..fair },
        Weather { loss: 90, rubbish: 100, ..fair },
    ];
    for weather in weathers {
        let duel = played(7, weather);
        for side in [0, 1] {
            assert_eq!(sum(duel.side(side)), straight, "{weather:?}");
            let (counts, air) = (duel.side(side).counts(), duel.air(side));
            assert!(counts.deepest <= WINDOW);
            // The first one plays half a frame before the other, and so predicts one tick in any weather.
            assert_eq!(counts.deepest > 1 - side as u64, weather != fair, "{counts:?}");
            assert!(counts.rollbacks > 40 || (weather == fair && side == 1), "{counts:?}");
            assert_eq!(air.lost > 0, weather.loss > 0);
            // All rubbish that arrived is counted, and nothing else. Packets behind the end are not read.
            let other = duel.air(1 - side);
            assert!(counts.refused <= other.rubbish && counts.refused + 60 >= other.rubbish, "{counts:?}");
        }
    }
}

#[test]
fn a_link_too_slow_to_predict_over_stalls_and_loses_nothing() {
    let slow = played(3, Weather { latency: 250, ..Weather::default() });
    let counts = slow.side(0).counts();
    assert!(counts.stalls > 100, "{counts:?}");
    assert_eq!(sum(slow.side(0)), sum(slow.side(1)));
    let quick = played(3, Weather { latency: 30, ..Weather::default() });
    assert_eq!(quick.side(0).counts().stalls, 0);
}

/// A side that begins late does not have to predict everything: the one that is ahead waits.
#[test]
fn the_peer_ahead_waits_for_the_other() {
    let mut sides = [0, 1].map(|player| Side::new(fight::initial_state().unwrap(), player, 1).unwrap());
    let frame = |sides: &mut [Side; 2], player: usize| {
        let mut packets = Vec::new();
        sides[player].frame(u64::MAX, |_, _| Input::NONE, &mut |packet| packets.push(packet.to_vec()));
        packets.iter().for_each(|packet| sides[1 - player].receive(packet));
    };
    (0..9).for_each(|_| frame(&mut sides, 0));
    assert_eq!((sides[0].tick(), sides[1].tick()), (8, 0), "it has waited once already");
    for _ in 0..120 {
        frame(&mut sides, 1);
        frame(&mut sides, 0);
    }
    let ahead = sides[0].tick() - sides[1].tick();
    assert!(ahead <= 3, "{ahead}, {:?}", sides[0].counts());
    assert_eq!(sides.each_ref().map(|side| side.counts().waits > 0), [true, false]);
}

#[test]
fn people_take_over_and_both_peers_see_the_same() {
    let mut duel = Duel::new(5, 600).unwrap();
    duel.set_weather(Weather { latency: 50, jitter: 30, loss: 10, rubbish: 10 });
    (0..100).for_each(|_| duel.advance());
    assert_eq!(duel.last(), Some(600));
    duel.hold(0, Input::LEFT); // no person plays there yet
    duel.take_over(0, true);
    assert_eq!((duel.last(), duel.is_person(0), duel.is_person(1)), (None, true, false));
    let before = duel.side(0).state().game().fighters[0].clone();
    for frame in 0..1_200_u64 {
        let keys = [Input::RIGHT, Input::RIGHT.and(Input::JUMP), Input::PUNCH, Input::LEFT.and(Input::KICK)];
        duel.hold(0, keys[(frame / 7 % 4) as usize]);
        duel.advance();
    }
    assert_ne!(duel.side(0).state().game().fighters[0], before);
    let both = [0, 1].map(|side| duel.side(side));
    assert!(both.iter().all(|side| side.confirmed() > 1_100 && side.compared() > 1_000));
    let last = both[0].sums().last().unwrap();
    assert!(both[1].sums().any(|sum| sum == last), "{last:?}");
    assert!(both.iter().all(|side| side.finding().tick().is_none()));
    duel.take_over(0, false);
    assert!(!duel.is_person(0));
}

/// A key that is held is predicted to stay held, from the first tick in which it is known.
#[test]
fn no_peer_goes_back_while_keys_stay_as_they_are() {
    let mut duel = Duel::new(5, 0).unwrap();
    duel.set_weather(Weather { latency: 100, ..Weather::default() });
    [0, 1].into_iter().for_each(|player| duel.take_over(player, true));
    for frame in 0..400_u64 {
        let keys = if frame / 40 % 2 == 0 { Input::NONE } else { Input::RIGHT };
        duel.hold(0, keys);
        duel.advance();
    }
    let rollbacks = [0, 1].map(|side| duel.side(side).counts().rollbacks);
    assert_eq!(rollbacks, [0, 9], "once for each change of the other's keys");
}

#[test]
fn a_script_that_is_too_long_is_refused() {
    let error = Duel::new(1, 18_001).unwrap_err().to_string();
    assert_eq!(error, "ticks is 18001, must be in 0..=18000");
}
