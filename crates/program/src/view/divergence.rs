//! The divergence of two recordings, for a page that shows both.

use anyhow::{Result, ensure};

use crate::comparison::{body_name, body_of, decimal, meaning};
use bitstep::{
    replay::{Judgement, Replay, compare},
    session::Simulation,
};

/// The result of a comparison.
pub struct Compared {
    /// The divergence, if there is one.
    pub divergence: Option<Divergence>,
    /// Notes on the known and the unknown, in sentences.
    pub notes: Vec<String>,
}

/// The divergence of two recordings, in words.
pub struct Divergence {
    /// The number of the first tick that differs.
    pub tick: u64,
    /// The slot of the body that the field belongs to.
    pub slot: Option<u32>,
    /// The game's name of that body; empty without one.
    pub body: String,
    pub verdict: String,
    pub phase: String,
    pub field: String,
    /// The values, left and right.
    pub values: [String; 2],
}

impl Divergence {
    /// The text in one line.
    pub fn line(&self) -> String {
        let Self { tick, phase, field, values: [left, right], .. } = self;
        let phase = if phase.is_empty() { String::new() } else { format!(", after {phase}") };
        let field = if field.is_empty() { String::new() } else { format!(": {field} is {left} and {right}") };
        format!("in tick {tick}{phase}{field}")
    }
}

/// Compares two recordings of one scenery.
///
/// # Errors
///
/// If their sceneries differ: a page has one.
pub fn find_divergence<S: Simulation>(left: &Replay<S>, right: &Replay<S>) -> Result<Compared> {
    let is_same = left.scenery().content_hash() == right.scenery().content_hash();
    ensure!(is_same, "the recordings have other sceneries: view them one by one");
    let comparison = compare(left, right);
    let judgement = comparison.judgement;
    if judgement == Judgement::Same {
        let mut notes = vec![format!("{judgement} {}", meaning(judgement))];
        notes.extend(comparison.notes);
        return Ok(Compared { divergence: None, notes });
    }
    let difference = comparison.difference.as_ref();
    let field = difference.map_or_else(String::new, |difference| difference.path.clone());
    let values = difference.map_or_else(Default::default, |difference| {
        [&difference.left, &difference.right].map(|value| decimal(value.as_ref()))
    });
    let begin = left.initial_state().tick_count().max(right.initial_state().tick_count());
    let divergence = Divergence {
        tick: comparison.tick.unwrap_or(begin),
        body: body_name(&[left, right], &comparison).unwrap_or_default(),
        slot: body_of(&field).and_then(|slot| slot.parse().ok()),
        verdict: format!("{judgement}: {}", meaning(judgement)),
        phase: comparison.phase.unwrap_or_default(),
        field,
        values,
    };
    Ok(Compared { divergence: Some(divergence), notes: comparison.notes })
}
