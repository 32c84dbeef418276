//! A part of a recording is a recording.

use bitstep::{
    World,
    replay::{Keyframes, Replay, ReplayError, clip, verify},
    session::{Simulation, TickLog},
    snapshot,
    tick::TickReport,
};

use crate::{again, golden, records, snapshots};

#[test]
fn every_tick_of_a_golden_stands_by_itself() {
    let replay = Replay::<World>::read(&golden("timeline")).unwrap();
    let expected = snapshots(&replay);
    for tick in 1..=replay.ticks().len() {
        let number = tick as u64;
        let part = Replay::<World>::read(&clip(&replay, number..=number, true).unwrap()).unwrap();
        assert!(snapshot::encode(part.initial_state()) == expected[tick - 1]);
        assert!(part.keyframes().len() == 1 && part.keyframes()[0].snapshot == expected[tick]);
        let (found, recorded) = (&part.ticks()[0], &replay.ticks()[tick - 1]);
        assert_eq!(
            (part.ticks().len(), &found.inputs, found.checksum),
            (1, &recorded.inputs, recorded.checksum)
        );
        let mut log = TickLog::states();
        let mut world = part.initial_state().clone();
        let _ = world.tick_logged(&found.inputs, &mut TickReport::default(), &mut log);
        assert_eq!((found.log(), log.tick, log.phases.len()), (Some(log.clone()), number, 5));
        assert_eq!(verify(&part, |_, _| ()).unwrap().divergence, None);
    }
}

#[test]
fn a_clip_of_everything_is_the_recording() {
    let bytes = again("timeline", Keyframes::Every(60));
    let replay = Replay::<World>::read(&bytes).unwrap();
    assert!(clip(&replay, 1..=360, false).unwrap() == bytes);
    let middle = clip(&replay, 100..=300, true).unwrap();
    let part = Replay::<World>::read(&middle).unwrap();
    assert_eq!(part.initial_state().tick_count(), 99);
    let keyframes: Vec<u64> = part.keyframes().iter().map(|keyframe| keyframe.tick).collect();
    assert_eq!(keyframes, [21, 81, 141, 201]);
    assert!(part.ticks().iter().all(|record| record.has_log()));
    // A part of a part is that part of the whole, its layers and notes with it.
    let again = clip(&part, 21..=40, false).unwrap();
    assert!(again == clip(&replay, 120..=139, true).unwrap());
}

#[test]
fn ticks_that_are_not_there_are_refused() {
    let replay = Replay::<World>::read(&golden("timeline")).unwrap();
    for (from, to) in [(0, 4), (5, 4), (1, 361), (361, 361), (u64::MAX, u64::MAX)] {
        let error = clip(&replay, from..=to, false).unwrap_err();
        assert_eq!(error, ReplayError::Clip { from, to, ticks: 360 });
    }
}

/// A recording of another run from tick 50 on: its tick 50 does not happen here.
fn diverged() -> Replay<World> {
    let mut parts = records::parts(&again("timeline", Keyframes::None));
    let tick = parts.iter().enumerate().filter(|(_, part)| part[0] == 3).nth(49).unwrap().0;
    let mut content = records::content(&parts[tick]).to_vec();
    content[0] ^= 1;
    parts[tick] = records::sealed(3, &content);
    Replay::read(&parts.concat()).unwrap()
}

#[test]
fn a_clip_says_what_the_recording_says_where_a_run_says_otherwise() {
    let replay = diverged();
    let part = Replay::<World>::read(&clip(&replay, 49..=50, true).unwrap()).unwrap();
    let [good, bad] = part.ticks() else { panic!("two ticks") };
    assert_eq!([good.checksum, bad.checksum], [48, 49].map(|index: usize| replay.ticks()[index].checksum));
    // Nothing is invented for a tick with another course.
    assert_eq!((good.has_log(), bad.has_log(), part.keyframes().len()), (true, false, 0));
    assert_eq!(part.final_checksum(), None);
    assert_eq!(verify(&part, |_, _| ()).unwrap().divergence.unwrap().tick, 2);
    let error = clip(&replay, 51..=51, true).unwrap_err();
    let ReplayError::NotReproducible { tick, recorded, found } = error else { panic!("{error}") };
    assert_eq!((tick, recorded), (50, found ^ 1));
}

#[test]
fn notes_and_the_rules_version_go_with_the_ticks() {
    let mut parts = records::parts(&golden("timeline"));
    let second = parts.iter().enumerate().filter(|(_, part)| part[0] == 3).nth(1).unwrap().0;
    parts.splice(second..second, [records::sealed(4, b"jump"), records::sealed(4, b"")]);
    let mut bytes = parts.concat();
    bytes[12..16].copy_from_slice(&777_u32.to_le_bytes());
    let replay = Replay::<World>::read(&bytes).unwrap();
    let part = Replay::<World>::read(&clip(&replay, 1..=3, false).unwrap()).unwrap();
    assert_eq!((part.rules_version(), part.ticks()), (777, &replay.ticks()[..3]));
    assert_eq!(part.ticks()[1].notes, [b"jump".to_vec(), Vec::new()]);
}
