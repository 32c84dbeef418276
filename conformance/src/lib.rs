//! Questions of collision with exact answers, for any physics engine.
//!
//! `cases/` has them, a line of JSON each; the README says how to read them. This crate made them ([`draw`], [`exact`]), and asks them of
//! an engine ([`Engine`]) and says how far its answers are off ([`score`]): in whole numbers and fractions, so that no rounding of the
//! judge is held against the engine. `bitstep` itself is asked by [`Bitstep`]; the engines of `benches/beside` are asked there.

mod bitstep;
mod cases;
pub mod draw;
pub mod exact;
mod files;
mod response;
mod score;
mod solid;
mod tally;

pub use self::{
    bitstep::Bitstep,
    cases::{Depth, Distance, Overlap, Response, Sweep},
    files::{CASES, FILES, Header, cases_of, read},
    response::{After, Impact},
    score::{Engine, Score, score},
    solid::{KINDS, Point, Solid, half_edges},
    tally::{Off, Tally},
};

use serde::{Deserialize, Serialize};

/// Two solids: A at the origin, and B at an offset.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Scene {
    /// The number of the case in its file, from 0.
    pub case: u32,
    /// The name of what makes it hard.
    pub family: String,
    /// All lengths are whole numbers times 2 to the power of this: -10, then 24 bits hold each of them, or -24, then 40 do.
    pub unit: i32,
    /// The solid at the origin.
    pub a: Solid,
    /// The other one, never a plane.
    pub b: Solid,
    /// B's origin.
    pub offset: Point,
}

impl Scene {
    /// The largest number in it: the precision of an engine is counted in parts of this.
    #[must_use]
    pub fn size(&self) -> i64 {
        let offset = self.offset.into_iter().map(i64::abs).max().unwrap_or(0);
        offset.max(self.a.size()).max(self.b.size())
    }
}
