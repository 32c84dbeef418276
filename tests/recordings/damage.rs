//! A damaged file plays up to the damage, says where it is, and is repaired into a shorter one.

use bitstep::{
    World,
    replay::{Damage, Fault, Keyframes, Repaired, Replay, repair, rules_version_of, verify},
    snapshot::RULES_VERSION,
};

use crate::{again, golden, records};

/// A small golden.
const NAME: &str = "squeeze";

const TICK: u8 = 3;
const NOTE: u8 = 4;

/// Where the records of a file begin, and of which kind they are; the last place is the end of the file.
fn places(bytes: &[u8]) -> Vec<(usize, u8)> {
    let mut at = 0;
    let mut places: Vec<_> = records::parts(bytes)
        .iter()
        .map(|part| {
            at += part.len();
            (at - part.len(), part[0])
        })
        .collect();
    places.push((at, 0));
    places
}

/// The record in which a byte lies, and the number of whole ticks before it.
fn expected(places: &[(usize, u8)], at: usize) -> (u64, usize) {
    let record = places.iter().rposition(|(place, _)| *place <= at).unwrap();
    let ticks = places[1..record.max(1)].iter().filter(|(_, kind)| *kind == TICK).count();
    (places[record].0 as u64, ticks)
}

/// Reads damaged bytes, and asserts that the ticks before the damage are all there.
fn assert_plays_up_to(
    whole: &Replay<World>,
    damaged: &[u8],
    (at, ticks): (u64, usize),
) -> (Replay<World>, Damage) {
    let (replay, damage) = Replay::<World>::read_to_damage(damaged).unwrap();
    let damage = damage.unwrap_or_else(|| panic!("no damage found at {at}"));
    assert_eq!(damage.at, at, "{damage}");
    match damage.fault {
        Fault::CutShort { ticks: found } | Fault::Damaged { ticks: found } => assert_eq!(found, ticks as u64),
        other => panic!("{at}: {other}"),
    }
    assert_eq!(replay.ticks(), &whole.ticks()[..ticks], "damage at {at}");
    (replay, damage)
}

/// Repairs damaged bytes, too.
fn assert_repairable(whole: &Replay<World>, damaged: &[u8], place: (u64, usize)) -> Repaired {
    let (replay, damage) = assert_plays_up_to(whole, damaged, place);
    assert_eq!(Replay::<World>::read(damaged).unwrap_err().damage(), Some(&damage));
    let repaired = repair::<World>(damaged).unwrap();
    assert_eq!((repaired.ticks, repaired.damage.as_ref()), (place.1 as u64, Some(&damage)));
    let shorter = Replay::<World>::read(&repaired.bytes).unwrap();
    assert_eq!(shorter.ticks(), replay.ticks());
    assert_eq!((shorter.keyframes(), shorter.checks()), (replay.keyframes(), replay.checks()));
    repaired
}

fn assert_verifies(repaired: &Repaired) {
    let replay = Replay::<World>::read(&repaired.bytes).unwrap();
    let verdict = verify(&replay, |_, _| ()).unwrap();
    assert_eq!((verdict.ticks, verdict.divergence), (repaired.ticks, None));
    let again = repair::<World>(&repaired.bytes).unwrap();
    assert_eq!((&again.bytes, again.damage), (&repaired.bytes, None));
}

/// A golden without keyframes, and with some.
fn files() -> [Vec<u8>; 2] {
    let files = [Keyframes::None, Keyframes::Every(50)].map(|keyframes| again(NAME, keyframes));
    let [without, with] = files.each_ref().map(|bytes| Replay::<World>::read(bytes).unwrap());
    assert!(without.keyframes().is_empty() && !without.checks().is_empty());
    assert!(with.keyframes().len() == 2 && !with.checks().is_empty());
    files
}

#[test]
fn a_golden_cut_at_every_byte_plays_up_to_there() {
    files().iter().for_each(|bytes| cut_everywhere(bytes));
}

fn cut_everywhere(bytes: &[u8]) {
    let (whole, places) = (Replay::<World>::read(bytes).unwrap(), places(bytes));
    let first = places[3].0;
    for end in 0..first {
        let error = Replay::<World>::read_to_damage(&bytes[..end]).unwrap_err();
        assert!(
            error.damage().unwrap().at <= end as u64 && repair::<World>(&bytes[..end]).is_err(),
            "{error}"
        );
    }
    let mut verified = 0;
    for end in first..bytes.len() {
        let repaired = assert_repairable(&whole, &bytes[..end], expected(&places, end));
        if end % 17 == 0 {
            assert_verifies(&repaired);
            // Without a repair, it verifies as far as it goes.
            let (replay, _) = Replay::<World>::read_to_damage(&bytes[..end]).unwrap();
            let verdict = verify(&replay, |_, _| ()).unwrap();
            assert_eq!((verdict.ticks, verdict.divergence), (repaired.ticks, None));
            verified += 1;
        }
    }
    assert!(verified > 50, "{verified}");
}

#[test]
fn a_golden_with_any_bit_flipped_plays_up_to_there() {
    let [golden, with_keyframes] = files();
    flip_everywhere(&golden, 8);
    flip_everywhere(&with_keyframes, 1);
}

/// Flips some bits of every byte.
fn flip_everywhere(bytes: &[u8], bits: usize) {
    let (whole, places) = (Replay::<World>::read(bytes).unwrap(), places(bytes));
    let first = places[3].0;
    let mut damaged = bytes.to_vec();
    for (at, bit) in (0..bytes.len()).flat_map(|at| (0..bits).map(move |more| (at, (at + more) % 8))) {
        damaged[at] ^= 1 << bit;
        if (12..16).contains(&at) {
            let (replay, damage) = Replay::<World>::read_to_damage(&damaged).unwrap();
            assert!(damage.is_none() && replay.rules_version() != RULES_VERSION);
        } else if at < first {
            let error = Replay::<World>::read_to_damage(&damaged).unwrap_err();
            assert_eq!(error.damage().unwrap().at, expected(&places, at).0, "{error}");
        } else if bit != at % 8 {
            assert_plays_up_to(&whole, &damaged, expected(&places, at));
        } else {
            let repaired = assert_repairable(&whole, &damaged, expected(&places, at));
            if at % 61 == 0 {
                assert_verifies(&repaired);
            }
        }
        damaged[at] = bytes[at];
    }
}

#[test]
fn damage_before_the_first_tick_comes_after_no_whole_ticks() {
    let bytes = golden(NAME);
    let places = places(&bytes);
    for record in [1, 2] {
        let (at, last) = (places[record].0, places[record + 1].0 - 1);
        let mut flipped = bytes.clone();
        flipped[last] ^= 1;
        let faults = [Fault::CutShort { ticks: 0 }, Fault::Damaged { ticks: 0 }];
        for (damaged, fault) in [&bytes[..last], &flipped].into_iter().zip(faults) {
            let error = Replay::<World>::read_to_damage(damaged).unwrap_err();
            let damage = error.damage().unwrap();
            assert_eq!((damage.at, &damage.fault), (at as u64, &fault));
        }
    }
}

#[test]
fn repairing_a_whole_file_gives_it_back() {
    for name in ["squeeze", "timeline"] {
        let bytes = golden(name);
        let repaired = repair::<World>(&bytes).unwrap();
        assert_eq!((repaired.bytes == bytes, repaired.damage), (true, None), "{name}");
    }
}

#[test]
fn bytes_after_the_end_are_cut_off_and_the_last_checksum_stays() {
    let bytes = golden(NAME);
    let longer = [&bytes[..], b"more"].concat();
    let (replay, damage) = Replay::<World>::read_to_damage(&longer).unwrap();
    let Damage { at, fault, .. } = damage.unwrap();
    assert_eq!((at, replay.final_checksum().is_some()), (bytes.len() as u64, true));
    assert!(matches!(fault, Fault::Misplaced { reason: "comes after the end record", .. }), "{fault}");
    assert_eq!(repair::<World>(&longer).unwrap().bytes, bytes);
}

#[test]
fn records_of_a_lost_tick_are_lost_with_it() {
    let mut parts = records::parts(&golden(NAME));
    let second = parts.iter().enumerate().filter(|(_, part)| part[0] == TICK).nth(1).unwrap().0;
    parts.insert(second, records::sealed(NOTE, b"jump"));
    let place: usize = parts[..second].iter().map(Vec::len).sum();
    let cut = parts[..=second].concat();
    let repaired = repair::<World>(&cut).unwrap();
    assert_eq!((repaired.ticks, repaired.damage.unwrap().at), (1, cut.len() as u64));
    assert_eq!(repaired.bytes[16..place], cut[16..place]);
    assert_eq!(repaired.bytes[place..], records::sealed(6, &1_u64.to_le_bytes()));
}

#[test]
fn a_repair_keeps_the_rules_version() {
    let mut bytes = golden(NAME);
    bytes[12..16].copy_from_slice(&777_u32.to_le_bytes());
    let repaired = repair::<World>(&bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(Replay::<World>::read(&repaired.bytes).unwrap().rules_version(), 777);
    assert_eq!(rules_version_of(&repaired.bytes), Ok(777));
    assert_eq!(rules_version_of(&bytes[..15]).unwrap_err().to_string(), "byte 0: not a bitstep replay");
}

#[test]
fn files_with_any_other_head_are_no_recordings() {
    let bytes = golden(NAME);
    for at in 0..12 {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        let expected = match at {
            0..8 => "byte 0: not a bitstep replay".to_owned(),
            _ => format!(
                "byte 0: replay format {}, this build reads 1",
                u16::from(other[8]) + 256 * u16::from(other[9])
            ),
        };
        assert_eq!(Replay::<World>::read(&other).unwrap_err().to_string(), expected, "{at}");
        assert_eq!(rules_version_of(&other).unwrap_err().to_string(), expected, "{at}");
    }
}
