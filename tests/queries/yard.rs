//! Crowded worlds in which touching and ties are common, their images, and questions about them.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Rng, Scalar, rng::Draws},
    query::{PointQuery, Ray, ShapeCast},
    shape::{Obb, Shape},
    state::{BodyId, Command, Limits, Material, MaterialId, Scenery, SceneryBuilder, ShapeId, Spawn},
};

use crate::support::{change::Change, s, v};

pub const ONE: i64 = 1 << 32;

/// Balls, boxes and capsules of several sizes, some of them tiny or huge, slanted boxes, and planes.
fn solids() -> Vec<Shape> {
    let slanted = Rotation::from_quaternion(s("3"), s("1"), s("-2"), s("0.5")).unwrap();
    let plane =
        |x, y, z| Shape::Plane(Plane::from_point_normal(v("0", "0", "0"), Normal::new(x, y, z)).unwrap());
    vec![
        Shape::sphere(s("0.5")),
        Shape::sphere(s("0.25")),
        Shape::sphere(s("0.0000000003")),
        Shape::sphere(s("1.5")),
        Shape::aabb(v("0.5", "0.5", "0.5")),
        Shape::aabb(v("0.25", "1", "0.5")),
        Shape::capsule(v("0.25", "0.5", "-0.25"), s("0.25")),
        Shape::capsule(v("0", "0", "0.5"), s("0.5")),
        Shape::obb(v("0.5", "0.25", "0.75"), slanted),
        // The following shapes rotate.
        Shape::Obb(Obb::along_axes(v("0.25", "1", "0.5"))),
        Shape::capsule(v("0", "0.75", "0"), s("0.25")),
        Shape::sphere(s("0.75")),
        // The following shapes are for statics only.
        Shape::aabb(v("3", "0.25", "0.0000000003")),
        Shape::sphere(s("2")),
        Shape::obb(v("1", "0.5", "0.25"), Rotation::IDENTITY),
        Shape::obb(v("2", "0.5", "0.75"), slanted),
        Shape::Obb(Obb { half_edges: [v("1", "1", "0"), v("-1", "1", "0"), v("0", "0", "1")] }),
        Shape::capsule(v("2", "-1", "0"), s("0.0000000003")),
        plane(0, 1, 0),
        plane(-3, 4, 0),
    ]
}

const TURNING: u16 = 9;
const FOR_BODIES: u64 = 12;
const BOUNDED: u64 = 18;

/// A place on a grid of quarters, where solids touch; or anywhere.
fn place(draws: &mut Draws, units: i64) -> Vec3 {
    let quarters = draws.below(5) > 0;
    let mut raw = || {
        if quarters {
            draws.between(-4 * units, 4 * units) << 30
        } else {
            draws.between(-units * ONE, units * ONE)
        }
    };
    Vec3::from_raw([raw(), raw(), raw()])
}

/// A quarter turn, or any.
fn rotation(draws: &mut Draws) -> Rotation {
    let most = if draws.below(3) == 0 { 1 } else { ONE };
    let [w, x, y, z] = [(); 4].map(|()| Scalar::from_bits(draws.between(-most, most)));
    Rotation::from_quaternion(w, x, y, z).unwrap_or(Rotation::IDENTITY)
}

/// The content of a yard, before it is mirrored.
pub struct Yard {
    solids: Vec<Shape>,
    statics: Vec<(usize, Vec3)>,
    spawns: Vec<(u16, Vec3, Rotation)>,
    removed: Vec<u32>,
    half: i64,
}

impl Yard {
    /// The yard of a seed: `tries` bodies within so many units each way, where there is room.
    pub fn new(seed: u64, tries: u64, half: i64) -> Self {
        let mut draws = Rng::new(seed).at(0, 0, 0);
        let mut statics: Vec<_> = (0..tries / 8)
            .map(|_| (draws.between(0, BOUNDED as i64 - 1) as usize, place(&mut draws, half)))
            .collect();
        let floor = Vec3::from_raw([0, -half * ONE - (1 << 31), 0]);
        statics.push((BOUNDED as usize, floor));
        statics.insert(1, (BOUNDED as usize + 1, Vec3::from_raw([2 * half * ONE, 0, 0])));
        let spawn = |_| {
            let shape = draws.below(FOR_BODIES) as u16;
            let turned = if shape < TURNING { Rotation::IDENTITY } else { rotation(&mut draws) };
            (shape, place(&mut draws, half), turned)
        };
        let spawns = (0..tries).map(spawn).collect();
        let removed = (0..tries as u32 / 10).map(|index| index * 7).collect();
        Self { solids: solids(), statics, spawns, removed, half }
    }

    /// The world of it, changed.
    pub fn world(&self, change: &Change) -> World {
        let mut world = World::new(Limits::new(60), self.scenery(change)).unwrap();
        let spawn = |&(shape, position, turned): &(u16, Vec3, Rotation)| {
            let (material, rotates) = (MaterialId(0), shape >= TURNING);
            let orientation = change.rotation(turned);
            let plain = Spawn::new(ShapeId(shape), change.point(position));
            Command::Spawn(Spawn { material, rotates, orientation, ..plain })
        };
        let spawns: Vec<Command> = self.spawns.iter().map(spawn).collect();
        let _ = world.apply(&spawns);
        let remove = |&slot: &u32| Command::Remove { body: BodyId::from_parts(slot, 0) };
        let _ = world.apply(&self.removed.iter().map(remove).collect::<Vec<_>>());
        let _ = world.apply(&spawns[..spawns.len() / 4]); // some slots have a second body
        world
    }

    fn scenery(&self, change: &Change) -> Arc<Scenery> {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        for solid in &self.solids {
            builder.shape(change.shape(solid));
        }
        for &(shape, position) in &self.statics {
            builder.fixed(ShapeId(shape as u16), material, change.point(position));
        }
        builder.build().unwrap()
    }

    /// Rays from grid points and from anywhere: along axes, diagonal, to anywhere, huge, of no length.
    pub fn ray(&self, index: u64) -> Ray {
        let mut draws = Rng::new(91).at(1, index, 0);
        let origin = place(&mut draws, self.half + 2);
        let way = match draws.below(10) {
            0..=2 => along_an_axis(&mut draws, 4 * self.half),
            3 => Vec3::from_raw([(); 3].map(|()| draws.between(-1, 1) * 8 * ONE)),
            4 => Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 57, 1 << 57))),
            5 => along_an_axis(&mut draws, 1 << 25),
            6 => Vec3::ZERO,
            _ => place(&mut draws, 3 * self.half),
        };
        Ray { origin, displacement: way }
    }

    /// A ball or a box on a path of up to the longest that is accepted.
    pub fn sweep(&self, index: u64) -> ShapeCast {
        let mut draws = Rng::new(92).at(2, index, 0);
        let shape = self.solids[draws.below(BOUNDED) as usize].clone();
        let Ray { origin, displacement: way } = self.ray(index);
        let most = 8192 * ONE;
        ShapeCast { shape, origin, displacement: way.map_raw(|c| c.clamp(-most, most)) }
    }

    /// Balls of no size, of quarters, of any size, and as large as may be.
    pub fn ball(&self, index: u64) -> PointQuery {
        let mut draws = Rng::new(93).at(3, index, 0);
        let center = place(&mut draws, self.half + 2);
        let radius = match draws.below(8) {
            0 => 0,
            1..=4 => draws.between(0, 12) << 30,
            5 => 1 << 57,
            _ => draws.between(0, 4 * ONE),
        };
        PointQuery { center, radius: Scalar::from_bits(radius) }
    }

    /// Any shape anywhere.
    pub fn placed(&self, index: u64) -> (Shape, Vec3) {
        let mut draws = Rng::new(94).at(4, index, 0);
        (self.solids[draws.below(self.solids.len() as u64) as usize].clone(), place(&mut draws, self.half))
    }
}

fn along_an_axis(draws: &mut Draws, units: i64) -> Vec3 {
    let mut raw = [0; 3];
    raw[draws.below(3) as usize] = draws.between(-units, units) * ONE;
    Vec3::from_raw(raw)
}
