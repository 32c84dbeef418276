//! `bitstep`, asked.

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::Scalar,
    overlap::{distance_shapes_ceil, manifold_shapes, overlap_shapes},
    shape::{Capsule, Hull, Obb, Shape},
    state::{Command, Limits, Material, SceneryBuilder, Spawn},
    sweep::sweep_shapes,
    tick::TickReport,
};
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::{
    Depth, Engine, Impact, Scene,
    score::Ratio3,
    solid::{Point, Solid, half_edges},
};

/// The library of this checkout, by its public functions. The numbers of the corpus are numbers of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bitstep;

/// Raw units in a unit of a case.
fn raw_per_unit(unit: i32) -> i64 {
    1 << (32 + unit)
}

fn vector(point: Point, unit: i32) -> Vec3 {
    Vec3::from_raw(point.map(|part| part * raw_per_unit(unit)))
}

fn scalar(length: i64, unit: i32) -> Scalar {
    Scalar::from_bits(length * raw_per_unit(unit))
}

/// The shape, and its origin: of a hull the center of mass. `None` for a hull whose points are not on its grid, which has 20 bits.
fn shape(solid: &Solid, unit: i32) -> Option<(Shape, Vec3)> {
    let shape = match solid {
        Solid::Sphere(radius) => Shape::sphere(scalar(*radius, unit)),
        Solid::Capsule { axis, radius } => {
            Shape::Capsule(Capsule::new(vector(*axis, unit), scalar(*radius, unit)))
        }
        Solid::Box(half) => Shape::aabb(vector(*half, unit)),
        Solid::TurnedBox { half, rotation } => {
            Shape::Obb(Obb { half_edges: half_edges(*half, *rotation).map(|edge| vector(edge, unit)) })
        }
        Solid::Hull(points) => {
            let points: Vec<Vec3> = points.iter().map(|point| vector(*point, unit)).collect();
            let hull = Hull::upright(&points).expect("a hull of the corpus is one");
            let center = hull.center();
            let is_point = |corner: &Vec3| points.contains(&(center + *corner));
            return hull.corners().iter().all(is_point).then(|| (Shape::hull(hull), center));
        }
        Solid::Plane(normal) => {
            let [x, y, z] = normal.map(|part| i32::try_from(part).expect("a normal of the corpus is small"));
            let normal = Normal::new(x, y, z);
            Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).expect("a normal is not zero"))
        }
    };
    Some((shape, Vec3::ZERO))
}

/// Both shapes, and B's origin from A's.
fn shapes(scene: &Scene) -> Option<([Shape; 2], Vec3)> {
    let (a, center_a) = shape(&scene.a, scene.unit)?;
    let (b, center_b) = shape(&scene.b, scene.unit)?;
    Some(([a, b], vector(scene.offset, scene.unit) + center_b - center_a))
}

fn ratio(raw: i64, unit: i32) -> BigRational {
    BigRational::new(BigInt::from(raw), BigInt::from(raw_per_unit(unit)))
}

fn ratios(vector: Vec3, unit: i32) -> Ratio3 {
    vector.raw().map(|raw| ratio(raw, unit))
}

impl Engine for Bitstep {
    fn name(&self) -> String {
        "bitstep".into()
    }

    fn overlap(&mut self, scene: &Scene) -> Option<bool> {
        let ([a, b], offset) = shapes(scene)?;
        Some(overlap_shapes(&a, &b, offset))
    }

    fn distance(&mut self, scene: &Scene) -> Option<BigRational> {
        let ([a, b], offset) = shapes(scene)?;
        let distance = distance_shapes_ceil(&a, &b, offset)?;
        Some(ratio(distance.to_bits(), scene.unit))
    }

    /// The deepest point of contact along the direction of the case, where there is one.
    fn depth(&mut self, case: &Depth) -> Option<BigRational> {
        let ([a, b], offset) = shapes(&case.scene)?;
        let normal = Normal::from_wide(case.direction?.map(|part| i128::from(part) << 30))?.unit_q30()?;
        let manifold = manifold_shapes(&a, &b, offset, normal, Scalar::ZERO);
        let least = manifold.points().iter().map(|point| point.gap).min()?;
        Some(-ratio(least.to_bits(), case.scene.unit))
    }

    fn sweep(&mut self, scene: &Scene, motion: Point) -> Option<Option<(BigRational, Ratio3)>> {
        let ([a, b], offset) = shapes(scene)?;
        let hit = sweep_shapes(&a, &b, offset, vector(motion, scene.unit), Scalar::ZERO);
        Some(hit.map(|hit| {
            let normal = hit.normal.components().map(|part| BigRational::from(BigInt::from(part)));
            (BigRational::new(BigInt::from(hit.toi.raw()), BigInt::from(1_u64 << 32)), normal)
        }))
    }

    fn response(&mut self, impact: &Impact) -> Option<[[Ratio3; 2]; 2]> {
        let unit = impact.unit;
        let mut scenery = SceneryBuilder::default();
        let restitution = Material::from_q16(impact.restitution << 12, 0).expect("at most one");
        let material = scenery.material(restitution);
        let balls = impact.radii.map(|radius| scenery.shape(Shape::sphere(scalar(radius, unit))));
        let places = [[0; 3], impact.offset].map(|point| vector(point, unit));
        let is_fixed = |i: usize| impact.masses[i] == 0;
        for i in (0..2).filter(|&i| is_fixed(i)) {
            scenery.fixed(balls[i], material, places[i]);
        }
        let mut world = World::new(Limits::new(60), scenery.build().expect("a scenery")).expect("a world");
        let spawn = |i: usize| {
            let velocity = vector(impact.motions[i], unit);
            Command::Spawn(Spawn {
                material,
                velocity,
                mass: impact.masses[i],
                ..Spawn::new(balls[i], places[i])
            })
        };
        let commands: Vec<Command> = (0..2).filter(|&i| !is_fixed(i)).map(spawn).collect();
        world.tick(&commands, &mut TickReport::default()).accepted().expect("balls that are apart");
        let mut after =
            world.bodies().map(|(_, body)| [ratios(body.position, unit), ratios(body.velocity(), unit)]);
        let mut of = |i: usize| {
            if is_fixed(i) { Some([ratios(places[i], unit), ratios(Vec3::ZERO, unit)]) } else { after.next() }
        };
        Some([of(0)?, of(1)?])
    }
}
