//! Packets from strangers are only counted.
#![allow(missing_docs)]

use bitstep::{num::Rng, session::Simulation};
use fight::{Input, script::script};
use page::{
    Weather,
    duel::{Duel, Parcel},
};

const TICKS: u64 = 600;

#[test]
fn rubbish_is_counted_and_nothing_else() {
    let mut duel = Duel::new(9, TICKS).unwrap();
    duel.set_weather(Weather { latency: 40, jitter: 30, loss: 5, rubbish: 100 });
    let mut given = 0;
    for frame in 0..TICKS * 3 {
        let mut draws = Rng::new(4).at(0, 0, frame);
        for side in [0, 1] {
            for _ in 0..10 {
                let bytes: Vec<u8> = (0..draws.below(200)).map(|_| draws.bits() as u8).collect();
                duel.receive(side, &bytes);
                given += 1;
            }
        }
        duel.advance();
    }
    assert!(duel.is_over());
    let refused: u64 = [0, 1].iter().map(|&side| duel.side(side).counts().refused).sum();
    assert!(refused > given && refused < given + duel.air(0).rubbish + duel.air(1).rubbish + 1);
    let straight = script(9, TICKS).unwrap().end.checksum();
    assert_eq!([0, 1].map(|side| duel.side(side).confirmed_state().checksum()), [straight; 2]);
}

/// Packets with the right key and an impossible content.
#[test]
fn packets_that_are_whole_and_cannot_be_true_are_refused() {
    let seed = 9;
    let key = seed ^ 0x6669_6768_7420_7061;
    let mut duel = Duel::new(seed, TICKS).unwrap();
    (0..30).for_each(|_| duel.advance());
    let refused = |duel: &Duel| duel.side(0).counts().refused;
    let keys = |first: u32, known: u32, count: usize| Parcel::Keys {
        first,
        known,
        lead: -128,
        keys: vec![Input(255); count],
    };
    let cases = [
        keys(0, 0, 1),
        keys(u32::MAX, 0, 1),
        keys(40, 0, 1),
        keys(1, 31, 0),
        keys(1, u32::MAX, 0),
        keys(20, 0, 64),
        Parcel::Ticks(Vec::new()),
        Parcel::Ticks(vec![0xb5; 700]),
    ];
    for (index, parcel) in cases.into_iter().enumerate() {
        assert_eq!(refused(&duel), index as u64);
        duel.receive(0, &parcel.seal(key));
        assert_eq!(refused(&duel), index as u64 + 1, "{parcel:?}");
    }
    (0..TICKS).for_each(|_| duel.advance());
    assert!(duel.is_over(), "{:?}", duel.side(0).counts());
    let straight = script(seed, TICKS).unwrap().end.checksum();
    assert_eq!([0, 1].map(|side| duel.side(side).confirmed_state().checksum()), [straight; 2]);
}
