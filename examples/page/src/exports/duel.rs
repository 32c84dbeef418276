//! The functions that JavaScript calls for a fight.

use bitstep::session::Simulation;
use fight::Input;

use super::{put_numbers, side_of};
use crate::{
    border::{Kept, with},
    duel::{
        Duel, draw,
        solo::{Solo, fields_of, straight},
    },
    weather::Weather,
};

/// Opens a session alone, instead of the one before.
#[unsafe(no_mangle)]
pub extern "C" fn solo_open() -> u32 {
    with(|kept| {
        let opened = Solo::new().map(|solo| kept.solo = Some(solo));
        kept.tell(opened)
    })
}

/// Plays a tick of it with the keys of both players, a bit for each key.
#[unsafe(no_mangle)]
pub extern "C" fn solo_tick(left: u32, right: u32) {
    with(|kept| {
        if let Some(solo) = &mut kept.solo {
            solo.tick([left, right].map(|keys| Input(keys as u8)));
        }
    });
}

/// Its checksum: 32 letters of hexadecimal.
#[unsafe(no_mangle)]
pub extern "C" fn solo_checksum() -> u32 {
    out_of_solo(|solo, bytes| bytes.extend(solo.state().checksum().to_string().bytes()))
}

/// Its snapshot.
#[unsafe(no_mangle)]
pub extern "C" fn solo_save() -> u32 {
    out_of_solo(Solo::save)
}

/// Continues from the snapshot in the input; 0, or the length of the error text.
#[unsafe(no_mangle)]
pub extern "C" fn solo_load() -> u32 {
    with(|kept| {
        let Kept { solo, input, .. } = kept;
        let loaded = solo.as_mut().map_or(Ok(()), |solo| solo.load(input));
        kept.tell(loaded)
    })
}

/// Every number of its state: a line each, path, tab, value.
#[unsafe(no_mangle)]
pub extern "C" fn solo_fields() -> u32 {
    out_of_solo(|solo, bytes| bytes.extend(solo.fields().bytes()))
}

/// Its picture.
#[unsafe(no_mangle)]
pub extern "C" fn solo_picture() -> u32 {
    out_of_solo(|solo, bytes| draw(solo.state(), &mut |number| bytes.extend(number.to_le_bytes())))
}

/// Plays a script without a network: checksum and outcome, a line each.
#[unsafe(no_mangle)]
pub extern "C" fn script_end(seed: u32, ticks: u32) -> u32 {
    with(|kept| match straight(seed.into(), ticks.into()) {
        Ok((_, text)) => kept.give(text.as_bytes()),
        Err(error) => kept.give(format!("error\t{error}\n").as_bytes()),
    })
}

/// The keys of both players in a script: two bytes for each tick.
#[unsafe(no_mangle)]
pub extern "C" fn script_keys(seed: u32, ticks: u32) -> u32 {
    with(|kept| {
        let keys = straight(seed.into(), ticks.into()).map(|(keys, _)| keys).unwrap_or_default();
        kept.give(&keys)
    })
}

/// Opens a match between two peers: of a script, or with 0 ticks one without an end. 0, or the length of the
/// error text.
#[unsafe(no_mangle)]
pub extern "C" fn duel_open(seed: u32, ticks: u32) -> u32 {
    with(|kept| {
        let opened = Duel::new(seed.into(), ticks.into()).map(|duel| kept.duel = Some(duel));
        kept.tell(opened)
    })
}

/// Changes the weather: milliseconds, milliseconds, percent, percent. 0, or the length of the error text.
#[unsafe(no_mangle)]
pub extern "C" fn duel_weather(latency: u32, jitter: u32, loss: u32, rubbish: u32) -> u32 {
    with(|kept| {
        let weather = Weather { latency, jitter, loss, rubbish }.checked();
        let changed = weather.map(|weather| kept.duel.iter_mut().for_each(|duel| duel.set_weather(weather)));
        kept.tell(changed)
    })
}

/// A person takes a player over (1), or gives it back (0).
#[unsafe(no_mangle)]
pub extern "C" fn duel_person(player: u32, is_person: u32) {
    with(|kept| kept.duel.iter_mut().for_each(|duel| duel.take_over(side_of(player), is_person != 0)));
}

/// The keys of a person.
#[unsafe(no_mangle)]
pub extern "C" fn duel_hold(player: u32, keys: u32) {
    with(|kept| kept.duel.iter_mut().for_each(|duel| duel.hold(side_of(player), Input(keys as u8))));
}

/// Advances both peers by one frame; 1 once a script is over and compared.
#[unsafe(no_mangle)]
pub extern "C" fn duel_advance() -> u32 {
    with(|kept| {
        kept.duel.as_mut().is_some_and(|duel| {
            duel.advance();
            duel.is_over()
        })
    })
    .into()
}

/// The numbers of a side: 16 of 32 bits.
#[unsafe(no_mangle)]
pub extern "C" fn duel_numbers(side: u32) -> u32 {
    out_of_duel(|duel, bytes| {
        let (peer, air) = (duel.side(side_of(side)), duel.air(side_of(side)));
        let counts = peer.counts();
        let numbers = [
            peer.tick(),
            peer.confirmed(),
            peer.compared(),
            duel.last().unwrap_or(0),
            counts.depth,
            counts.rollbacks,
            counts.replayed,
            counts.deepest,
            counts.stalls,
            counts.waits,
            counts.taken,
            counts.refused,
            air.sent,
            air.lost,
            air.rubbish,
            u64::from(duel.is_person(side_of(side))),
        ];
        put_numbers(bytes, &numbers);
    })
}

/// The picture of a side: predicted (0), or confirmed (1).
#[unsafe(no_mangle)]
pub extern "C" fn duel_picture(side: u32, is_confirmed: u32) -> u32 {
    out_of_duel(|duel, bytes| {
        let side = duel.side(side_of(side));
        let state = if is_confirmed == 0 { side.state() } else { side.confirmed_state() };
        draw(state, &mut |number| bytes.extend(number.to_le_bytes()));
    })
}

/// The checksums of a side's last confirmed ticks: a line each, tick, tab, checksum.
#[unsafe(no_mangle)]
pub extern "C" fn duel_sums(side: u32) -> u32 {
    out_of_duel(|duel, bytes| {
        let lines = duel.side(side_of(side)).sums().map(|(tick, sum)| format!("{tick}\t{sum}\n"));
        lines.for_each(|line| bytes.extend(line.bytes()));
    })
}

/// Every number of a side's confirmed state: a line each, path, tab, value.
#[unsafe(no_mangle)]
pub extern "C" fn duel_fields(side: u32) -> u32 {
    out_of_duel(|duel, bytes| bytes.extend(fields_of(duel.side(side_of(side)).confirmed_state()).bytes()))
}

/// The outcome of a side's confirmed state, in the game's words.
#[unsafe(no_mangle)]
pub extern "C" fn duel_outcome(side: u32) -> u32 {
    out_of_duel(|duel, bytes| bytes.extend(duel.side(side_of(side)).confirmed_state().outcome().bytes()))
}

/// Changes a number on a side; the input is its place as text. 0, or the length of the error text.
#[unsafe(no_mangle)]
pub extern "C" fn duel_flip(side: u32) -> u32 {
    with(|kept| {
        let place = String::from_utf8_lossy(&kept.input).into_owned();
        let flipped = kept.duel.as_mut().map_or(Ok(()), |duel| duel.flip(side_of(side), &place));
        kept.tell(flipped)
    })
}

/// The outcome of that, in words.
#[unsafe(no_mangle)]
pub extern "C" fn duel_flip_words(side: u32) -> u32 {
    out_of_duel(|duel, bytes| bytes.extend(duel.flip_words(side_of(side)).bytes()))
}

/// A side's findings of a desync: lines as [`Finding::lines`](crate::Finding::lines) has them.
#[unsafe(no_mangle)]
pub extern "C" fn duel_finding(side: u32) -> u32 {
    out_of_duel(|duel, bytes| bytes.extend(duel.side(side_of(side)).finding().lines().bytes()))
}

/// True if a side has found a desync (1), and nothing more can become known of it (2).
#[unsafe(no_mangle)]
pub extern "C" fn duel_diverged(side: u32) -> u32 {
    with(|kept| {
        kept.duel.as_ref().map_or(0, |duel| {
            let finding = duel.side(side_of(side)).finding();
            u32::from(finding.tick().is_some()) + u32::from(finding.is_done())
        })
    })
}

/// Gives a side the packet in the input, of unknown origin.
#[unsafe(no_mangle)]
pub extern "C" fn duel_packet(side: u32) {
    with(|kept| {
        let Kept { duel, input, .. } = kept;
        duel.iter_mut().for_each(|duel| duel.receive(side_of(side), input));
    });
}

/// Outputs what a session alone writes.
fn out_of_solo(write: impl FnOnce(&Solo, &mut Vec<u8>)) -> u32 {
    with(|Kept { solo, output, .. }| {
        output.clear();
        if let Some(solo) = solo {
            write(solo, output);
        }
        output.len() as u32
    })
}

/// Outputs what a match writes.
fn out_of_duel(write: impl FnOnce(&Duel, &mut Vec<u8>)) -> u32 {
    with(|Kept { duel, output, .. }| {
        output.clear();
        if let Some(duel) = duel {
            write(duel, output);
        }
        output.len() as u32
    })
}
