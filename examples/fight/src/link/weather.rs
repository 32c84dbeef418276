//! The weather of a network: it delays, reorders, repeats and loses datagrams, and adds rubbish.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    time::{Duration, Instant},
};

use bitstep::num::{Draws, Rng};

/// The effects of a link on datagrams, by a seed: the fate of each datagram is the same in every run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Weather {
    /// The seed.
    pub seed: u64,
    /// Delay of every datagram, in milliseconds.
    pub latency: u32,
    /// How much longer it may take.
    pub jitter: u32,
    /// How many of a hundred are lost.
    pub loss: u32,
    /// Percentage of datagrams that arrive twice.
    pub twice: u32,
    /// Percentage of datagrams with rubbish: a datagram with bits flipped, cut off or made longer, or drawn
    /// bytes.
    pub rubbish: u32,
}

/// Error: the weather is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeatherError {
    field: &'static str,
    value: u32,
    limit: u32,
}

impl std::fmt::Display for WeatherError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { field, value, limit } = self;
        write!(f, "{field} is {value}, must be in 0..={limit}")
    }
}

impl std::error::Error for WeatherError {}

impl Weather {
    /// The weather, if a match can be played in it.
    ///
    /// # Errors
    ///
    /// Names the field, its value and the limit.
    pub fn checked(self) -> Result<Self, WeatherError> {
        let fields = [
            ("latency", self.latency, 2_000),
            ("jitter", self.jitter, 2_000),
            ("loss", self.loss, 90),
            ("twice", self.twice, 100),
            ("rubbish", self.rubbish, 100),
        ];
        match fields.into_iter().find(|(_, value, limit)| value > limit) {
            Some((field, value, limit)) => Err(WeatherError { field, value, limit }),
            None => Ok(self),
        }
    }
}

/// The weather, and the datagrams that are on their way through it.
#[derive(Debug)]
pub struct Sky {
    weather: Weather,
    /// Number of datagrams taken.
    count: u64,
    under_way: BinaryHeap<Reverse<(Instant, u64, Vec<u8>)>>,
}

/// The fate of a datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fate {
    pub is_lost: bool,
    /// Number of rubbish datagrams added.
    pub rubbish: u32,
}

impl Sky {
    pub const fn new(weather: Weather) -> Self {
        Self { weather, count: 0, under_way: BinaryHeap::new() }
    }

    /// Takes a datagram that is sent now.
    pub fn take(&mut self, bytes: Vec<u8>, now: Instant) -> Fate {
        let mut draws = Rng::new(self.weather.seed).at(0, 0, self.count);
        let happens = |draws: &mut Draws, percent: u32| draws.below(100) < u64::from(percent);
        let rubbish = happens(&mut draws, self.weather.rubbish);
        if rubbish {
            let spoilt = spoil(&bytes, &mut draws);
            self.put(spoilt, now, &mut draws);
        }
        let is_lost = happens(&mut draws, self.weather.loss);
        if happens(&mut draws, self.weather.twice) {
            self.put(bytes.clone(), now, &mut draws);
        }
        if !is_lost {
            self.put(bytes, now, &mut draws);
        }
        self.count += 1;
        Fate { is_lost, rubbish: rubbish.into() }
    }

    /// The next datagram whose time has come.
    pub fn due(&mut self, now: Instant) -> Option<Vec<u8>> {
        let Reverse((when, ..)) = self.under_way.peek()?;
        if *when > now {
            return None;
        }
        self.under_way.pop().map(|Reverse((.., bytes))| bytes)
    }

    fn put(&mut self, bytes: Vec<u8>, now: Instant, draws: &mut Draws) {
        let extra = draws.below(u64::from(self.weather.jitter) * 1_000 + 1);
        let delay = Duration::from_micros(u64::from(self.weather.latency) * 1_000 + extra);
        self.under_way.push(Reverse((now + delay, self.count, bytes)));
    }
}

/// Bytes that are nearly the given ones, or entirely different.
fn spoil(bytes: &[u8], draws: &mut Draws) -> Vec<u8> {
    let mut spoilt = bytes.to_vec();
    let at = |draws: &mut Draws| draws.below(bytes.len().max(1) as u64) as usize;
    match draws.below(4) {
        0 => {
            for _ in 0..=draws.below(3) {
                let (place, bit) = (at(draws), draws.below(8));
                spoilt[place] ^= 1 << bit;
            }
        }
        1 => spoilt.truncate(at(draws)),
        2 => spoilt.extend((0..=draws.below(40)).map(|_| draws.bits() as u8)),
        _ => spoilt = (0..draws.below(300)).map(|_| draws.bits() as u8).collect(),
    }
    spoilt
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fates of some datagrams, and the datagrams that arrive.
    fn fates(weather: Weather, count: u8) -> (Vec<Fate>, Vec<Vec<u8>>) {
        let (mut sky, now) = (Sky::new(weather), Instant::now());
        let fates = (0..count).map(|number| sky.take(vec![number; 20], now)).collect();
        let much_later = now + Duration::from_secs(9);
        (fates, std::iter::from_fn(|| sky.due(much_later)).collect())
    }

    #[test]
    fn fates_hang_on_the_seed() {
        let weather = Weather { seed: 3, latency: 5, jitter: 20, loss: 20, twice: 20, rubbish: 20 };
        assert_eq!(fates(weather, 200), fates(weather, 200));
        assert_ne!(fates(weather, 200), fates(Weather { seed: 4, ..weather }, 200));
        let (fates, _) = fates(weather, 200);
        let lost = fates.iter().filter(|fate| fate.is_lost).count();
        let rubbish: u32 = fates.iter().map(|fate| fate.rubbish).sum();
        assert!((20..60).contains(&lost) && (20..60).contains(&rubbish), "{lost} {rubbish}");
        let (fates, out) = self::fates(Weather { twice: 0, rubbish: 0, ..weather }, 200);
        assert_eq!(out.len(), fates.iter().filter(|fate| !fate.is_lost).count());
        assert!(!out.is_sorted(), "some come before others that were sent earlier");
    }

    #[test]
    fn frames_in_fair_weather_come_at_once_and_in_order() {
        let (mut sky, now) = (Sky::new(Weather::default()), Instant::now());
        (0..9).for_each(|number| assert!(!sky.take(vec![number], now).is_lost));
        assert_eq!(
            std::iter::from_fn(|| sky.due(now)).collect::<Vec<_>>(),
            (0..9).map(|n| vec![n]).collect::<Vec<_>>()
        );
        let mut slow = Sky::new(Weather { latency: 30, ..Weather::default() });
        slow.take(vec![1], now);
        assert_eq!(slow.due(now + Duration::from_millis(29)), None);
        assert_eq!(slow.due(now + Duration::from_millis(30)), Some(vec![1]));
    }

    #[test]
    fn a_weather_that_there_is_not_is_named() {
        let error = Weather { loss: 91, ..Weather::default() }.checked().unwrap_err();
        assert_eq!(error.to_string(), "loss is 91, must be in 0..=90");
    }
}
