//! An engine's answers, held against the exact ones.

use std::{fmt, path::Path};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;
use serde::Serialize;

use crate::{
    Depth, Distance, Overlap, Response, Scene, Sweep,
    exact::Number,
    files::read,
    response::Impact,
    solid::Point,
    tally::{Tally, angle, is_beyond_rounding},
};

/// A vector of fractions.
pub type Ratio3 = [BigRational; 3];

/// What an engine answers, as fractions in the units of the case. `None` where it has no such question or no such pair of solids.
pub trait Engine {
    /// Its name and version.
    fn name(&self) -> String;

    /// True if the solids overlap.
    fn overlap(&mut self, scene: &Scene) -> Option<bool>;

    /// The distance of two that are apart.
    fn distance(&mut self, scene: &Scene) -> Option<BigRational>;

    /// The penetration depth of two that overlap.
    fn depth(&mut self, case: &Depth) -> Option<BigRational>;

    /// The first touch: a fraction of the way, and the normal, of any length; within, `None` for no touch.
    fn sweep(&mut self, scene: &Scene, motion: Point) -> Option<Option<(BigRational, Ratio3)>>;

    /// The places of two balls after a tick, and their ways of the next one.
    fn response(&mut self, impact: &Impact) -> Option<[[Ratio3; 2]; 2]>;
}

/// How an engine does on some or all of the corpus.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Score {
    /// Answers about overlap.
    pub overlaps: u32,
    /// Those that say no where inner points are shared.
    pub overlaps_missed: u32,
    /// Those that say yes where no point is shared.
    pub overlaps_invented: u32,
    /// Those of either kind where it is a matter of rounding.
    pub overlaps_nearly: u32,
    /// Those that say yes where the solids touch, which is left to an engine.
    pub touches_as_overlaps: u32,
    /// Distances.
    pub distance: Tally,
    /// Depths.
    pub depth: Tally,
    /// Answers about sweeps.
    pub sweeps: u32,
    /// Those that say no where inner points come to be shared.
    pub sweeps_missed: u32,
    /// Those that say yes where no point comes to be shared.
    pub sweeps_invented: u32,
    /// Those of them where the solids pass each other by no more than rounding.
    pub sweeps_nearly: u32,
    /// Times of solids that go on into each other, as ways: under is early and over is late.
    pub time: Tally,
    /// Normals of these, where there is only one.
    pub normals: u32,
    /// Those that are off by a degree or more.
    pub normals_off: u32,
    /// The largest sine of the angle between a normal and the right one, in millionths.
    pub normal_worst: u64,
    /// Parts of places after an impact.
    pub place: Tally,
    /// Parts of velocities after an impact, as ways per tick.
    pub motion: Tally,
}

/// A degree's sine, in millionths.
const DEGREE: u64 = 17_453;

/// Asks an engine the cases of a folder, those of solids as far as they are wanted.
///
/// # Errors
/// The file or line of the corpus that is wrong.
pub fn score(engine: &mut dyn Engine, folder: &Path, wants: fn(&Scene) -> bool) -> Result<Score, String> {
    let mut score = Score::default();
    for case in read::<Overlap>(folder, "overlap")?.iter().filter(|case| wants(&case.scene)) {
        score.add_overlap(engine, case);
    }
    for case in read::<Distance>(folder, "distance")?.iter().filter(|case| wants(&case.scene)) {
        if let Some(said) = engine.distance(&case.scene) {
            score.distance.add(&said, &case.distance, &BigRational::one(), case.scene.size());
        }
    }
    for case in read::<Depth>(folder, "depth")?.iter().filter(|case| wants(&case.scene)) {
        if let Some(said) = engine.depth(case) {
            score.depth.add(&said, &case.depth, &BigRational::one(), case.scene.size());
        }
    }
    for case in read::<Sweep>(folder, "sweep")?.iter().filter(|case| wants(&case.scene)) {
        score.add_sweep(engine, case);
    }
    for case in read::<Response>(folder, "response")? {
        score.add_response(engine, &case);
    }
    Ok(score)
}

impl Score {
    fn add_overlap(&mut self, engine: &mut dyn Engine, case: &Overlap) {
        let Some(said) = engine.overlap(&case.scene) else { return };
        self.overlaps += 1;
        let (misses, invents) = (!said && case.sign < 0, said && case.sign > 0);
        self.overlaps_missed += u32::from(misses);
        self.overlaps_invented += u32::from(invents);
        let [low, high] = case.separation.bounds();
        let is_beyond = is_beyond_rounding(&low.max(-high), case.scene.size());
        self.overlaps_nearly += u32::from((misses || invents) && !is_beyond);
        self.touches_as_overlaps += u32::from(said && case.sign == 0);
    }

    fn add_sweep(&mut self, engine: &mut dyn Engine, case: &Sweep) {
        let Some(said) = engine.sweep(&case.scene, case.motion) else { return };
        self.sweeps += 1;
        let most = case.motion.into_iter().map(i64::abs).max().unwrap_or(0);
        let size = case.scene.size().max(most);
        let (Some(touch), Some((time, normal))) = (&case.touch, &said) else {
            self.sweeps_missed += u32::from(case.touch.as_ref().is_some_and(|touch| touch.enters));
            if let (Some(passes), true) = (&case.passes, said.is_some()) {
                self.sweeps_invented += 1;
                self.sweeps_nearly += u32::from(!is_beyond_rounding(&passes.bounds()[0], size));
            }
            return;
        };
        if !touch.enters {
            return; // a graze within rounding of the right one may be far from it in time
        }
        let way = BigRational::from(BigInt::from(most));
        self.time.add(time, &touch.time, &way, size);
        if let Some(right) = touch.normal {
            let off = angle(normal, &right.map(|part| BigRational::from(BigInt::from(part))));
            self.normals += 1;
            self.normals_off += u32::from(off > DEGREE);
            self.normal_worst = self.normal_worst.max(off);
        }
    }

    fn add_response(&mut self, engine: &mut dyn Engine, case: &Response) {
        let Some(said) = engine.response(&case.impact) else { return };
        let parts = case.impact.motions.iter().chain([&case.impact.offset]).flatten();
        let size = parts.map(|part| part.abs()).max().unwrap_or(0);
        let one = BigRational::one();
        let add = |tally: &mut Tally, said: &Ratio3, right: &[Number; 3]| {
            for (said, right) in said.iter().zip(right) {
                tally.add(said, right, &one, size);
            }
        };
        for ([place, motion], after) in said.iter().zip(&case.after) {
            add(&mut self.place, place, &after.place);
            add(&mut self.motion, motion, &after.motion);
        }
    }
}

impl Score {
    /// What there is to say, as names and values.
    #[must_use]
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let off =
            |tally: &Tally| [tally.answers.to_string(), tally.under.to_string(), tally.over.to_string()];
        let [distances, distances_under, distances_over] = off(&self.distance);
        let [depths, depths_under, depths_over] = off(&self.depth);
        let [places, places_under, places_over] = off(&self.place);
        let [motions, motions_under, motions_over] = off(&self.motion);
        vec![
            ("overlaps", self.overlaps.to_string()),
            ("- missed", self.overlaps_missed.to_string()),
            ("- invented", self.overlaps_invented.to_string()),
            ("  of both, within 256 of a touch", self.overlaps_nearly.to_string()),
            ("- touches called overlaps", self.touches_as_overlaps.to_string()),
            ("distances", distances),
            ("- too small", distances_under),
            ("- too large", distances_over),
            ("depths", depths),
            ("- too small", depths_under),
            ("- too large", depths_over),
            ("sweeps", self.sweeps.to_string()),
            ("- missed", self.sweeps_missed.to_string()),
            ("- invented", self.sweeps_invented.to_string()),
            ("  of which they pass within 256", self.sweeps_nearly.to_string()),
            ("- late", self.time.over.to_string()),
            ("- early", self.time.under.to_string()),
            ("normals", self.normals.to_string()),
            ("- off by a degree or more", self.normals_off.to_string()),
            ("- worst sine, millionths", self.normal_worst.to_string()),
            ("places after an impact, parts", places),
            ("- too small", places_under),
            ("- too large", places_over),
            ("ways of the next tick, parts", motions),
            ("- too small", motions_under),
            ("- too large", motions_over),
        ]
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().into_iter().try_for_each(|(name, value)| writeln!(f, "{name:<31} {value}"))
    }
}
