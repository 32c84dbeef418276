//! A recording as chunks of pictures, each of which can be shown without those before it.

use anyhow::{Result, ensure};
use miniz_oxide::deflate::compress_to_vec;

use super::{encode::Encoder, ground::Grounds, scale::Scale, seen::Seen, stillness::Stillness, words::Words};
use crate::{numbers::Numbers, playback::Playback, progress::Progress};
use bitstep::{replay::Replay, session::Simulation};

/// The most bytes of one recording, compressed.
pub const FILM_BYTES_MAX: u64 = 96 << 20;
/// The most bodies at one time.
pub const BODIES_MAX: u64 = 1 << 15;
/// Approximate total number of bodies in all pictures of a chunk.
const BODIES_PER_CHUNK: usize = 1 << 17;
/// The fewest and the most pictures of a chunk.
const PICTURES_PER_CHUNK: (usize, usize) = (16, 256);
/// Approximate number of centers that a chunk samples, and the part of all that may be far out at an end.
const CENTERS_PER_CHUNK: usize = 256;
const FEW: usize = 30;
/// Level of the compressor, of 10.
pub const LEVEL: u8 = 8;

/// A recording, or a part of it up to its end.
#[derive(Default)]
pub struct Film {
    /// The number of the tick of the first picture.
    pub first: u64,
    /// Number of ticks behind it.
    pub ticks: u64,
    /// The first picture of each chunk, and its bytes.
    pub chunks: Vec<(u64, Vec<u8>)>,
    /// The numbers of each picture.
    pub numbers: Vec<Numbers>,
    /// The ground.
    pub grounds: Grounds,
    /// The game's words.
    pub words: Words,
    /// The parts in which nothing moves.
    pub stillness: Stillness,
    /// Largest number of slots.
    pub slots: u32,
    /// A box of sampled centers, in raw; toward a few that are far out it goes by half its width.
    pub bounds: [[i64; 3]; 2],
    /// The checksum after the last tick.
    pub checksum: String,
    /// The first tick that this build does not reproduce.
    pub diverged: Option<u64>,
}

/// Plays a recording, and takes pictures from the state after `skip` ticks on.
///
/// # Errors
///
/// If there are too many bodies, or the film has too many bytes.
pub fn film<S: Simulation>(replay: &Replay<S>, scale: Scale, skip: u64) -> Result<Film> {
    let total = replay.ticks().len() as u64;
    let mut progress = Progress::new("playing", total);
    let mut playback = Playback::new(replay);
    for _ in 0..skip {
        playback.advance();
    }
    let mut maker = Maker::new(scale);
    maker.film.first = playback.tick();
    maker.film.ticks = total - skip;
    maker.seen.take(playback.world(), None);
    maker.picture(&playback, Numbers::of(playback.world(), None))?;
    let mut numbers: Option<Numbers> = None;
    for tick in 1..=total - skip {
        playback.advance();
        let of_tick = Numbers::of(playback.world(), playback.report());
        numbers = Some(numbers.map_or(of_tick, |before| before.then(of_tick)));
        if tick % u64::from(scale.every()) == 0 || tick == total - skip {
            // Of several ticks in a row only the end is shown.
            let report = playback.report().filter(|_| scale.every() == 1);
            maker.seen.take(playback.world(), report);
            maker.picture(&playback, numbers.take().unwrap_or_default())?;
        }
        progress.reach(skip + tick);
    }
    progress.finish();
    let (last, rate) = (maker.film.numbers.len() as u64 - 1, playback.world().limits().tick_rate);
    maker.film.stillness.finish(last, rate, scale.every());
    maker.film.diverged = playback.diverged();
    maker.film.checksum = playback.checksum().to_string();
    maker.finish()
}

/// A film under construction.
struct Maker {
    film: Film,
    encoder: Encoder,
    seen: Seen,
    /// Number of pictures of the present chunk, and its intended number.
    pictures: usize,
    room: usize,
    /// The first picture of it.
    first: u64,
    bytes: u64,
    /// The centers, axis by axis.
    centers: [Vec<i64>; 3],
}

impl Maker {
    fn new(scale: Scale) -> Self {
        let (film, encoder, seen) = (Film::default(), Encoder::new(scale), Seen::default());
        Self { film, encoder, seen, pictures: 0, room: 0, first: 0, bytes: 0, centers: Default::default() }
    }

    /// Adds a picture of the present tick.
    fn picture<S: Simulation>(&mut self, playback: &Playback<'_, S>, numbers: Numbers) -> Result<()> {
        let bodies = self.seen.bodies.len();
        ensure!(bodies as u64 <= BODIES_MAX, "bodies at one time are {bodies}, must be at most {BODIES_MAX}");
        let picture = self.film.numbers.len() as u64;
        let slots = self.seen.bodies.last().map_or(0, |actor| actor.slot + 1);
        self.film.slots = self.film.slots.max(slots);
        self.film.numbers.push(numbers);
        let is_dug = self.film.grounds.take(playback.world(), picture);
        let says_other = self.film.words.take(playback.state(), picture)?;
        self.film.stillness.take(&self.seen, picture, is_dug || says_other);
        if picture > 0 {
            self.encoder.tick(&self.seen);
            self.pictures += 1;
        }
        if picture == 0 || self.pictures >= self.room {
            let before = self.encoder.begin(&self.seen);
            if picture > 0 {
                self.keep(&before)?;
            }
            self.look_around();
            let (least, most) = PICTURES_PER_CHUNK;
            (self.first, self.pictures) = (picture, 0);
            self.room = (BODIES_PER_CHUNK / bodies.max(1)).clamp(least, most);
        }
        Ok(())
    }

    /// Samples the positions of some bodies.
    fn look_around(&mut self) {
        let step = self.seen.bodies.len() / CENTERS_PER_CHUNK + 1;
        for actor in self.seen.bodies.iter().step_by(step) {
            (0..3).for_each(|axis| self.centers[axis].push(actor.position[axis]));
        }
    }

    /// Adds a finished chunk.
    fn keep(&mut self, chunk: &[u8]) -> Result<()> {
        let packed = compress_to_vec(chunk, LEVEL);
        self.bytes += packed.len() as u64;
        ensure!(
            self.bytes <= FILM_BYTES_MAX,
            "bytes are more than {FILM_BYTES_MAX}, the most that a page takes, after {} of {} ticks; \
             try a larger --every, or a smaller --precision",
            self.film.numbers.len(),
            self.film.ticks
        );
        self.film.chunks.push((self.first, packed));
        Ok(())
    }

    fn finish(mut self) -> Result<Film> {
        self.look_around();
        self.film.bounds = bounds_of(&mut self.centers);
        let last = std::mem::replace(&mut self.encoder, Encoder::new(Scale::new(0, 1))).finish();
        self.keep(&last)?;
        Ok(self.film)
    }
}

/// A box of centers, one list for each axis. What is far from nearly all of them does not make all others tiny: toward it the box
/// goes by half of the largest width that it has without.
fn bounds_of(centers: &mut [Vec<i64>; 3]) -> [[i64; 3]; 2] {
    let ends = centers.each_mut().map(|centers| {
        centers.sort_unstable();
        let few = centers.len() / FEW;
        let at = |index: usize| centers.get(index).copied().unwrap_or(0);
        let last = centers.len().saturating_sub(1);
        [at(0), at(few), at(last - few.min(last)), at(last)]
    });
    let half = ends.iter().map(|[_, low, high, _]| high.saturating_sub(*low) / 2).max().unwrap_or(0);
    let low = ends.map(|[least, low, ..]| least.max(low.saturating_sub(half)));
    let high = ends.map(|[.., high, most]| most.min(high.saturating_add(half)));
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_all_centers_but_those_that_are_far_out() {
        let list = |first: i64, last: i64, more: &[i64]| {
            (first..=last).chain(more.iter().copied()).collect::<Vec<_>>()
        };
        // Both ends are reached, however seldom.
        let mut near = [list(-50, 50, &[-70, 66]), list(0, 0, &[]), list(0, 60, &[])];
        assert_eq!(bounds_of(&mut near), [[-70, 0, 0], [66, 0, 60]]);
        // One that is shot away is not.
        let mut far = [list(-50, 50, &[100_000]), vec![0; 102], vec![0; 102]];
        assert_eq!(bounds_of(&mut far), [[-50, 0, 0], [47 + 48, 0, 0]]);
        assert_eq!(bounds_of(&mut [vec![], vec![], vec![]]), [[0; 3]; 2]);
    }
}
