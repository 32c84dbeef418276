//! `bitstep` on the whole corpus.

use std::path::Path;

use bitstep_conformance::{Bitstep, CASES, Depth, Engine, Impact, Point, Scene, Score, score};
use num_bigint::BigInt;
use num_rational::BigRational;

fn of(engine: &mut dyn Engine) -> Score {
    score(engine, Path::new(CASES), |_| true).expect("a corpus")
}

#[test]
fn bitstep_is_never_late_and_never_wrong() {
    let score = of(&mut Bitstep);
    println!("{score}");
    assert!(score.overlaps > 5_200 && score.sweeps > 6_600 && score.distance.answers > 3_500);
    assert_eq!([score.overlaps_missed, score.overlaps_invented, score.touches_as_overlaps], [0; 3]);
    assert_eq!([score.sweeps_missed, score.time.over.count, score.depth.under.count], [0; 3]);
    assert_eq!([score.sweeps_invented, score.time.under.beyond], [0; 2]);
    // Instants are 2^-32 of a tick apart: what is 2^-19 of a unit large and moves by hundreds of units turns its normal in less.
    assert!(score.normals_off <= 16, "{score}");
    // Bodies without any restitution are pressed together from the beginning of the tick, and go another way in it.
    assert!(score.place.under.beyond + score.place.over.beyond <= 2, "{score}");
}

#[test]
fn bitstep_is_off_by_less_than_rounding_where_floats_are_exact() {
    let score = score(&mut Bitstep, Path::new(CASES), |scene| scene.unit == -10).expect("a corpus");
    assert_eq!([score.sweeps_invented, score.normals_off, score.time.under.beyond], [0; 3], "{score}");
    // Distances of boxes are the least along their axes, as their sweeps have them: too small, and never too large.
    assert_eq!([score.distance.over.beyond, score.depth.over.beyond], [0; 2], "{score}");
}

/// `bitstep` with a fault.
struct Wrong(u8);

fn ratio(n: i64, d: i64) -> BigRational {
    BigRational::new(BigInt::from(n), BigInt::from(d))
}

impl Engine for Wrong {
    fn name(&self) -> String {
        "wrong".into()
    }

    fn overlap(&mut self, scene: &Scene) -> Option<bool> {
        Bitstep.overlap(scene).map(|said| said != (self.0 == 0))
    }

    fn distance(&mut self, scene: &Scene) -> Option<BigRational> {
        Bitstep.distance(scene).map(|said| said + ratio(i64::from(self.0 == 1), 1))
    }

    fn depth(&mut self, case: &Depth) -> Option<BigRational> {
        Bitstep.depth(case).map(|said| said - ratio(i64::from(self.0 == 2), 1))
    }

    fn sweep(&mut self, scene: &Scene, motion: Point) -> Option<Option<(BigRational, [BigRational; 3])>> {
        let said = Bitstep.sweep(scene, motion)?;
        Some(match self.0 {
            3 => None,
            4 => said.or_else(|| Some((ratio(1, 2), [ratio(1, 1), ratio(0, 1), ratio(0, 1)]))),
            5 => said.map(|(time, normal)| (time + ratio(1, 1 << 20), normal)),
            6 => said.map(|(time, normal)| (time, normal.map(|part| -part))),
            _ => said,
        })
    }

    fn response(&mut self, impact: &Impact) -> Option<[[[BigRational; 3]; 2]; 2]> {
        let said = Bitstep.response(impact)?;
        Some(if self.0 == 7 { [said[1].clone(), said[0].clone()] } else { said })
    }
}

#[test]
fn faults_are_seen_by_the_judge() {
    let right = of(&mut Bitstep);
    let wrong: Vec<Score> = (0..8).map(|fault| of(&mut Wrong(fault))).collect();
    assert_eq!(
        wrong[0].overlaps_missed + wrong[0].overlaps_invented + wrong[0].touches_as_overlaps,
        right.overlaps
    );
    assert!(wrong[1].distance.over.beyond > right.distance.over.beyond);
    assert!(wrong[2].depth.under.count > right.depth.under.count);
    assert!(wrong[3].sweeps_missed > 2_000);
    assert!(wrong[4].sweeps_invented > 1_000);
    assert!(wrong[5].time.over.count > 3_000);
    assert_eq!(wrong[6].normals_off, wrong[6].normals);
    assert!(wrong[7].motion.over.beyond > 500);
}
