//! Scripted players: each gives an order every few seconds, which depends on the state it sees.

use std::{collections::VecDeque, error::Error};

use bitstep::{
    geom::Vec3,
    num::Rng,
    session::{Session, Simulation},
    tick::TickReport,
};
use bitstep_lockstep::Terms;

use crate::{Issued, Order, Place, Rts, Units, middle};

/// The purpose of the draws here; the game has its own.
const SCRIPT_DRAW: u64 = 100;
/// Distance from the start of its army to which a player sends units that do not attack, along each axis, in
/// raw.
const HOME: i64 = 25 << 32;
/// A player orders in one of so many ticks.
const ORDER_EVERY: u64 = 30;

/// The orders of a player who sees this state.
#[must_use]
pub fn script(seed: u64, seat: u8, state: &Session<Rts>) -> Vec<Order> {
    let mut draws = Rng::new(seed).at(SCRIPT_DRAW, seat.into(), state.tick_count());
    if draws.below(ORDER_EVERY) != 0 {
        return Vec::new();
    }
    let own: Vec<u16> = state.game().numbers_of(seat).collect();
    if own.is_empty() {
        return Vec::new();
    }
    // A part of the army: some units from a first one on.
    let first = draws.below(own.len() as u64) as usize;
    let count = 1 + draws.below((own.len() - first) as u64) as usize;
    let units = Units::of(own[first..first + count].iter().copied());
    // Around the start of its army.
    let home = home(seat);
    let mut near = |middle: i64| middle + draws.between(-HOME, HOME);
    let to = Place::nearest(Vec3::from_raw([near(home[0]), near(home[1]), 0]));
    let order = match draws.below(8) {
        0 => Order::Stop { units },
        1 | 2 => Order::Gather { units, to },
        3..=5 => match foe(seat, state, draws.bits()) {
            Some(target) => Order::Attack { units, target },
            None => Order::Gather { units, to },
        },
        _ => Order::March { units, to },
    };
    vec![order]
}

/// The middle of an army at the start, in raw.
fn home(seat: u8) -> [i64; 2] {
    middle(seat).map(|units| units << 32)
}

/// A remaining unit of another player.
fn foe(seat: u8, state: &Session<Rts>, draw: u64) -> Option<u16> {
    let numbered = (0..=u16::MAX).zip(state.game().units());
    let foes: Vec<u16> = numbered
        .filter(|(_, unit)| unit.player != seat && unit.body.is_some())
        .map(|(number, _)| number)
        .collect();
    let index = draw % u64::try_from(foes.len()).ok().filter(|&count| count > 0)?;
    foes.get(usize::try_from(index).ok()?).copied()
}

/// Plays a match by the script in one process, with orders that come as late as over a link; `seen` gets
/// every state, and the inputs that led to it. Four processes that no player leaves give the same result.
///
/// # Errors
///
/// If there is no such match.
pub fn play_alone(
    terms: &Terms,
    mut seen: impl FnMut(&Session<Rts>, &[Issued]),
) -> Result<Session<Rts>, Box<dyn Error>> {
    let (seed, mut state) = (terms.options::<Rts>()?.seed, terms.initial_state::<Rts>()?);
    let mut under_way = VecDeque::from(vec![Vec::new(); terms.delay.into()]);
    let mut report = TickReport::default();
    for _ in 0..terms.last_tick {
        under_way.push_back(inputs_after(seed, terms.players, &state));
        let inputs: Vec<Issued> = under_way.pop_front().unwrap_or_default();
        state.tick(&inputs, &mut report);
        seen(&state, &inputs);
    }
    Ok(state)
}

/// The orders of all players who see this state, by seat.
fn inputs_after(seed: u64, players: u8, state: &Session<Rts>) -> Vec<Issued> {
    let issue =
        |player: u8| script(seed, player, state).into_iter().map(move |order| Issued { player, order });
    (0..players).flat_map(issue).collect()
}
