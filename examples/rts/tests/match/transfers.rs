//! A state on its way: it arrives unchanged, or not at all.

use bitstep::{num::Rng, session::Simulation, snapshot::Checksum, tick::TickReport};
use rts::{
    initial_state,
    transfer::{Assembly, BadParcel, PARCEL_BYTES_MAX, Parcel, Terms, pieces},
    wire::{PIECE_BYTES_MAX, Piece, Turn},
};

use crate::played::terms;

fn parcel() -> Parcel {
    let terms = terms(3, 100);
    let mut state = initial_state(terms.seed, terms.players, terms.units).unwrap();
    for _ in 0..9 {
        state.tick(&[], &mut TickReport::default());
    }
    let turn = |number| Turn { number, orders: vec![(0, vec![0]), (2, vec![1, 2])], ..Turn::default() };
    Parcel::of(terms, &state, vec![turn(10), turn(11)])
}

#[test]
fn a_parcel_comes_back_as_it_was() {
    let parcel = parcel();
    let again = Parcel::decode(&parcel.encode()).unwrap();
    assert_eq!(again, parcel);
    let scenery = initial_state(1, 1, 1).unwrap().scenery().clone();
    assert_eq!(again.session(&scenery).unwrap().tick_count(), 9);
}

#[test]
fn no_change_of_a_parcel_is_taken() {
    let bytes = parcel().encode();
    for at in (0..bytes.len() * 8).step_by(3) {
        let mut turned = bytes.clone();
        turned[at / 8] ^= 1 << (at % 8);
        assert!(Parcel::decode(&turned).is_err(), "bit {at}");
    }
    for length in 0..bytes.len() {
        assert!(Parcel::decode(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert_eq!(Parcel::decode(&[&bytes[..], &[0]].concat()), Err(BadParcel::Damaged));
}

/// The bytes of a content forged with knowledge of the format.
fn forged(content: &[u8]) -> Vec<u8> {
    let mut bytes = parcel().encode()[..8].to_vec();
    bytes.extend(Checksum::of(content).0.to_le_bytes());
    bytes.extend(content);
    bytes
}

#[test]
fn a_forged_parcel_is_an_error_or_a_state() {
    let (sound, scenery) = (parcel().encode(), initial_state(1, 1, 1).unwrap().scenery().clone());
    let mut states = 0;
    for round in 0..4_000 {
        let mut draws = Rng::new(21).at(0, 0, round);
        let mut content = sound[24..].to_vec();
        for _ in 0..=draws.below(3) {
            let at = draws.below(content.len() as u64) as usize;
            content[at] = draws.bits() as u8;
        }
        content.truncate(content.len() - draws.below(8).saturating_sub(5) as usize);
        if let Ok(session) = Parcel::decode(&forged(&content)).and_then(|parcel| parcel.session(&scenery)) {
            // A state that is taken can be played.
            let mut session = session;
            session.tick(&[], &mut TickReport::default());
            states += 1;
        }
    }
    assert!(states > 100, "{states}");
}

#[test]
fn terms_that_cannot_be_are_refused_by_name() {
    let sound = terms(3, 100);
    let cases = [
        ("players", Terms { players: 5, ..sound }),
        ("players", Terms { players: 0, ..sound }),
        ("units", Terms { units: 501, ..sound }),
        ("units", Terms { units: 0, ..sound }),
        ("delay", Terms { delay: 0, ..sound }),
        ("delay", Terms { delay: 41, ..sound }),
        ("ticks", Terms { ticks: 0, ..sound }),
        ("rate", Terms { rate: 1_001, ..sound }),
    ];
    assert_eq!(sound.checked(), Ok(sound));
    for (field, terms) in cases {
        let error = terms.checked().unwrap_err();
        assert!(error.starts_with(&format!("{field} is ")), "{error}");
        assert!(Parcel::decode(&Parcel { terms, ..parcel() }.encode()).is_err());
    }
    let gap = Parcel { tick: 8, ..parcel() };
    assert!(matches!(Parcel::decode(&gap.encode()), Err(BadParcel::Field(_))));
    // The turn behind the largest number has no number.
    for tick in [1_000 + 1, u64::MAX - 1, u64::MAX] {
        let late = Parcel { tick, terms: terms(3, 1_000), ..parcel() };
        let error = Parcel::decode(&late.encode()).unwrap_err().to_string();
        assert!(error.contains(&format!("tick is {tick}, must be in 0..=1000")), "{error}");
    }
    let wrong = Parcel { tick: 8, turns: Vec::new(), ..parcel() };
    let scenery = initial_state(1, 1, 1).unwrap().scenery().clone();
    assert!(wrong.session(&scenery).unwrap_err().to_string().contains("tick 8 of a state of tick 9"));
}

#[test]
fn pieces_make_the_parcel_in_their_order_only() {
    let bytes: Vec<u8> = (0..PIECE_BYTES_MAX * 2 + 5).map(|index| index as u8).collect();
    let all: Vec<Piece> = pieces(7, 9, &bytes).collect();
    assert_eq!(all.len(), 3);
    let mut assembly = Assembly::default();
    assert_eq!(assembly.take(all[0].clone()), Ok(None));
    assert_eq!(assembly.take(all[1].clone()), Ok(None));
    assert_eq!(assembly.take(all[2].clone()), Ok(Some(bytes.clone())));
    // A new transfer discards an older one.
    let again: Vec<Piece> = pieces(8, 9, &bytes).collect();
    for piece in [&all[0], &all[1], &again[0], &again[1]] {
        assert_eq!(assembly.take(piece.clone()), Ok(None));
    }
    assert_eq!(assembly.take(again[2].clone()), Ok(Some(bytes)));

    let wrong = [
        vec![all[1].clone()],
        vec![all[0].clone(), all[2].clone()],
        vec![all[0].clone(), all[1].clone(), all[1].clone()],
        vec![all[0].clone(), again[1].clone()],
        vec![all[0].clone(), Piece { count: 4, ..all[1].clone() }],
        vec![Piece { count: (PARCEL_BYTES_MAX / PIECE_BYTES_MAX) as u32 + 2, ..all[0].clone() }],
        vec![Piece { count: 0, ..all[0].clone() }],
    ];
    for row in wrong {
        let mut assembly = Assembly::default();
        assert!(row.into_iter().any(|piece| assembly.take(piece).is_err()));
    }
}
