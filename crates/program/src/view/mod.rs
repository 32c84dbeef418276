//! `view`: a recording as a page that shows it, in one file.
//!
//! A recording is played (`playback`), the visible content of each tick is taken (`seen.rs`, `marks.rs`, `words.rs`, `stillness.rs`), and
//! written as chunks that hold only deviations from a prediction (`prediction.rs`, `record.rs`, `encode.rs`,
//! `film.rs`). `page/` has the page itself, which decodes and draws them; `page.rs` joins all of it.
//! Everything here is integers: the page divides.

mod base64;
mod columns;
#[cfg(test)]
mod decode;
mod divergence;
mod encode;
mod film;
mod ground;
mod head;
mod impacts;
mod marks;
mod page;
mod prediction;
mod record;
mod scale;
mod scenery;
mod seen;
mod stillness;
#[cfg(test)]
mod tests;
mod words;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use miniz_oxide::deflate::compress_to_vec;

use self::{
    divergence::{Compared, find_divergence},
    film::{Film, film},
    head::{Head, Told, encode_numbers},
    scale::Scale,
};
use super::{
    Ending,
    comparison::with_names,
    output::{Screen, Tone, count, counted},
    pictured::{EXIT_CODES, Pictured, check_target},
    program_of,
    recordings::{beside, write_result},
};
use bitstep::{World, session::Simulation};

/// The most ticks from one picture to the next.
const EVERY_MAX: u32 = 1_000;
/// The most statics.
const STATICS_MAX: usize = 1 << 16;

/// Writes a page that shows a recording in three dimensions: one file, which any browser opens without a
/// network.
///
/// With a second recording both are shown from the first difference on, which is named. Where this build does
/// not come to what was recorded, the recorded states are shown where the recording has them.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct View {
    /// The recording
    file: PathBuf,
    /// Another, of the same scenery, to be shown over it
    other: Option<PathBuf>,
    /// The page; else a new file beside the recording
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep one tick of N only, without what happens in between: for long recordings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(EVERY_MAX)))]
    every: u32,
    /// Keep positions to half of 2^-BITS of a unit; else to 1/128 of the smallest body's radius or finer
    #[arg(long, value_name = "BITS")]
    precision: Option<u32>,
}

impl View {
    /// Reads, plays, and writes the page.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let paths: Vec<&Path> =
            [Some(&self.file), self.other.as_ref()].into_iter().flatten().map(|p| &**p).collect();
        check_target(self.output.as_deref(), &paths)?;
        let sides = paths.iter().map(|path| Pictured::<S>::read(path)).collect::<Result<Vec<_>>>()?;
        let scale = self.scale(sides[0].replay.initial_state().world())?;
        let compared =
            sides.get(1).map(|right| find_divergence(&sides[0].replay, &right.replay)).transpose()?;
        let films = films(&sides, scale, compared.as_ref())?;
        let (mut notes, mut ending) = (Vec::new(), Ending::Match);
        for (side, diverged) in sides.iter().zip(films.iter().map(|film| film.diverged).chain([None])) {
            let (told, comes_to) = side.notes(diverged);
            notes.extend(told);
            ending = ending.and(comes_to);
        }
        let divergence = compared.as_ref().and_then(|compared| compared.divergence.as_ref());
        if let Some(Compared { notes: told, divergence }) = &compared {
            let names = [0, 1].map(|index: usize| paths.get(index).copied());
            notes.extend(told.iter().map(|note| with_names(note, names)));
            ending = if divergence.is_some() { ending.and(Ending::Diverged) } else { ending };
        }
        let told: Vec<Told<'_>> =
            sides.iter().zip(&films).map(|(side, film)| Told::new(&side.path, film)).collect();
        let (program, initial_state) = (program_of::<S>(), sides[0].replay.initial_state().world());
        let head = Head { program, notes: &notes, initial_state, scale, tracks: &told, divergence };
        self.write(&head, &films, &notes)?;
        Ok(ending)
    }

    fn scale(&self, initial_state: &World) -> Result<Scale> {
        let statics = initial_state.scenery().statics().len();
        ensure!(statics <= STATICS_MAX, "statics are {statics}, must be at most {STATICS_MAX} in a page");
        let (most, extent) = (Scale::bits_max(initial_state.limits()), initial_state.limits().extent);
        match self.precision {
            None => Ok(Scale::fitting(initial_state, self.every)),
            Some(bits) if bits <= most => Ok(Scale::new(bits, self.every)),
            Some(bits) => {
                bail!("--precision is {bits}, must be at most {most} in a world of extent {extent}")
            }
        }
    }

    fn write(&self, head: &Head<'_>, films: &[Film], notes: &[String]) -> Result<()> {
        let mut pieces = vec![compress_to_vec(&head.encode(), film::LEVEL)];
        pieces.extend(films.iter().map(|film| compress_to_vec(&encode_numbers(&film.numbers), film::LEVEL)));
        let chunks = films.iter().flat_map(|film| film.chunks.iter().map(|(_, bytes)| &bytes[..]));
        let page = page::page(pieces.iter().map(|piece| &piece[..]).chain(chunks));
        let default = beside(&self.file, "html");
        write_result(self.output.as_deref(), &default, page.as_bytes())?;
        let path = self.output.as_ref().unwrap_or(&default);
        let mut screen = Screen::open();
        screen.line(screen.paint(Tone::Bold, &path.display().to_string()))?;
        let ticks: u64 = films.iter().map(|film| film.ticks).sum();
        let pictures = films.iter().map(|film| film.numbers.len() as u64).sum();
        let bytes = page.len() as u128;
        let each = bytes * 10 / u128::from(ticks.max(1));
        let size = format!("{} bytes, {}.{} per tick", count(bytes), count(each / 10), each % 10);
        screen.fact("size", size)?;
        screen.fact("shows", format!("{}, {}", counted(ticks, "tick"), counted(pictures, "picture")))?;
        screen.fact("positions", format!("within 2^-{} of a unit", head.scale.bits() + 1))?;
        if let Some(divergence) = head.divergence {
            screen.fact("divergence", divergence.line())?;
        }
        for note in notes {
            screen.fact("note", note)?;
        }
        screen.flush()
    }
}

/// The films: of the second recording from the first difference on, if there is one.
fn films<S: Simulation>(
    sides: &[Pictured<S>],
    scale: Scale,
    compared: Option<&Compared>,
) -> Result<Vec<Film>> {
    let of = |side: &Pictured<S>, skip: u64| {
        film(&side.replay, scale, skip).with_context(|| side.path.display().to_string())
    };
    let mut films = vec![of(&sides[0], 0)?];
    if let (Some(right), Some(divergence)) =
        (sides.get(1), compared.and_then(|compared| compared.divergence.as_ref()))
    {
        let start = right.replay.initial_state().tick_count();
        let skip = divergence.tick.saturating_sub(start + 1).min(right.replay.ticks().len() as u64);
        films.push(of(right, skip)?);
    }
    Ok(films)
}
