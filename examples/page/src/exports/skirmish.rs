//! The functions that JavaScript calls for a battle.

use std::time::Duration;

use bitstep::session::Simulation;
use rts::{Order, Place, Units};

use super::{put_numbers, side_of};
use crate::{
    border::{Kept, with},
    flip::Injected,
    skirmish::{Player, Skirmish, draw},
    weather::Weather,
};

/// Opens a match of so many units on each side: of a script, or with 0 ticks one without an end. 0, or the length of the error text.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_open(seed: u32, units: u32, ticks: u32) -> u32 {
    with(|kept| {
        let units = u16::try_from(units).unwrap_or(u16::MAX);
        let opened = Skirmish::new(seed.into(), units, ticks.into());
        let opened = opened.map(|skirmish| kept.skirmish = Some(skirmish));
        kept.tell(opened)
    })
}

/// Goes on with the saved match in the input. 0, or the length of the error text.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_load() -> u32 {
    with(|kept| {
        let loaded = Skirmish::load(&kept.input).map(|skirmish| kept.skirmish = Some(skirmish));
        kept.tell(loaded)
    })
}

/// Changes the weather: milliseconds, milliseconds, percent. 0, or the length of the error text.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_weather(latency: u32, jitter: u32, loss: u32) -> u32 {
    with(|kept| {
        let weather = Weather { latency, jitter, loss, rubbish: 0 }.checked();
        let changed = weather.map(|weather| kept.skirmish.iter().for_each(|it| it.set_weather(weather)));
        kept.tell(changed)
    })
}

/// Lets so many milliseconds pass, at most a thousand; 1 once the match is over.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_advance(millis: u32) -> u32 {
    with(|kept| {
        kept.skirmish.as_mut().is_some_and(|skirmish| {
            skirmish.advance(Duration::from_millis(millis.into()));
            skirmish.is_over()
        })
    })
    .into()
}

/// A person takes over the first player.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_take_over() {
    with(|kept| kept.skirmish.iter_mut().for_each(Skirmish::take_over));
}

/// Gives an order to the units in the input, whose numbers have two bytes each, least byte first: 0 stops them, 1 lets them march to a
/// place in 2^-16 units, 2 gather there, 3 attack a unit. 0, or the length of the error text.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_order(kind: u32, x: i32, y: i32, target: u32) -> u32 {
    with(|kept| {
        let numbers = kept.input.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let (units, to) = (Units::of(numbers), Place { x, y });
        let order = match kind {
            0 => Order::Stop { units },
            1 => Order::March { units, to },
            2 => Order::Gather { units, to },
            _ => Order::Attack { units, target: u16::try_from(target).unwrap_or(u16::MAX) },
        };
        let given = kept.skirmish.as_mut().map_or(Ok(()), |skirmish| skirmish.order(&order));
        kept.tell(given)
    })
}

/// The numbers of a side: 12 of 32 bits.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_numbers(side: u32) -> u32 {
    out_of(|skirmish, bytes| {
        let peer = skirmish.peer(side_of(side));
        let alive = peer.state().map_or([0; 4], |state| state.game().alive());
        let numbers = [
            peer.tick(),
            peer.compared(),
            skirmish.last_tick().unwrap_or(0),
            alive[0] as u64,
            alive[1] as u64,
            u64::from(peer.player == Player::Person),
            u64::from(peer.is_over()),
            u64::from(peer.is_finished()),
            u64::from(peer.is_playing()),
            u64::from(peer.given_up()),
            u64::from(peer.is_flipping()),
            peer.parts() as u64,
        ];
        put_numbers(bytes, &numbers);
    })
}

/// The picture of a side; nothing while it has no state.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_picture(side: u32) -> u32 {
    out_of(|skirmish, bytes| {
        if let Some(state) = skirmish.peer(side_of(side)).state() {
            draw(state, &mut |number| bytes.extend(number.to_le_bytes()));
        }
    })
}

/// The checksums of a side's last ticks: a line each, tick, tab, checksum.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_sums(side: u32) -> u32 {
    out_of(|skirmish, bytes| {
        let lines = skirmish.peer(side_of(side)).sums().map(|(tick, sum)| format!("{tick}\t{sum}\n"));
        lines.for_each(|line| bytes.extend(line.bytes()));
    })
}

/// What a side was told since the last call: a line each.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_news(side: u32) -> u32 {
    out_of(|skirmish, bytes| {
        let news = skirmish.peer_mut(side_of(side)).news();
        news.iter().for_each(|line| bytes.extend(line.bytes().chain([b'\n'])));
    })
}

/// The outcome of a side's state in the game's words, and the end of the match if it is over, a line each.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_outcome(side: u32) -> u32 {
    out_of(|skirmish, bytes| {
        let peer = skirmish.peer(side_of(side));
        let outcome = peer.state().map(|state| state.outcome()).unwrap_or_default();
        bytes.extend(format!("{outcome}\n{}\n", peer.ending()).bytes());
    })
}

/// Changes a number on a side; the input is its place as text. 0, or the length of the error text.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_flip(side: u32) -> u32 {
    with(|kept| {
        let place = String::from_utf8_lossy(&kept.input).into_owned();
        let flipped = kept.skirmish.as_mut().map_or(Ok(()), |skirmish| skirmish.flip(side_of(side), &place));
        kept.tell(flipped)
    })
}

/// The outcome of that, in words.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_flip_words(side: u32) -> u32 {
    out_of(|skirmish, bytes| bytes.extend(skirmish.peer(side_of(side)).flip_words().bytes()))
}

/// A side's findings of a desync: lines as [`Finding::lines`](crate::Finding::lines) has them.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_finding(side: u32) -> u32 {
    out_of(|skirmish, bytes| bytes.extend(skirmish.peer(side_of(side)).finding().lines().bytes()))
}

/// True if a side has found a desync (1), and nothing more can become known of it (2).
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_diverged(side: u32) -> u32 {
    with(|kept| {
        kept.skirmish.as_ref().map_or(0, |skirmish| {
            let finding = skirmish.peer(side_of(side)).finding();
            u32::from(finding.tick().is_some()) + u32::from(finding.is_done())
        })
    })
}

/// Saves the match of the first peer as it is now. 0, or the length of the error text.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_save() -> u32 {
    with(|kept| {
        let saved = kept.skirmish.as_mut().map_or(Ok(()), |skirmish| skirmish.peer_mut(0).save());
        kept.tell(saved)
    })
}

/// The match that was saved, once it is there: a delay after `skirmish_save`.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_saved() -> u32 {
    out_of(|skirmish, bytes| {
        if let Some(saved) = skirmish.peer_mut(0).saved() {
            bytes.extend(saved.encode());
        }
    })
}

/// Ends the match for both.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_end() {
    with(|kept| kept.skirmish.iter_mut().for_each(Skirmish::end));
}

/// The recording of a side.
#[unsafe(no_mangle)]
pub extern "C" fn skirmish_recording(side: u32) -> u32 {
    out_of(|skirmish, bytes| bytes.extend(skirmish.peer(side_of(side)).recording()))
}

/// Outputs what a match writes.
fn out_of(write: impl FnOnce(&mut Skirmish, &mut Vec<u8>)) -> u32 {
    with(|Kept { skirmish, output, .. }| {
        output.clear();
        if let Some(skirmish) = skirmish {
            write(skirmish, output);
        }
        output.len() as u32
    })
}
