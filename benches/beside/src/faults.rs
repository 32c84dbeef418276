//! Faults of an engine, found from the positions that it shows, by arithmetic independent of the engines.

use std::collections::BTreeMap;

use bitstep::geom::Vec3;
use glam::DVec3;
use serde::Serialize;

use crate::{
    decimal, double,
    engines::{Engine, Moment},
    paths::{Path, Tick, paths},
    scenes::{Form, Scene, armies::ACCELERATION},
    solids::Solid,
};

#[cfg(test)]
mod armies;
#[cfg(test)]
mod tests;

/// The faults of all ticks that were watched; "beginning" is the first of them.
#[derive(Default, Serialize)]
pub struct Faults {
    pub ticks: u32,
    /// How often two bodies went through each other: nearer than half the distance at which they touch, and
    /// out again on the far side. Only balls are counted.
    pub bodies_passed: u64,
    /// How often a body's center went into a box by one face and out by another.
    pub boxes_passed: u64,
    /// The deepest overlap at the end of a tick, in radii; of two bodies, or of a body and a box. Of armies
    /// only foes count, here and in what passed; `None` where there are none.
    pub deepest: Option<f64>,
    /// The deepest overlap of two of one side at the end of a tick, in radii, and at the end of the last;
    /// `None` where there are no sides.
    pub friends: Option<[f64; 2]>,
    /// Number of bodies that were not at their targets at the end; `None` where there are no targets.
    pub not_there: Option<usize>,
    /// Energy at the end by energy at the beginning; `None` where velocities are set from outside.
    pub energy: Option<f64>,
    /// How fast bodies were at the end, on average, in units per second; `None` where neither gravity nor an
    /// army rests.
    pub speed: Option<f64>,
    /// How many goals were reached; `None` where there are none.
    pub goals: Option<u64>,
    /// How many bodies were outside of the scene at the end.
    pub escaped: usize,
    /// How many bodies were stopped in a tick because there was no room for them, on average; `None` for
    /// an engine that does not say.
    pub held: Option<f64>,
    /// The share of bodies, on average, whose path through a tick is unknown and passed nothing.
    pub unjudged: f64,
}

impl Faults {
    /// The initial value.
    fn none(scene: &Scene) -> Self {
        let friends = scene.army.as_ref().map(|_| [0.0; 2]);
        let has_solids =
            scene.army.as_ref().is_none_or(|army| army.sides.iter().any(|side| *side != army.sides[0]));
        Self { deepest: has_solids.then_some(0.0), friends, ..Self::default() }
    }

    fn deepen(&mut self, depth: f64) {
        self.deepest = self.deepest.map(|deepest| deepest.max(depth));
    }
}

/// Two that overlap: where one went in, seen from the other, and how near they came.
struct Inside {
    entry: DVec3,
    least: f64,
}

/// Looks at every tick of one engine.
pub struct Watch<'a> {
    scene: &'a Scene,
    radius: f64,
    solid: Solid,
    boxes: Vec<(DVec3, DVec3)>,
    moments: Vec<Moment>,
    energy: f64,
    pairs: BTreeMap<(usize, usize), Inside>,
    /// Bodies whose center is in a box, and the face by which it went in.
    sunk: BTreeMap<(usize, usize), usize>,
    faults: Faults,
}

impl<'a> Watch<'a> {
    pub fn new(scene: &'a Scene, engine: &dyn Engine) -> Self {
        let moments = engine.read();
        Self {
            scene,
            radius: decimal(scene.radius),
            solid: Solid::of(scene),
            boxes: scene.boxes.iter().map(|fixed| (double(fixed.center), double(fixed.half))).collect(),
            energy: energy(scene, &moments),
            moments,
            pairs: BTreeMap::new(),
            sunk: BTreeMap::new(),
            faults: Faults::none(scene),
        }
    }

    /// How far each would go in the next tick if nothing were in its way.
    fn free(&self, velocities: &[Vec3]) -> Vec<DVec3> {
        let rate = f64::from(self.scene.rate);
        let gravity = double(self.scene.gravity) / (rate * rate);
        let accel_max = ACCELERATION as f64 / rate;
        let free = |(index, moment): (usize, &Moment)| {
            let wanted = velocities.get(index).map_or(moment.velocity, |velocity| double(*velocity));
            let velocity = match self.scene.army {
                Some(_) => moment.velocity + (wanted - moment.velocity).clamp_length_max(accel_max),
                None => wanted,
            };
            velocity / rate + gravity / 2.0
        };
        self.moments.iter().enumerate().map(free).collect()
    }

    /// Call it after every tick, with the velocities given to the engine before it.
    pub fn look(&mut self, engine: &dyn Engine, velocities: &[Vec3]) {
        let after = engine.read();
        let tick = Tick {
            before: &self.moments,
            free: self.free(velocities),
            after: &after,
            impacts: engine.impacts(),
            restitution: self.scene.restitution.parse().expect("a decimal"),
            radius: self.radius,
        };
        let paths = paths(&tick);
        self.faults.ticks += 1;
        self.faults.unjudged += paths.iter().filter(|path| !path.known).count() as f64 / paths.len() as f64;
        if let Some(held) = engine.held() {
            *self.faults.held.get_or_insert(0.0) += held as f64;
        }
        if let Some([_, last]) = &mut self.faults.friends {
            *last = 0.0;
        }
        let reach = self.solid.reach();
        let bounds: Vec<_> = paths.iter().map(|path| path.bounds(reach)).collect();
        self.look_at_bodies(&paths, &bounds, &after);
        self.look_at_boxes(&paths, &bounds, &after);
        self.moments = after;
    }

    pub fn finish(mut self) -> Faults {
        let speeds = self.moments.iter().map(|moment| moment.velocity.length());
        let speed = speeds.sum::<f64>() / self.moments.len() as f64;
        self.faults.speed = (self.scene.gravity != Vec3::ZERO || self.scene.army.is_some()).then_some(speed);
        let ticks = f64::from(self.faults.ticks.max(1));
        let [low, high] = self.scene.arena.map(double);
        let outside = |moment: &&Moment| moment.position.clamp(low, high) != moment.position;
        self.faults.escaped = self.moments.iter().filter(outside).count();
        let energy = energy(self.scene, &self.moments) / self.energy;
        self.faults.energy = (!self.scene.steered && self.scene.army.is_none()).then_some(energy);
        self.faults.unjudged /= ticks;
        self.faults.held = self.faults.held.map(|held| held / ticks);
        self.faults
    }

    /// Every pair whose paths come near each other, found along x.
    fn look_at_bodies(&mut self, paths: &[Path], bounds: &[[DVec3; 2]], after: &[Moment]) {
        let mut order: Vec<_> = (0..paths.len()).collect();
        order.sort_by(|a, b| bounds[*a][0].x.total_cmp(&bounds[*b][0].x));
        for (place, &a) in order.iter().enumerate() {
            for &b in &order[place + 1..] {
                if bounds[b][0].x > bounds[a][1].x {
                    break;
                }
                if meet(bounds[a], bounds[b]) {
                    let depth = -self.solid.gap(&after[a], &after[b]) / self.radius;
                    if self.are_friends(a, b) {
                        let friends = self.faults.friends.get_or_insert_default();
                        *friends = friends.map(|deepest| deepest.max(depth));
                        continue;
                    }
                    self.faults.deepen(depth);
                    if matches!(self.scene.form, Form::Ball) {
                        self.follow((a.min(b), a.max(b)), paths);
                    }
                }
            }
        }
    }

    fn are_friends(&self, a: usize, b: usize) -> bool {
        self.scene.army.as_ref().is_some_and(|army| army.sides[a] == army.sides[b])
    }

    /// Follows one pair through the tick, leg by leg.
    fn follow(&mut self, pair: (usize, usize), paths: &[Path]) {
        let (a, b) = (&paths[pair.0], &paths[pair.1]);
        let mut inside = self.pairs.remove(&pair);
        if !(a.known && b.known) {
            return;
        }
        let reach = 2.0 * self.radius;
        let mut times: Vec<_> = a.knots.iter().chain(&b.knots).map(|(at, _)| *at).collect();
        times.sort_by(f64::total_cmp);
        for leg in times.windows(2) {
            let [from, to] = [leg[0], leg[1]].map(|at| b.at(at) - a.at(at));
            let way = to - from;
            let nearest = if way == DVec3::ZERO { 0.0 } else { -from.dot(way) / way.length_squared() };
            let square = reach * reach - (from + way * nearest).length_squared();
            if square <= 0.0 || way == DVec3::ZERO {
                continue;
            }
            let half = square.sqrt() / way.length();
            let least = (from + way * nearest.clamp(0.0, 1.0)).length();
            if from.length() < reach || (0.0..=1.0).contains(&(nearest - half)) {
                let entry = from + way * (nearest - half).max(0.0);
                let found = inside.get_or_insert(Inside { entry, least });
                found.least = found.least.min(least);
            }
            if nearest + half <= 1.0
                && let Some(Inside { entry, least }) = inside.take()
            {
                let far_side = entry.dot(from + way * (nearest + half)) < 0.0;
                self.faults.bodies_passed += u64::from(far_side && least < reach / 2.0);
            }
        }
        if let Some(inside) = inside {
            self.pairs.insert(pair, inside);
        }
    }

    fn look_at_boxes(&mut self, paths: &[Path], bounds: &[[DVec3; 2]], after: &[Moment]) {
        for (body, path) in paths.iter().enumerate() {
            for (index, &(center, half)) in self.boxes.iter().enumerate() {
                if !meet(bounds[body], [center - half, center + half]) {
                    continue;
                }
                let gap = self.solid.gap_to_box(&after[body], center, half);
                self.faults.deepen(-gap / self.radius);
                let mut face = self.sunk.remove(&(body, index));
                for leg in path.knots.windows(2).filter(|_| path.known) {
                    let (entry, exit) = faces(leg[0].1 - center, leg[1].1 - center, half);
                    face = entry.or(face);
                    if exit.is_some() {
                        self.faults.boxes_passed += u64::from(face.is_some() && face != exit);
                        face = None;
                    }
                }
                if let Some(face) = face {
                    self.sunk.insert((body, index), face);
                }
            }
        }
    }
}

fn meet(a: [DVec3; 2], b: [DVec3; 2]) -> bool {
    a[0].cmple(b[1]).all() && b[0].cmple(a[1]).all()
}

/// By which face of a box at the origin a straight leg goes in, and by which it comes out.
fn faces(from: DVec3, to: DVec3, half: DVec3) -> (Option<usize>, Option<usize>) {
    let ((mut enter, mut exit), mut faces) = ((f64::NEG_INFINITY, f64::INFINITY), (0, 0));
    for axis in 0..3 {
        let (start, way) = (from[axis], to[axis] - from[axis]);
        if way == 0.0 {
            if start.abs() >= half[axis] {
                return (None, None);
            }
            continue;
        }
        let [near, far] = [-half[axis], half[axis]].map(|side| (side * way.signum() - start) / way);
        let [near_face, far_face] = if way > 0.0 { [0, 1] } else { [1, 0] };
        if near > enter {
            (enter, faces.0) = (near, 2 * axis + near_face);
        }
        if far < exit {
            (exit, faces.1) = (far, 2 * axis + far_face);
        }
    }
    let within = |at: f64| enter < exit && (0.0..=1.0).contains(&at);
    (within(enter).then_some(faces.0), within(exit).then_some(faces.1))
}

/// Kinetic energy and height in the field of gravity, of bodies of mass 1.
fn energy(scene: &Scene, moments: &[Moment]) -> f64 {
    let gravity = double(scene.gravity);
    let of = |moment: &Moment| moment.velocity.length_squared() / 2.0 - gravity.dot(moment.position);
    moments.iter().map(of).sum()
}
