//! The time of every tick by its parts, measured where the recording is played again.

use std::{
    env::consts,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bitstep::{
    replay::{Player, Replay},
    session::{Simulation, TickLog},
};

use crate::{
    laps::{Laps, PARTS, Parts},
    output::{count, duration},
    progress::Progress,
};

/// The nanoseconds of every tick by its parts: the median of several plays, of each part by itself.
pub struct Cost {
    /// Number of plays.
    plays: u8,
    /// The name of the game; empty for a world alone.
    game: &'static str,
    /// The initial state's first, which took none.
    rows: Vec<Parts<u64>>,
}

impl Cost {
    /// Plays a recording so many times, from its initial state to its end, as this build plays it.
    ///
    /// Events are not listed, unless the game needs them, and nothing is compared with what was recorded: both cost time.
    pub fn measure<S: Simulation>(replay: &Replay<S>, plays: u8) -> Self {
        let ticks = replay.ticks().len() as u64;
        let mut progress = Progress::new("measuring", ticks * u64::from(plays));
        let all = (0..u64::from(plays)).map(|play| {
            let before = play * ticks;
            measure_once(replay, |tick| progress.reach(before + tick))
        });
        let rows = medians(&all.collect::<Vec<_>>());
        progress.finish();
        Self { plays, game: S::name(), rows }
    }

    /// The nanoseconds of each part, tick by tick, with the part's name.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, Vec<u128>)> + '_ {
        PARTS.iter().enumerate().map(|(part, name)| {
            let values = self.rows.iter().map(|row| row[part].into());
            (*name, values.collect())
        })
    }

    /// Lines about the origin of the numbers.
    pub fn notes(&self) -> Vec<String> {
        let build = if cfg!(debug_assertions) { ", a slow build with debug assertions" } else { "" };
        let (os, arch) = (consts::OS, consts::ARCH);
        let origin = self.origin();
        let mut notes = vec![format!(
            "measured on this machine ({os}, {arch}{build}): {origin}; times differ from run to run"
        )];
        if !self.game.is_empty() {
            notes.push(format!("apply and report include the rules of {}", self.game));
        }
        notes
    }

    /// The mean and the longest tick, for people; `first` is the number of the initial state's tick.
    pub fn summary(&self, first: u64) -> String {
        let totals = || self.rows.iter().skip(1).map(|row| row.iter().sum::<u64>());
        let mean = totals().sum::<u64>() / totals().count().max(1) as u64;
        let (tick, longest) =
            (first + 1..).zip(totals()).max_by_key(|(_, total)| *total).unwrap_or((first, 0));
        let [mean, longest] = [mean, longest].map(|nanos| duration(Duration::from_nanos(nanos)));
        format!("{mean} per tick, longest tick {}: {longest}; {}, measured here", count(tick), self.origin())
    }

    /// The text that says which of several plays the numbers are of.
    fn origin(&self) -> String {
        match self.plays {
            1 => "one play".to_owned(),
            plays => format!("the median of {plays} plays"),
        }
    }
}

/// The nanoseconds of every tick in one play; `reach` is told of each.
fn measure_once<S: Simulation>(replay: &Replay<S>, mut reach: impl FnMut(u64)) -> Vec<Parts<u64>> {
    let laps = Arc::new(Mutex::new(Laps::start()));
    let clock = Arc::clone(&laps);
    let mut log = TickLog::off().observed(move |phase| lock(&clock).end_phase(phase));
    let mut player = Player::with_budget(replay, 0);
    let mut rows = vec![Parts::default()];
    loop {
        *lock(&laps) = Laps::start();
        if player.step_logged(&mut log).is_none() {
            return rows;
        }
        let times = lock(&laps).end();
        rows.push(times.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)));
        reach(player.tick());
    }
}

/// The stopwatch remains usable after a tick has panicked.
fn lock(laps: &Mutex<Laps>) -> MutexGuard<'_, Laps> {
    laps.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The median of each number over several plays of the same ticks; of an even number of plays the lower one of the middle.
fn medians(plays: &[Vec<Parts<u64>>]) -> Vec<Parts<u64>> {
    let ticks = plays.first().map_or(0, Vec::len);
    let median = |tick: usize, part: usize| {
        let mut all: Vec<u64> = plays.iter().map(|play| play[tick][part]).collect();
        all.sort_unstable();
        all[(all.len() - 1) / 2]
    };
    (0..ticks).map(|tick| std::array::from_fn(|part| median(tick, part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_of_each_part_by_itself() {
        let play = |numbers: [u64; 2]| vec![Parts::default(), [numbers[0], numbers[1], 1, 1, 1, 1]];
        let plays = [[7, 900], [8, 20], [900, 10]].map(play);
        assert_eq!(medians(&plays), [[0; 6], [8, 20, 1, 1, 1, 1]]);
        assert_eq!(medians(&plays[..2])[1][..2], [7, 20]);
        assert_eq!(medians(&plays[..1]), plays[0]);
    }

    #[test]
    fn a_summary_has_the_mean_and_the_longest_tick() {
        let rows = vec![[0; 6], [1_000, 0, 0, 0, 0, 500], [3_000; 6], [0; 6]];
        let cost = Cost { plays: 5, game: "", rows };
        let told = "6.500 us per tick, longest tick 1,002: 18.000 us; the median of 5 plays, measured here";
        assert_eq!(cost.summary(1_000), told);
        let cost = Cost { plays: 1, rows: vec![[0; 6]], ..cost };
        let told = "0.000 us per tick, longest tick 7: 0.000 us; one play, measured here";
        assert_eq!(cost.summary(7), told);
    }

    #[test]
    fn notes_name_the_plays_and_the_game() {
        let notes = |plays, game| Cost { plays, game, rows: vec![] }.notes();
        let [world, once, game] = [notes(5, ""), notes(1, ""), notes(5, "harvest")];
        assert!(world.len() == 1 && world[0].contains("): the median of 5 plays; "), "{world:?}");
        assert!(once[0].contains("): one play; "), "{once:?}");
        assert_eq!(game[1..], ["apply and report include the rules of harvest"]);
    }
}
