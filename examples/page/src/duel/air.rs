//! The link between the two peers: packets are delayed, lost and repeated, and rubbish is added.
//!
//! Draws go by a seed of the link's own, never by a state's: no weather can change a tick.

use bitstep::num::{Draws, Rng};

use crate::Weather;

/// One direction of the link, and the packets on it.
#[derive(Clone, Debug)]
pub struct Air {
    seed: u64,
    /// Packets with the instant of arrival in microseconds; in the order in which they were sent.
    under_way: Vec<(u64, Vec<u8>)>,
    /// How many packets were sent.
    pub sent: u64,
    /// How many of them were lost.
    pub lost: u64,
    /// Number of rubbish packets added.
    pub rubbish: u64,
}

impl Air {
    /// A link with nothing on it.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed, under_way: Vec::new(), sent: 0, lost: 0, rubbish: 0 }
    }

    /// Takes a packet that is sent now, in microseconds.
    pub fn send(&mut self, bytes: &[u8], now: u64, weather: Weather) {
        let mut draws = Rng::new(self.seed).at(0, 0, self.sent);
        let happens = |draws: &mut Draws, percent: u32| draws.below(100) < u64::from(percent);
        self.sent += 1;
        let arrival = |draws: &mut Draws| {
            let extra = draws.below(u64::from(weather.jitter) * 1_000 + 1);
            now + u64::from(weather.latency) * 1_000 + extra
        };
        if happens(&mut draws, weather.rubbish) {
            let at = arrival(&mut draws);
            self.rubbish += 1;
            self.under_way.push((at, spoilt(bytes, &mut draws)));
        }
        if happens(&mut draws, weather.loss) {
            self.lost += 1;
        } else {
            let at = arrival(&mut draws);
            self.under_way.push((at, bytes.to_vec()));
        }
    }

    /// The next packet that is due: the earliest, and of several the one that was sent first.
    pub fn due(&mut self, now: u64) -> Option<Vec<u8>> {
        let (index, (at, _)) = self.under_way.iter().enumerate().min_by_key(|(_, (at, _))| *at)?;
        (*at <= now).then(|| self.under_way.remove(index).1)
    }
}

/// Bytes that are nearly the given ones, or entirely different.
fn spoilt(bytes: &[u8], draws: &mut Draws) -> Vec<u8> {
    let mut spoilt = bytes.to_vec();
    let at = |draws: &mut Draws| draws.below(bytes.len().max(1) as u64) as usize;
    match draws.below(4) {
        0 => {
            let (place, bit) = (at(draws), draws.below(8));
            spoilt.iter_mut().skip(place).take(1).for_each(|byte| *byte ^= 1 << bit);
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

    #[test]
    fn frames_in_fair_weather_come_at_once_and_in_order() {
        let mut air = Air::new(1);
        (0..9).for_each(|number| air.send(&[number], 5, Weather::default()));
        let all: Vec<_> = std::iter::from_fn(|| air.due(5)).collect();
        assert_eq!(all, (0..9).map(|number| vec![number]).collect::<Vec<_>>());
        air.send(&[1], 0, Weather { latency: 30, ..Weather::default() });
        assert_eq!((air.due(29_999), air.due(30_000)), (None, Some(vec![1])));
    }

    #[test]
    fn jitter_spreads_what_is_sent_at_once() {
        let mut air = Air::new(1);
        let weather = Weather { latency: 10, jitter: 20, ..Weather::default() };
        (0..100).for_each(|number| air.send(&[number], 0, weather));
        let counts = [9_999, 20_000, 30_000].map(|now| std::iter::from_fn(|| air.due(now)).count());
        assert_eq!(counts[0], 0);
        assert!((30..70).contains(&counts[1]) && counts[1] + counts[2] == 100, "{counts:?}");
    }

    #[test]
    fn fates_hang_on_the_seed() {
        let weather = Weather { latency: 5, jitter: 20, loss: 20, rubbish: 20 };
        let fates = |seed: u64| {
            let mut air = Air::new(seed);
            (0..200).for_each(|number| air.send(&[number; 20], 0, weather));
            let all: Vec<_> = std::iter::from_fn(|| air.due(1 << 30)).collect();
            (air.lost, air.rubbish, all)
        };
        assert_eq!(fates(3), fates(3));
        assert_ne!(fates(3), fates(4));
        let (lost, rubbish, all) = fates(3);
        assert!((20..60).contains(&lost) && (20..60).contains(&rubbish), "{lost} {rubbish}");
        assert_eq!(all.len() as u64, 200 - lost + rubbish);
        assert!(!all.is_sorted(), "some come before others that were sent earlier");
    }
}
