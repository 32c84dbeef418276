//! Paths drawn by hand, with their faults.

use bitstep::num::lit;
use glam::DQuat;

use super::*;
use crate::{
    engines::Impact,
    scenes::{Fixed, Form, RATE, Start, elastic},
};

/// An engine that shows given positions.
pub(super) struct Drawn {
    pub(super) moments: Vec<Moment>,
    pub(super) impacts: Option<Vec<Impact>>,
}

impl Engine for Drawn {
    fn tick(&mut self, _: &[Vec3]) {}

    fn read(&self) -> Vec<Moment> {
        self.moments.clone()
    }

    fn add(&mut self, _: &Scene, _: &Start) {}

    fn awake(&self) -> usize {
        self.moments.len()
    }

    fn impacts(&self) -> Option<Vec<Impact>> {
        let copy = |impact: &Impact| Impact { ..*impact };
        self.impacts.as_ref().map(|impacts| impacts.iter().map(copy).collect())
    }
}

/// Balls of radius .25, and a wall .04 thick across x = 10.
pub(super) fn scene() -> Scene {
    let at = |x, y, z| Vec3::new(x, y, z);
    let wall = Fixed { center: at(lit("10"), lit("0"), lit("0")), half: at(lit("0.02"), lit("5"), lit("5")) };
    let far = Vec3::splat(lit("20"));
    Scene { boxes: vec![wall], arena: [-far, far], settling: 0, ..elastic(lit("0.25").to_bits(), far) }
}

/// Balls in the plane z = 0 that move by these displacements per tick, in straight lines.
pub(super) fn straight(balls: &[[[f64; 2]; 2]]) -> Vec<Moment> {
    let flat = |[x, y]: [f64; 2]| DVec3::new(x, y, 0.0);
    balls
        .iter()
        .map(|[at, by]| Moment {
            position: flat(*at),
            velocity: flat(*by) * f64::from(RATE),
            orientation: DQuat::IDENTITY,
        })
        .collect()
}

/// The faults when bodies are shown so, tick after tick.
fn found(ticks: Vec<Vec<Moment>>, impacts: Option<Vec<Impact>>) -> Faults {
    let scene = scene();
    let mut ticks = ticks.into_iter().map(|moments| Drawn { moments, impacts: None });
    let mut watch = Watch::new(&scene, &ticks.next().unwrap());
    let mut impacts = Some(impacts);
    for mut tick in ticks {
        tick.impacts = impacts.take().unwrap_or_default();
        watch.look(&tick, &[]);
    }
    watch.finish()
}

fn deepest(faults: &Faults) -> f64 {
    faults.deepest.expect("something solid")
}

/// The same bodies after each of some ticks of free flight.
pub(super) fn flight(balls: &[[[f64; 2]; 2]], ticks: usize) -> Vec<Vec<Moment>> {
    let after = |tick: usize| {
        let moved = |[at, by]: &[[f64; 2]; 2]| [[0, 1].map(|axis| at[axis] + by[axis] * tick as f64), *by];
        straight(&balls.iter().map(moved).collect::<Vec<_>>())
    };
    (0..=ticks).map(after).collect()
}

#[test]
fn bodies_that_swap_sides_passed_through_each_other() {
    for ticks in 1..=7 {
        let speed = 2.0 / ticks as f64;
        let balls = [[[-1.0, 0.0], [speed, 0.0]], [[1.0, 0.1], [-speed, 0.0]]];
        assert_eq!(found(flight(&balls, ticks), None).bodies_passed, 1, "in {ticks} ticks");
    }
}

#[test]
fn a_graze_and_a_bounce_are_no_passage() {
    let graze = [[[-1.0, 0.0], [2.0, 0.0]], [[1.0, 0.3], [-2.0, 0.0]]];
    assert_eq!(found(flight(&graze, 1), None).bodies_passed, 0);
    let (to, fro) = (
        [[[-1.0, 0.0], [0.9, 0.0]], [[1.0, 0.0], [-0.9, 0.0]]],
        [[[-1.0, 0.0], [-0.9, 0.0]], [[1.0, 0.0], [0.9, 0.0]]],
    );
    let deep = [[[-0.1, 0.0], [0.9, 0.0]], [[0.1, 0.0], [-0.9, 0.0]]];
    let faults = found(vec![straight(&to), straight(&deep), straight(&fro)], None);
    assert_eq!((faults.bodies_passed, faults.unjudged), (0, 0.0));
    assert!((deepest(&faults) - 1.2).abs() < 1e-12, "{}", deepest(&faults));
}

/// Balls of radius .25 would touch neither each other nor the wall, past whose edge they are.
#[test]
fn cubes_overlap_by_their_least_depth() {
    let overlap = |at: [[f64; 2]; 2]| {
        let scene = Scene { form: Form::Box(Vec3::splat(lit("0.25"))), ..scene() };
        let drawn = || Drawn { moments: straight(&at.map(|at| [at, [0.0, 0.0]])), impacts: None };
        let mut watch = Watch::new(&scene, &drawn());
        watch.look(&drawn(), &[]);
        deepest(&watch.finish())
    };
    assert!((overlap([[0.0, 0.0], [0.4, 0.45]]) - 0.2).abs() < 1e-12);
    assert!((overlap([[0.0, 0.0], [9.76, 5.23]]) - 0.08).abs() < 1e-6);
    assert_eq!(overlap([[0.0, 0.0], [0.5, 0.1]]), 0.0);
}

#[test]
fn a_wall_is_passed_where_a_center_comes_out_on_the_far_side() {
    let through = |ticks: usize| flight(&[[[9.4, 0.0], [1.2 / ticks as f64, 0.0]]], ticks);
    for ticks in 1..=5 {
        assert_eq!(found(through(ticks), None).boxes_passed, 1, "in {ticks} ticks");
    }
    let stopped = flight(&[[[9.0, 0.0], [0.7, 0.0]]], 1);
    assert_eq!(found(stopped, None).boxes_passed, 0);
    let sunk_and_back = [[[9.9, 0.0], [0.1, 0.0]], [[10.0, 0.0], [-0.1, 0.0]], [[9.9, 0.0], [-0.1, 0.0]]];
    let faults = found(sunk_and_back.iter().map(|ball| straight(&[*ball])).collect(), None);
    assert_eq!(faults.boxes_passed, 0);
    assert!((deepest(&faults) - 1.08).abs() < 1e-6, "{}", deepest(&faults));
}

/// A turns at half time, off a slanted wall or off B; C stands where A goes, or where only
/// its chord goes.
#[test]
fn a_path_bends_where_the_engine_says() {
    let slant = DVec3::new(1.0, -1.0, 0.0).normalize();
    let off_wall = || Some(vec![Impact { at: 0.5, a: 0, b: None, normal: slant, closing: 2f64.sqrt() }]);
    let beside = |c: [f64; 2]| {
        let before = straight(&[[[0.0, 0.0], [2.0, 0.0]], [c, [0.0, 0.0]]]);
        let after = straight(&[[[1.0, 1.0], [0.0, 2.0]], [c, [0.0, 0.0]]]);
        let faults = found(vec![before, after], off_wall());
        assert_eq!(faults.unjudged, 0.0);
        faults.bodies_passed
    };
    assert_eq!(beside([1.0, 0.4]), 1);
    assert_eq!(beside([0.5, 0.5]), 0);

    let before = straight(&[[[0.0, 0.0], [2.0, 0.0]], [[1.35, -0.65], [0.0, 0.6]]]);
    let after = straight(&[[[1.35, 0.65], [0.7, 1.3]], [[2.0, -0.7], [1.3, -0.7]]]);
    let off_body = Impact { at: 0.5, a: 0, b: Some(1), normal: slant, closing: 2.6 / 2f64.sqrt() };
    let faults = found(vec![before, after], Some(vec![off_body]));
    assert_eq!((faults.bodies_passed, faults.unjudged), (0, 0.0));
}

#[test]
fn a_body_that_turned_without_a_word_is_not_judged() {
    let turned = straight(&[[[1.0, 1.0], [0.0, 9.0]], [[0.5, 0.5], [0.0, 0.0]]]);
    let before = straight(&[[[0.0, 0.0], [9.0, 0.0]], [[0.5, 0.5], [0.0, 0.0]]]);
    let faults = found(vec![before, turned], None);
    assert_eq!((faults.bodies_passed, faults.unjudged), (0, 0.5));
}
