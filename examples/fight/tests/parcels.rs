//! Bytes from the socket are a parcel of this match, or nothing.
#![allow(missing_docs)]

use bitstep::num::Rng;
use fight::link::{OPEN_KEY, Parcel, Progress, Refused, Terms};

const KEY: u64 = 12_345;

fn parcels() -> Vec<(Parcel, u64)> {
    let terms = Terms { session: KEY, script: Some(3), ticks: 900, rate: 60 };
    let progress = Progress { is_done: true, has_heard: false, has_left: false };
    vec![
        (Parcel::Knock, OPEN_KEY),
        (Parcel::Terms(terms), OPEN_KEY),
        (Parcel::Ticks((0..=255).collect()), KEY),
        (Parcel::Ticks(Vec::new()), KEY),
        (Parcel::Progress(progress), KEY),
    ]
}

#[test]
fn a_parcel_opens_under_its_key_and_no_other() {
    for (parcel, key) in parcels() {
        let bytes = parcel.seal(key);
        assert_eq!(Parcel::open(&bytes, key), Ok(parcel.clone()));
        for other in [0, KEY + 1, if key == KEY { OPEN_KEY } else { KEY }] {
            assert_eq!(Parcel::open(&bytes, other), Err(Refused), "{parcel:?}");
            // A parcel of a match is not taken before there is one, and the other way round, whatever its
            // seal.
            let sealed = parcel.seal(other);
            let fits = (key == OPEN_KEY) == (other == OPEN_KEY);
            assert_eq!(Parcel::open(&sealed, other).is_ok(), fits, "{parcel:?}");
        }
    }
}

#[test]
fn no_change_of_a_parcel_opens() {
    for (parcel, key) in parcels() {
        let bytes = parcel.seal(key);
        for at in 0..bytes.len() * 8 {
            let mut turned = bytes.clone();
            turned[at / 8] ^= 1 << (at % 8);
            assert_eq!(Parcel::open(&turned, key), Err(Refused), "{parcel:?}, bit {at}");
        }
        for length in 0..bytes.len() {
            assert_eq!(Parcel::open(&bytes[..length], key), Err(Refused), "{parcel:?}, {length} bytes");
        }
        assert_eq!(Parcel::open(&[&bytes[..], &[0]].concat(), key), Err(Refused));
    }
}

#[test]
fn drawn_bytes_are_refused_sealed_or_not() {
    let mut opened = 0;
    for round in 0..20_000 {
        let mut draws = Rng::new(5).at(0, 0, round);
        let length = draws.below(80);
        let bytes: Vec<u8> = (0..length).map(|_| draws.bits() as u8).collect();
        assert_eq!(Parcel::open(&bytes, KEY), Err(Refused));
        // A content that no program would send, sealed with the right key: an error or a parcel, never a
        // panic.
        let mut sealed = bytes;
        sealed.insert(0, draws.below(7) as u8);
        let check = xxhash_rust::xxh3::xxh3_64_with_seed(&sealed, KEY).to_le_bytes();
        sealed.extend(check);
        opened += u32::from(Parcel::open(&sealed, KEY).is_ok());
    }
    assert!(opened > 1_000, "{opened}");
}
