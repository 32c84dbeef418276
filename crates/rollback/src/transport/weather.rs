//! A link that delays, reorders, repeats, loses and spoils datagrams, for tests.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use bitstep::num::{Draws, Rng};

use super::Transport;

/// The effects of a link on datagrams, by a seed: the fate of the n-th datagram is the same in every run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Forecast {
    /// The seed.
    pub seed: u64,
    /// Delay of every datagram, in milliseconds.
    pub latency: u32,
    /// Largest additional delay, in milliseconds.
    pub jitter: u32,
    /// Percentage of datagrams that are lost.
    pub loss: u32,
    /// Percentage of datagrams that are sent once more.
    pub twice: u32,
    /// Percentage of datagrams beside which rubbish is sent: the datagram with bits flipped, cut off or made longer, or drawn
    /// bytes.
    pub rubbish: u32,
}

/// The error of a forecast that is out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field} is {value}, must be in 0..={limit}")]
pub struct ForecastError {
    /// The name of the field.
    pub field: &'static str,
    /// Its value.
    pub value: u32,
    /// The largest value.
    pub limit: u32,
}

impl Forecast {
    /// The forecast, if a match can be played in it.
    ///
    /// # Errors
    ///
    /// Names the field, its value and the limit.
    pub fn checked(self) -> Result<Self, ForecastError> {
        let fields = [
            ("latency", self.latency, 2_000),
            ("jitter", self.jitter, 2_000),
            ("loss", self.loss, 90),
            ("twice", self.twice, 100),
            ("rubbish", self.rubbish, 100),
        ];
        match fields.into_iter().find(|(_, value, limit)| value > limit) {
            Some((field, value, limit)) => Err(ForecastError { field, value, limit }),
            None => Ok(self),
        }
    }
}

/// A transport in weather: datagrams that are sent through it come late, twice, spoilt, or not at all.
#[derive(Debug)]
pub struct Weather<A, T> {
    transport: T,
    sky: Sky<A>,
}

impl<A: Clone, T: Transport<A>> Weather<A, T> {
    /// Weather in front of a transport.
    #[must_use]
    pub const fn new(transport: T, forecast: Forecast) -> Self {
        Self { transport, sky: Sky { forecast, count: 0, lost: 0, rubbish: 0, under_way: BTreeMap::new() } }
    }

    /// Number of datagrams that were lost so far.
    pub const fn lost(&self) -> u64 {
        self.sky.lost
    }

    /// Number of spoilt datagrams sent so far.
    pub const fn rubbish(&self) -> u64 {
        self.sky.rubbish
    }

    /// The transport behind the weather.
    pub const fn transport(&self) -> &T {
        &self.transport
    }

    /// The transport behind the weather, to change it.
    pub const fn transport_mut(&mut self) -> &mut T {
        &mut self.transport
    }

    fn send_due(&mut self) {
        while let Some((to, datagram)) = self.sky.due(Instant::now()) {
            self.transport.send(&datagram, &to);
        }
    }
}

impl<A: Clone, T: Transport<A>> Transport<A> for Weather<A, T> {
    fn send(&mut self, datagram: &[u8], to: &A) {
        self.sky.take(datagram, to, Instant::now());
        self.send_due();
    }

    fn receive(&mut self, take: &mut dyn FnMut(&A, &[u8])) {
        self.send_due();
        self.transport.receive(take);
    }
}

/// The datagrams that are on their way.
#[derive(Debug)]
struct Sky<A> {
    forecast: Forecast,
    /// Number of datagrams taken.
    count: u64,
    lost: u64,
    rubbish: u64,
    /// The datagrams by the instant when each is due, and its number.
    under_way: BTreeMap<(Instant, u64, u8), (A, Vec<u8>)>,
}

impl<A: Clone> Sky<A> {
    /// Takes a datagram that is sent now.
    fn take(&mut self, datagram: &[u8], to: &A, now: Instant) {
        let mut draws = Rng::new(self.forecast.seed).at(0, 0, self.count);
        let happens = |draws: &mut Draws, percent: u32| draws.below(100) < u64::from(percent);
        let [is_lost, is_twice, is_spoilt] = [self.forecast.loss, self.forecast.twice, self.forecast.rubbish]
            .map(|of| happens(&mut draws, of));
        let spoilt = is_spoilt.then(|| spoil(datagram, &mut draws));
        self.lost += u64::from(is_lost);
        self.rubbish += u64::from(is_spoilt);
        let copies = [(!is_lost).then(|| datagram.to_vec()), is_twice.then(|| datagram.to_vec()), spoilt];
        for (copy, bytes) in (0..).zip(copies).filter_map(|(copy, bytes)| Some((copy, bytes?))) {
            let extra = draws.below(u64::from(self.forecast.jitter) * 1_000 + 1);
            let delay = Duration::from_micros(u64::from(self.forecast.latency) * 1_000 + extra);
            self.under_way.insert((now + delay, self.count, copy), (to.clone(), bytes));
        }
        self.count += 1;
    }

    /// The next datagram whose time has come.
    fn due(&mut self, now: Instant) -> Option<(A, Vec<u8>)> {
        let first = self.under_way.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }
}

/// Bytes that are nearly the given ones, or entirely different.
fn spoil(bytes: &[u8], draws: &mut Draws) -> Vec<u8> {
    let mut spoilt = bytes.to_vec();
    let at = |draws: &mut Draws| draws.below(bytes.len().max(1) as u64) as usize;
    match draws.below(4) {
        0 if !bytes.is_empty() => {
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

    const NONE: Sky<u8> = Sky {
        forecast: Forecast { seed: 0, latency: 0, jitter: 0, loss: 0, twice: 0, rubbish: 0 },
        count: 0,
        lost: 0,
        rubbish: 0,
        under_way: BTreeMap::new(),
    };

    /// The datagrams that arrive of some, and how many are lost and spoilt.
    fn arriving(forecast: Forecast, count: u8) -> (Vec<Vec<u8>>, [u64; 2]) {
        let (mut sky, now) = (Sky { forecast, ..NONE }, Instant::now());
        (0..count).for_each(|number| sky.take(&[number; 20], &1, now));
        let much_later = now + Duration::from_secs(9);
        let arrived = std::iter::from_fn(|| sky.due(much_later)).map(|(_, bytes)| bytes).collect();
        (arrived, [sky.lost, sky.rubbish])
    }

    #[test]
    fn fates_follow_from_the_seed() {
        let forecast = Forecast { seed: 3, latency: 5, jitter: 20, loss: 20, twice: 20, rubbish: 20 };
        let (arrived, [lost, rubbish]) = arriving(forecast, 200);
        assert_eq!(arriving(forecast, 200).0, arrived);
        assert_ne!(arriving(Forecast { seed: 4, ..forecast }, 200).0, arrived);
        assert!((20..60).contains(&lost) && (20..60).contains(&rubbish), "{lost} {rubbish}");
        let (arrived, [lost, _]) = arriving(Forecast { twice: 0, rubbish: 0, ..forecast }, 200);
        assert_eq!(arrived.len() as u64, 200 - lost);
        assert!(!arrived.is_sorted(), "some come before others that were sent earlier");
    }

    #[test]
    fn datagrams_in_fair_weather_come_at_once_and_in_order() {
        let (mut sky, now) = (NONE, Instant::now());
        (0..9).for_each(|number| sky.take(&[number], &2, now));
        let arrived: Vec<_> = std::iter::from_fn(|| sky.due(now)).collect();
        assert_eq!(arrived, (0..9).map(|number| (2, vec![number])).collect::<Vec<_>>());
        let mut slow = Sky { forecast: Forecast { latency: 30, ..Forecast::default() }, ..NONE };
        slow.take(&[1], &2, now);
        assert_eq!(slow.due(now + Duration::from_millis(29)), None);
        assert_eq!(slow.due(now + Duration::from_millis(30)), Some((2, vec![1])));
    }

    #[test]
    fn a_forecast_out_of_range_is_named() {
        let error = Forecast { loss: 91, ..Forecast::default() }.checked().unwrap_err();
        assert_eq!(error.to_string(), "loss is 91, must be in 0..=90");
    }
}
