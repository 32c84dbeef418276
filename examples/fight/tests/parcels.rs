//! Bytes from the socket are a parcel, or are for the match.
#![allow(missing_docs)]

use bitstep::num::Rng;
use fight::link::{Parcel, Terms};

const PARCELS: [Parcel; 2] =
    [Parcel::Knock, Parcel::Terms(Terms { session: 5, script: Some(3), ticks: 900, rate: 60 })];

#[test]
fn a_parcel_opens_and_no_change_of_it_does() {
    for parcel in PARCELS {
        let bytes = parcel.seal();
        assert_eq!(Parcel::open(&bytes), Some(parcel));
        for at in 0..bytes.len() * 8 {
            let mut turned = bytes.clone();
            turned[at / 8] ^= 1 << (at % 8);
            assert_eq!(Parcel::open(&turned), None, "{parcel:?}, bit {at}");
        }
        assert!((0..bytes.len()).all(|length| Parcel::open(&bytes[..length]).is_none()));
        assert_eq!(Parcel::open(&[&bytes[..], &[0]].concat()), None);
    }
}

#[test]
fn drawn_bytes_are_no_parcel() {
    for round in 0..20_000 {
        let mut draws = Rng::new(5).at(0, 0, round);
        let bytes: Vec<u8> = (0..draws.below(80)).map(|_| draws.bits() as u8).collect();
        assert_eq!(Parcel::open(&bytes), None);
    }
}
