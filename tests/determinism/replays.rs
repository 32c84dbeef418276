//! Recordings verify, name the tick that differs, and are never trusted when damaged.

use std::ops::ControlFlow;

use bitstep::{
    replay::{Fault, Recorder, Replay, play, verify, verify_while},
    snapshot::{self, RULES_VERSION},
    tick::TickReport,
};

use crate::{
    records::{content, parts, sealed},
    restore::{commands, crowd},
};

const TICKS: u64 = 90;

fn recording() -> Vec<u8> {
    let mut world = crowd("0.7");
    let mut recorder = Recorder::with_keyframes(Vec::new(), &world, 40).unwrap();
    let mut report = TickReport::default();
    for tick in 0..TICKS {
        if tick % 7 == 0 {
            recorder.note(&tick.to_le_bytes()).unwrap();
        }
        let _ = world.tick(&commands(tick), &mut report);
        recorder.tick(&commands(tick), &world).unwrap();
    }
    recorder.finish().unwrap()
}

#[test]
fn a_recording_verifies_and_holds_what_was_given() {
    let replay = Replay::<bitstep::World>::read(&recording()).unwrap();
    let mut seen = 0;
    let verdict = verify(&replay, |_, _| seen += 1).unwrap();
    assert_eq!((verdict.ticks, seen, verdict.divergence), (TICKS, TICKS, None));
    assert_eq!(Some(verdict.checksum), replay.final_checksum());
    assert_eq!(replay.keyframes().iter().map(|keyframe| keyframe.tick).collect::<Vec<_>>(), [40, 80]);
    for (tick, record) in (0..).zip(replay.ticks()) {
        assert_eq!(record.inputs, commands(tick));
        assert_eq!(record.notes, if tick % 7 == 0 { vec![tick.to_le_bytes().to_vec()] } else { vec![] });
    }
}

#[test]
fn a_verification_that_is_stopped_is_a_verdict_on_the_ticks_so_far() {
    let bytes = recording();
    let stopped_after = |bytes: &[u8], tick: u64| {
        let replay = Replay::<bitstep::World>::read(bytes).unwrap();
        let verdict = verify_while(&replay, |world, _| {
            if world.tick_count() < tick { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let verdict = verdict.unwrap();
        let checksum = verdict.checksum.short();
        assert_eq!(
            checksum == replay.ticks()[verdict.ticks as usize - 1].checksum,
            verdict.divergence.is_none()
        );
        (verdict.ticks, verdict.divergence.map(|divergence| divergence.tick))
    };
    assert_eq!([1, 33, TICKS, TICKS + 1].map(|tick| stopped_after(&bytes, tick).0), [1, 33, TICKS, TICKS]);
    // The record of tick 33 says something else.
    let mut parts = parts(&bytes);
    let record = parts[1..].iter_mut().filter(|record| record[0] == 3).nth(32).unwrap();
    let mut changed = content(record).to_vec();
    changed[0] ^= 1;
    *record = sealed(3, &changed);
    let bytes = parts.concat();
    assert_eq!(stopped_after(&bytes, 32), (32, None));
    // A divergence is found in the tick in which it is stopped, too.
    assert_eq!([33, 34].map(|tick| stopped_after(&bytes, tick)), [(33, Some(33)); 2]);
}

#[test]
fn a_recording_plays_without_comparing() {
    let replay = Replay::<bitstep::World>::read(&recording()).unwrap();
    let mut found = Vec::new();
    play(&replay, |world, report| {
        found.push((snapshot::checksum(world).short(), report.outcomes.len()));
    });
    let recorded: Vec<_> =
        replay.ticks().iter().map(|record| (record.checksum, record.inputs.len())).collect();
    assert_eq!(found, recorded);
}

#[test]
fn a_changed_checksum_is_found_at_its_tick() {
    let bytes = recording();
    let mut world = crowd("0.7");
    let mut report = TickReport::default();
    // The same commands but for one push: the recording of this run differs from tick 33 on.
    let mut recorder = Recorder::with_keyframes(Vec::new(), &world, 40).unwrap();
    for tick in 0..TICKS {
        let _ = world.tick(&commands(tick), &mut report);
        if tick == 32 {
            let (body, _) = world.bodies().next().unwrap();
            let impulse = bitstep::geom::Vec3::from_raw([1, 0, 0]);
            assert!(
                world.apply(&[bitstep::state::Command::ApplyImpulse { body, impulse }]).outcomes[0].is_ok()
            );
        }
        recorder.tick(&commands(tick), &world).unwrap();
    }
    let injected = recorder.finish().unwrap();
    let divergence =
        verify(&Replay::<bitstep::World>::read(&injected).unwrap(), |_, _| ()).unwrap().divergence.unwrap();
    assert_eq!((divergence.tick, divergence.comparison.values_at), (33, Some(40)));
    let first = divergence.comparison.difference.unwrap();
    assert!(first.path.starts_with("slots["), "{first}");
    assert_ne!(bytes, injected);
}

#[test]
fn another_rules_version_is_refused_with_both_numbers() {
    let mut bytes = recording();
    bytes[12] += 1;
    let replay = Replay::<bitstep::World>::read(&bytes).unwrap();
    let text = verify(&replay, |_, _| ()).unwrap_err().to_string();
    assert!(text.contains(&format!("rules version {}", RULES_VERSION + 1)), "{text}");
    assert!(text.contains(&format!("this build has rules version {RULES_VERSION}")), "{text}");
}

#[test]
fn a_file_cut_anywhere_is_an_error_at_its_end() {
    let bytes = recording();
    for end in 0..bytes.len() {
        let error = Replay::<bitstep::World>::read(&bytes[..end]).unwrap_err();
        let damage = error.damage().unwrap();
        assert!(damage.at <= end as u64, "cut at {end}: {error}");
        if end >= 16 {
            assert!(matches!(damage.fault, Fault::CutShort { .. }), "cut at {end}: {error}");
        }
    }
}

#[test]
fn a_flipped_bit_is_an_error_or_another_rules_version() {
    let bytes = recording();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        match Replay::<bitstep::World>::read(&damaged) {
            Ok(replay) => assert!((12..16).contains(&at) && replay.rules_version() != RULES_VERSION, "{at}"),
            Err(error) => assert!(error.damage().unwrap().at <= at as u64, "flipped at {at}: {error}"),
        }
    }
}

#[test]
fn damaged_snapshots_are_errors_or_sound_worlds() {
    let world = crowd("0.7");
    let bytes = snapshot::encode(&world);
    let mut sound = 0;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            if let Ok(mut world) = snapshot::decode(&damaged, world.scenery()) {
                assert_eq!(snapshot::encode(&world)[12..], damaged[12..], "one encoding per world");
                world.step(&mut TickReport::default());
                sound += 1;
            }
        }
        assert!(snapshot::decode(&bytes[..at], world.scenery()).is_err());
    }
    assert!(sound > 1_000, "{sound}");
    let mut longer = bytes;
    longer.push(0);
    assert!(snapshot::decode(&longer, world.scenery()).is_err());
}

#[test]
fn a_note_that_no_tick_follows_is_refused() {
    let mut recorder = Recorder::new(Vec::new(), &crowd("1")).unwrap();
    recorder.note(b"too late").unwrap();
    assert_eq!(recorder.finish().unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}
