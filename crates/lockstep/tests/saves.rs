//! Saved matches: they go on to the bit, come back unchanged, or not at all.
#![allow(missing_docs)]

mod support;

use std::{fs, path::PathBuf};

use bitstep::{
    num::Rng,
    session::{Session, Simulation},
    snapshot::{Checksum, RULES_VERSION},
    tick::TickReport,
};
use bitstep_lockstep::{
    ClientEvent, Ending, Hub, Plan, SAVE_BYTES_MAX, SaveError, SavedMatch, Terms, TermsError, wire::Turn,
};
use support::{Herd, Pasture, Room, alone, terms};

/// The match of some terms, saved by a player right behind a tick.
fn saved_after(terms: &Terms, player: usize, tick: u64) -> SavedMatch {
    let mut room = Room::full(Plan::new(terms.clone()));
    let mut saved = None;
    while room.players.iter().any(|player| player.ending().is_none()) {
        let now = room.clock.get();
        room.relay.update(now, std::time::Duration::ZERO, |_| {});
        for (number, it) in room.players.iter_mut().enumerate() {
            it.update(now, |played| {
                support::give_orders(played);
                if number == player && played.state.tick_count() == tick {
                    played.save();
                }
            })
            .unwrap();
            let events = it.events().filter_map(|event| match event {
                ClientEvent::Saved(saved) => Some(*saved),
                _ => None,
            });
            saved = saved.or(events.last());
        }
        room.clock.set(now + std::time::Duration::from_millis(5));
    }
    // In the last ticks of a match some turns do not come.
    let at_end = room.players.drain(..).flat_map(|player| player.finish().unwrap().events);
    saved
        .or(at_end.into_iter().find_map(|event| match event {
            ClientEvent::Saved(saved) => Some(*saved),
            _ => None,
        }))
        .unwrap()
}

#[test]
fn matches_go_on_from_every_tick() {
    let terms = Terms { delay: 3, rate: 0, ..terms(2, 40) };
    let end = alone(&terms);
    for tick in 0..40 {
        let saved = saved_after(&terms, tick as usize % 2, tick);
        assert_eq!(
            (saved.tick, saved.turns.len() as u64),
            (tick, 3.min(40 - tick)),
            "with the turns under way"
        );
        let saved = SavedMatch::decode(&saved.encode()).unwrap();
        let mut room = Room::full(Plan::load(saved));
        room.play_on();
        for player in room.players {
            let outcome = player.finish().unwrap();
            assert_eq!((outcome.ending, outcome.compared), (Ending::Finished, Some(40)));
            assert_eq!(outcome.state.unwrap().checksum(), end.checksum(), "from tick {tick}");
        }
    }
}

#[test]
fn matches_of_other_lengths_and_rates_go_on_from_a_save() {
    let saved = saved_after(&terms(3, 40), 1, 25);
    let longer = Terms { last_tick: 90, rate: 120, ..saved.terms.clone() };
    let mut room = Room::full(Plan { terms: longer.clone(), ..Plan::load(saved.clone()) });
    room.play_on();
    let state = room.players.remove(0).finish().unwrap().state.unwrap();
    assert_eq!(state.checksum(), alone(&terms(3, 90)).checksum());
    // There must be something to play.
    let plan = Plan { terms: Terms { last_tick: 25, ..longer }, ..Plan::load(saved) };
    let error = Hub::new(plan).unwrap_err();
    assert!(matches!(error, TermsError::Range { field: "last_tick", value: 25, low: 26, .. }), "{error}");
}

fn sample() -> SavedMatch {
    let terms = terms(3, 100);
    let mut state = terms.initial_state::<Herd>().unwrap();
    (0..9).for_each(|_| state.tick(&[], &mut TickReport::default()));
    let turn = |number| Turn { number, orders: vec![(0, vec![0]), (2, vec![1, 2])], ..Turn::default() };
    SavedMatch::new(terms, &state, vec![turn(10), turn(11)])
}

fn state_of(saved: &SavedMatch) -> Result<Session<Herd>, SaveError> {
    let scenery = terms(1, 1).initial_state::<Herd>().unwrap().scenery().clone();
    saved.state::<Herd>(&scenery)
}

#[test]
fn a_saved_match_comes_back_as_it_was() {
    let saved = sample();
    let again = SavedMatch::decode(&saved.encode()).unwrap();
    assert_eq!(again, saved);
    assert_eq!(state_of(&again).unwrap().tick_count(), 9);
}

#[test]
fn no_change_of_a_saved_match_is_taken() {
    let bytes = sample().encode();
    for at in (0..bytes.len() * 8).step_by(3) {
        let mut turned = bytes.clone();
        turned[at / 8] ^= 1 << (at % 8);
        assert!(SavedMatch::decode(&turned).is_err(), "bit {at}");
    }
    for length in 0..bytes.len() {
        assert!(SavedMatch::decode(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(matches!(SavedMatch::decode(&[&bytes[..], &[0]].concat()), Err(SaveError::Damaged)));
    assert!(matches!(SavedMatch::decode(&vec![0; SAVE_BYTES_MAX + 1]), Err(SaveError::TooLarge(_))));
}

#[test]
fn a_forged_save_is_an_error_or_a_state() {
    let sound = sample().encode();
    let mut states = 0;
    for round in 0..4_000 {
        let mut draws = Rng::new(21).at(0, 0, round);
        let mut content = sound[24..].to_vec();
        for _ in 0..=draws.below(3) {
            let at = draws.below(content.len() as u64) as usize;
            content[at] = draws.bits() as u8;
        }
        content.truncate(content.len() - draws.below(8).saturating_sub(5) as usize);
        let forged = [&sound[..8], &Checksum::of(&content).0.to_le_bytes(), &content].concat();
        if let Ok(mut state) = SavedMatch::decode(&forged).and_then(|saved| state_of(&saved)) {
            state.tick(&[], &mut TickReport::default());
            states += 1;
        }
    }
    assert!(states > 100, "{states}");
}

#[test]
fn numbers_that_cannot_be_are_refused_by_name() {
    let sound = terms(3, 100);
    let cases = [
        ("players", Terms { players: 33, ..sound.clone() }),
        ("players", Terms { players: 0, ..sound.clone() }),
        ("delay", Terms { delay: 0, ..sound.clone() }),
        ("delay", Terms { delay: 41, ..sound.clone() }),
        ("last_tick", Terms { last_tick: 0, ..sound.clone() }),
        ("rate", Terms { rate: 1_001, ..sound.clone() }),
        ("options.len", Terms { options: vec![0; 16_385], ..sound.clone() }),
    ];
    assert_eq!(sound.clone().checked(), Ok(sound));
    for (field, terms) in cases {
        let error = terms.clone().checked().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{field} is ")), "{error}");
        let saved = SavedMatch { terms: terms.clone(), ..sample() };
        assert!(matches!(SavedMatch::decode(&saved.encode()), Err(SaveError::Field(_))));
        assert!(Hub::new(Plan::new(terms)).is_err());
    }
    let error = Terms::new::<Herd>(1, 2, &Pasture { seed: 1, animals: 201 }).unwrap_err();
    assert_eq!(error, TermsError::Game("animals is 201, must be in 0..=200".to_owned()));
    let gap = SavedMatch { tick: 8, ..sample() };
    assert!(matches!(SavedMatch::decode(&gap.encode()), Err(SaveError::Field(_))));
    // The turn behind the largest number has no number.
    for tick in [1_000 + 1, u64::MAX - 1, u64::MAX] {
        let late = SavedMatch { tick, terms: terms(3, 1_000), ..sample() };
        let error = SavedMatch::decode(&late.encode()).unwrap_err().to_string();
        assert!(error.contains(&format!("tick is {tick}, must be in 0..=1000")), "{error}");
    }
    let many = (10..15).map(|number| Turn { number, ..Turn::default() }).collect();
    let many = SavedMatch { turns: many, ..sample() };
    assert!(matches!(SavedMatch::decode(&many.encode()), Err(SaveError::Field(_))));
    let wrong = SavedMatch { tick: 8, turns: Vec::new(), ..sample() };
    assert!(state_of(&wrong).unwrap_err().to_string().contains("tick 8 of a state of tick 9"));
}

#[test]
fn matches_of_other_games_and_rules_are_refused_unless_migrated() {
    let scenery = terms(1, 1).initial_state::<Herd>().unwrap().scenery().clone();
    let with = |change: fn(&mut SavedMatch)| {
        let mut saved = sample();
        change(&mut saved);
        saved
    };
    let others = [
        with(|saved| saved.terms.game.name = "cattle".to_owned()),
        with(|saved| saved.terms.game.version = 2),
        with(|saved| saved.terms.game.version = 4),
        with(|saved| saved.terms.game.rules += 1),
    ];
    for saved in others {
        assert!(matches!(state_of(&saved), Err(SaveError::OtherGame { .. })), "{:?}", saved.terms.game);
        let error = saved.migrate::<Herd>(&scenery).unwrap_err().to_string();
        assert!(error.contains("`herd` version 3"), "{error}");
    }
    // Saved under the rules before these: it is refused as it is, and goes on when it is migrated.
    let older = with(|saved| {
        saved.terms.game.rules = RULES_VERSION - 1;
        Session::<Herd>::relabel(&mut saved.snapshot, RULES_VERSION - 1);
    });
    let error = state_of(&older).unwrap_err();
    assert!(matches!(error, SaveError::OlderRules { found } if found == RULES_VERSION - 1), "{error}");
    let migrated = older.clone().migrate::<Herd>(&scenery).unwrap();
    assert_eq!(migrated, sample());
    // A snapshot that has other rules than it is said to have is none.
    let mut lie = older;
    lie.terms.game.rules = RULES_VERSION;
    assert!(matches!(state_of(&lie), Err(SaveError::Field(_))));
}

/// A folder of its own, which is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let folder = Folder(std::env::temp_dir().join(format!("lockstep-saves-{}", std::process::id())));
    fs::create_dir_all(&folder.0).unwrap();
    let path = folder.0.join("match.save");
    sample().write(&path).unwrap();
    let later = SavedMatch { turns: Vec::new(), ..sample() };
    later.write(&path).unwrap();
    assert_eq!(SavedMatch::read(&path).unwrap(), later);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing else is left");
    // Where the new file cannot be made the old one stays.
    fs::create_dir(folder.0.join("match.save.part")).unwrap();
    assert!(sample().write(&path).is_err());
    assert_eq!(SavedMatch::read(&path).unwrap(), later);
    assert!(matches!(SavedMatch::read(folder.0.join("none")), Err(SaveError::File(_))));
    assert!(sample().write("/").is_err());
    fs::write(&path, b"# a text").unwrap();
    assert!(matches!(SavedMatch::read(&path), Err(SaveError::NotASave)));
}
