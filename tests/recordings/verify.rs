//! Everything that a recording says of a tick is compared, and nothing else.

use std::ops::ControlFlow;

use bitstep::{
    World,
    replay::{Fault, Keyframes, Replay, clip, encode_log_into, rules_version_of, verify, verify_while},
    snapshot::Checksum,
};

use crate::{again, golden, records, snapshots};

const TICK: u8 = 3;
const LAYER: u8 = 8;

#[test]
fn a_verification_stops_where_it_is_told_to() {
    let replay = Replay::<World>::read(&golden("squeeze")).unwrap();
    let sums: Vec<Checksum> = snapshots(&replay).iter().map(|snapshot| Checksum::of(snapshot)).collect();
    for most in [1, 2, 7] {
        let mut seen = 0;
        let verdict = verify_while(&replay, |_, report| {
            seen += 1;
            if report.tick == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        assert_eq!((verdict.ticks, seen, verdict.divergence), (most, most, None));
        assert_eq!(verdict.checksum, sums[most as usize]);
    }
}

#[test]
fn a_checksum_is_recorded_after_its_own_tick_only() {
    let replay = Replay::<World>::read(&again("squeeze", Keyframes::Every(50))).unwrap();
    let sums: Vec<Checksum> = snapshots(&replay).iter().map(|snapshot| Checksum::of(snapshot)).collect();
    let last = sums.len() - 1;
    for tick in [0, 1, 2, 49, 50, 51, last - 1, last] {
        assert!(replay.is_recorded(tick as u64, sums[tick]), "{tick}");
        assert!(!replay.is_recorded(tick as u64, sums[if tick == 0 { 1 } else { tick - 1 }]), "{tick}");
        let high = Checksum(sums[tick].0 ^ 1 << 127);
        let is_whole = tick == 0 || tick % 50 == 0 || tick == last;
        assert_eq!(replay.is_recorded(tick as u64, high), !is_whole, "the high half after {tick}");
    }
    assert!(!replay.is_recorded(sums.len() as u64, sums[last]), "no tick beyond the last");
    assert!(!replay.is_recorded(u64::MAX, sums[last]));
}

#[test]
fn a_layer_of_another_course_is_a_divergence() {
    let whole = Replay::<World>::read(&golden("squeeze")).unwrap();
    let part = clip(&whole, 1..=5, true).unwrap();
    let mut log = Replay::<World>::read(&part).unwrap().ticks()[3].log().unwrap();
    assert!(log.phases.len() > 2);
    log.phases.remove(1);
    let mut content = Vec::new();
    encode_log_into(&log, &mut content).unwrap();
    let mut parts = records::parts(&part);
    let fourth = parts.iter().enumerate().filter(|(at, part)| *at > 0 && part[0] == LAYER).nth(3).unwrap().0;
    parts[fourth] = records::sealed(LAYER, &content);
    let replay = Replay::<World>::read(&parts.concat()).unwrap();
    let divergence = verify(&replay, |_, _| ()).unwrap().divergence.unwrap();
    assert_eq!((divergence.tick, divergence.recorded), (4, divergence.found));
    assert!(divergence.comparison.phase.is_some());
}

#[test]
fn a_format_is_told_by_both_of_its_bytes() {
    let mut bytes = golden("squeeze");
    bytes[9] = 1;
    let error = rules_version_of(&bytes).unwrap_err();
    assert_eq!(error.damage().unwrap().fault, Fault::Format { found: 257 });
}

#[test]
fn an_end_without_ticks_repeats_the_initial_checksum() {
    let bytes = golden("squeeze");
    let parts = records::parts(&bytes);
    assert!(parts[1..3].iter().all(|part| part[0] != TICK));
    let initial = Checksum::of(records::content(&parts[2]));
    let ending_in = |checksum: Checksum| {
        let end = [[0; 8].as_slice(), &checksum.0.to_le_bytes()].concat();
        [parts[..3].concat(), records::sealed(6, &end)].concat()
    };
    let whole = Replay::<World>::read(&ending_in(initial)).unwrap();
    assert_eq!(whole.final_checksum(), Some(initial));
    let error = Replay::<World>::read(&ending_in(Checksum(initial.0 ^ 1))).unwrap_err().to_string();
    assert!(error.contains("of no ticks has another checksum than the initial state"), "{error}");
}
