//! The head of a page: its data besides the pictures.

use std::{collections::BTreeSet, path::Path};

use super::{columns::Column, divergence::Divergence, film::Film, scale::Scale, scenery};
use crate::numbers::Numbers;
use bitstep::{
    World,
    state::{Body, Rule},
};

/// Rises with every change of the head.
const FORMAT: u64 = 4;
/// The bits that an energy has in a page, at most.
const ENERGY_BITS: u32 = 48;

/// A recording and its description.
pub struct Told<'a> {
    name: String,
    film: &'a Film,
}

impl<'a> Told<'a> {
    /// A film of a file.
    pub fn new(path: &Path, film: &'a Film) -> Self {
        Self { name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(), film }
    }
}

/// The data of a page besides the pictures.
pub struct Head<'a> {
    pub program: &'a str,
    pub notes: &'a [String],
    pub initial_state: &'a World,
    pub scale: Scale,
    pub tracks: &'a [Told<'a>],
    pub divergence: Option<&'a Divergence>,
}

impl Head<'_> {
    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut column = Column::default();
        column.put(FORMAT);
        column.put_text(self.program);
        column.put(self.notes.len() as u64);
        self.notes.iter().for_each(|note| column.put_text(note));
        column.put(self.scale.bits().into());
        column.put(self.scale.every().into());
        column.put(self.initial_state.limits().tick_rate.into());
        let steps = i64::from(self.initial_state.limits().substeps);
        column.put_all(self.initial_state.gravity().raw().map(|pull| pull * steps * steps));
        column.put(is_flat(self.initial_state).into());
        column.put(sensors_of(self.initial_state));
        let bounds = self.tracks.first().map_or([[0; 3]; 2], |track| track.film.bounds);
        bounds.into_iter().for_each(|corner| column.put_all(corner.map(Scale::size)));
        scenery::put(&mut column, self.initial_state);
        column.put(self.tracks.len() as u64);
        self.tracks.iter().for_each(|track| put_track(&mut column, track));
        column.put(self.divergence.is_some().into());
        if let Some(divergence) = self.divergence {
            put_divergence(&mut column, divergence);
        }
        column.bytes().to_vec()
    }
}

/// True if every body is in the plane of the first two axes, and stays there until a rotating one leaves it.
fn is_flat(initial_state: &World) -> bool {
    let mut bodies = initial_state.bodies().map(|(_, body)| body).peekable();
    let is_in_plane = initial_state.gravity().z == 0 && bodies.peek().is_some();
    let is_low = |body: &Body| body.position.z == 0 && body.momentum.z == 0 && body.spin.is_none();
    initial_state.limits().flat || (is_in_plane && bodies.all(is_low))
}

/// The layers of statics that are sensors to something that is there at the beginning, and solid or soft to nothing; a bit for each.
fn sensors_of(initial_state: &World) -> u64 {
    let scenery = initial_state.scenery();
    let of_statics: BTreeSet<u8> = scenery.statics().iter().map(|fixed| fixed.layer).collect();
    let bodies = initial_state.bodies().map(|(_, body)| body);
    let of_bodies = bodies.flat_map(|body| {
        let solids = body.solids(scenery).map(|solid| solid.layer.unwrap_or(body.layer));
        solids.collect::<Vec<_>>()
    });
    let there: BTreeSet<u8> = of_bodies.collect();
    let layers = &initial_state.state().layers;
    let is_sensor =
        |layer: &&u8| there.iter().map(|&other| layers.of_layers(**layer, other)).max() == Some(Rule::Sensor);
    of_statics.iter().filter(is_sensor).fold(0, |bits, layer| bits | 1 << layer)
}

fn put_track(column: &mut Column, Told { name, film }: &Told<'_>) {
    column.put_text(name);
    column.put_text(&film.checksum);
    column.put(film.first);
    column.put(film.ticks);
    column.put(film.numbers.len() as u64);
    column.put(film.slots.into());
    column.put(film.diverged.map_or(0, |tick| tick + 1));
    column.put(film.chunks.len() as u64);
    film.chunks.iter().for_each(|(first, _)| column.put(*first));
    film.grounds.put(column);
    film.words.put(column);
    film.stillness.put(column);
}

fn put_divergence(column: &mut Column, divergence: &Divergence) {
    column.put(divergence.tick);
    column.put(divergence.slot.map_or(0, |slot| u64::from(slot) + 1));
    column.put_text(&divergence.body);
    let [left, right] = &divergence.values;
    for text in [&divergence.verdict, &divergence.phase, &divergence.field, left, right] {
        column.put_text(text);
    }
}

/// The numbers of every picture, number by number: the number of bits by which energies are shifted, then the
/// difference of each to the one before.
pub fn encode_numbers(numbers: &[Numbers]) -> Vec<u8> {
    let most = numbers.iter().map(|numbers| numbers.kinetic_twice).max().unwrap_or(0);
    let shift = (u128::BITS - most.leading_zeros()).saturating_sub(ENERGY_BITS);
    let mut column = Column::default();
    column.put(shift.into());
    let rows: [fn(&Numbers, u32) -> i64; 5] = [
        |numbers, shift| (numbers.kinetic_twice >> shift) as i64,
        |numbers, _| numbers.impacts.into(),
        |numbers, _| numbers.impact_limited.into(),
        |numbers, _| numbers.asleep.into(),
        |numbers, _| numbers.bodies.into(),
    ];
    for row in rows {
        let mut before = 0;
        for numbers in numbers {
            let value = row(numbers, shift);
            column.put_signed(value - before);
            before = value;
        }
    }
    column.bytes().to_vec()
}
