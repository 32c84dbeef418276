//! The cases, drawn by seed.
//!
//! A case is drawn from the name of its question and its number alone, so that any of them can be made again by itself.

mod dice;
mod impacts;
mod places;
mod solids;
mod sweeps;

use crate::{Depth, Distance, Overlap, Response, Scene, Sweep, exact};

use self::dice::Dice;

/// The number of pairs of kinds: a plane with each solid, and each solid with itself and those after it.
pub const PAIRS: u32 = 20;

/// The number of cases of each question, in the order of [`FILES`](crate::FILES).
pub const COUNTS: [u32; 5] = [PAIRS * 276, PAIRS * 188, PAIRS * 119, PAIRS * 350, 1_000];

/// The kinds of a pair, as indices into [`KINDS`](crate::KINDS).
#[must_use]
pub fn kinds_of(pair: u32) -> [usize; 2] {
    let pairs = (0..6).flat_map(|a| (a.max(1)..6).map(move |b| [a, b]));
    pairs.clone().nth(pair as usize).expect("twenty pairs")
}

/// A case of [`Overlap`].
#[must_use]
pub fn overlap(case: u32) -> Overlap {
    let scene = places::scene(&mut Dice::of("overlap", case), case, &places::ALL);
    Overlap { sign: exact::sign(&scene), separation: exact::separation(&scene), scene }
}

/// A case of [`Distance`].
#[must_use]
pub fn distance(case: u32) -> Distance {
    let scene = drawn("distance", case, 1, &places::APART);
    Distance { distance: exact::distance(&scene), scene }
}

/// A case of [`Depth`].
#[must_use]
pub fn depth(case: u32) -> Depth {
    let scene = drawn("depth", case, -1, &places::ALL);
    let (depth, direction) = exact::depth(&scene);
    Depth { scene, depth, direction }
}

/// A case of [`Sweep`].
#[must_use]
pub fn sweep(case: u32) -> Sweep {
    let mut dice = Dice::of("sweep", case);
    let (scene, motion) = std::iter::repeat_with(|| sweeps::scene(&mut dice, case))
        .find(|(scene, _)| exact::sign(scene) == 1)
        .expect("two that are apart");
    let touch = exact::touch(&scene, motion);
    let passes = touch.is_none().then(|| exact::passes(&scene, motion));
    Sweep { scene, motion, touch, passes }
}

/// A case of [`Response`].
#[must_use]
pub fn response(case: u32) -> Response {
    impacts::response(&mut Dice::of("response", case), case)
}

/// The first scene of a case whose solids are apart or overlap, as asked.
fn drawn(question: &str, case: u32, sign: i8, families: &[places::Family; 7]) -> Scene {
    let mut dice = Dice::of(question, case);
    std::iter::repeat_with(|| places::scene(&mut dice, case, families))
        .find(|scene| exact::sign(scene) == sign)
        .expect("such a scene")
}
