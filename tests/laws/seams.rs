//! The seams of floors: what slides or rolls over tiles of one height moves as on one box.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Rng, Scalar, lit, rng::Draws},
    query::QueryFilter,
    shape::Shape,
    state::{Body, BodyType, Command, Limits, Material, Scenery, SceneryBuilder, ShapeId, Spawn},
    tick::{TickReport, touch_gap},
};

use crate::support::{every, overlaps, s, v};

const RATES: [u32; 5] = [20, 30, 60, 120, 240];

/// What moves over the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slider {
    /// A cube of half .5 that does not rotate.
    Locked,
    /// A cube that may rotate.
    Cube,
    /// A ball of radius .5.
    Ball,
    /// A capsule of radius .3 and half length .4 along z.
    Capsule,
}

/// The tiles of 2 x 2 units, all with their tops at y = 0; odd ones differ from even ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Floor {
    /// One box instead of tiles.
    Slab,
    Equal,
    /// Thin and thick ones.
    Thick,
    /// Oriented boxes and boxes along the axes.
    Oriented,
    /// Static and kinematic bodies.
    Bodies,
    /// A thousandth of a unit apart.
    Apart,
    /// The odd ones are so much lower, in units.
    Lower(&'static str),
}

#[derive(Clone, Copy, Debug)]
struct Run {
    slider: Slider,
    floor: Floor,
    friction: &'static str,
    rate: u32,
    /// Units per second.
    velocity: Vec3,
    start: Vec3,
    /// The rotation of the whole scene but for gravity.
    tilt: Rotation,
}

fn slider_shape(slider: Slider, tilt: Rotation) -> (Shape, Scalar) {
    let half = v("0.5", "0.5", "0.5");
    match slider {
        Slider::Locked if tilt == Rotation::IDENTITY => (Shape::aabb(half), s("0.5")),
        Slider::Locked => (Shape::obb(half, tilt), s("0.5")),
        Slider::Cube => (Shape::obb(half, Rotation::IDENTITY), s("0.5")),
        Slider::Ball => (Shape::sphere(s("0.5")), s("0.5")),
        Slider::Capsule => (Shape::capsule(v("0", "0", "0.4"), s("0.3")), s("0.3")),
    }
}

impl Run {
    /// The box of a tile, and its place.
    fn tile(&self, odd: bool) -> (Shape, Vec3) {
        let (half, top) = match self.floor {
            Floor::Thick => (if odd { "0.0625" } else { "2" }, Scalar::ZERO),
            Floor::Lower(lower) if odd => ("0.5", -s(lower)),
            _ => ("0.5", Scalar::ZERO),
        };
        let extent = v("1", half, "1");
        let is_oriented = self.tilt != Rotation::IDENTITY || (self.floor == Floor::Oriented && odd);
        let shape = if is_oriented { Shape::obb(extent, self.tilt) } else { Shape::aabb(extent) };
        (shape, Vec3::new(Scalar::ZERO, top - s(half), Scalar::ZERO))
    }

    fn scenery(&self) -> (Arc<Scenery>, Vec<Spawn>) {
        let mut builder = SceneryBuilder::default();
        let material = Material::new(Scalar::ZERO).unwrap().with_friction(s(self.friction)).unwrap();
        let material = builder.material(material);
        builder.shape(slider_shape(self.slider, self.tilt).0);
        let mut bodies = Vec::new();
        if self.floor == Floor::Slab {
            let half = v("40", "0.5", "40");
            let is_tilted = self.tilt != Rotation::IDENTITY;
            let slab = if is_tilted { Shape::obb(half, self.tilt) } else { Shape::aabb(half) };
            let slab = builder.shape(slab);
            builder.fixed(slab, material, self.tilt.apply(v("0", "-0.5", "0")));
            builder.shape(Shape::aabb(v("1", "0.5", "1")));
            return (builder.build().unwrap(), bodies);
        }
        let tiles = [false, true].map(|odd| {
            let (shape, place) = self.tile(odd);
            (builder.shape(shape), place)
        });
        for (x, z) in (-6..6_i64).flat_map(|x| (-6..6_i64).map(move |z| (x, z))) {
            let odd = (x + z) & 1;
            let (shape, place) = tiles[odd as usize];
            let pitch = if self.floor == Floor::Apart { s("1.0005") } else { s("1") }.to_bits();
            let place =
                self.tilt.apply(place + Vec3::from_raw([(2 * x + 1) * pitch, 0, (2 * z + 1) * pitch]));
            if self.floor == Floor::Bodies {
                let body_type = if odd == 1 { BodyType::Kinematic } else { BodyType::Static };
                bodies.push(Spawn { body_type, ..Spawn::new(shape, place) });
            } else {
                builder.fixed(shape, material, place);
            }
        }
        (builder.build().unwrap(), bodies)
    }

    fn world(&self) -> World {
        let (scenery, bodies) = self.scenery();
        let mut world = World::new(Limits::new(self.rate), scenery).unwrap();
        let gravity = world.limits().gravity_nearest_even(v("0", "-9.8", "0"));
        let up = Vec3::new(Scalar::ZERO, slider_shape(self.slider, self.tilt).1 + s("0.002"), Scalar::ZERO);
        let spawn = Spawn {
            velocity: self.tilt.apply(self.velocity).map_raw(|raw| raw / i64::from(self.rate)),
            rotates: self.slider != Slider::Locked,
            orientation: if self.slider == Slider::Locked { Rotation::IDENTITY } else { self.tilt },
            ..Spawn::new(ShapeId(0), self.tilt.apply(self.start + up))
        };
        let mut commands = vec![Command::SetGravity { gravity }, Command::Spawn(spawn)];
        commands.extend(bodies.into_iter().map(Command::Spawn));
        world.apply(&commands).accepted().unwrap();
        world
    }

    /// The slider after so many seconds in 1/8; nothing overlaps on the way.
    fn after(&self, eighths: u32) -> Body {
        let (mut world, mut report) = (self.world(), TickReport::default());
        for tick in 0..self.rate * eighths / 8 {
            world.step(&mut report);
            assert_eq!((overlaps(&world), report.reverted.len()), (0, 0), "{self:?}, tick {tick}");
        }
        *world.bodies().next().unwrap().1
    }

    /// True if the velocity differs from that on one box by no more than one part in `parts` of the speed at the start
    /// or there, whichever is larger.
    fn moves_as_on_one_box(&self, eighths: u32, parts: i128) -> bool {
        let square =
            |vector: Vec3| vector.raw().map(|c| i128::from(c) * i128::from(c)).into_iter().sum::<i128>();
        let [here, there] =
            [*self, Self { floor: Floor::Slab, ..*self }].map(|run| run.after(eighths).velocity());
        let start = self.velocity.map_raw(|raw| raw / i64::from(self.rate));
        square(here - there) * parts * parts <= square(there).max(square(start))
    }
}

/// A run at any rate, heading, speed and phase, that stays on the tiles.
fn draw(draws: &mut Draws, slider: Slider, floor: Floor, friction: &'static str) -> (Run, u32) {
    let mut between = |from: i64, to: i64| Scalar::from_bits(draws.between(from << 22, to << 22));
    let [x, z] = [between(-1024, 1024), between(-1024, 1024)]; // one unit either way
    // From .1 to 4 units per second, more often slow.
    let speed = between(600, 2048);
    let speed = speed * speed * speed / 2;
    let across = between(-1024, 1024) * speed;
    let rate = RATES[draws.below(5) as usize];
    let way = [speed, across, -speed, -across];
    let heading = draws.below(4) as usize;
    let velocity = Vec3::new(way[heading], Scalar::ZERO, way[(heading + 1) % 4]);
    // Far enough for a seam or two: 2.5 units.
    let eighths = ((20 << 32) / speed.to_bits()).clamp(4, 40) as u32;
    let start = Vec3::new(x, Scalar::ZERO, z);
    let tilt = if draws.below(2) == 0 || floor == Floor::Bodies {
        Rotation::IDENTITY
    } else {
        let mut part = || Scalar::from_bits(draws.between(-1 << 30, 1 << 30));
        Rotation::from_quaternion(lit("2"), part(), lit("0"), part()).unwrap()
    };
    let is_tilted = tilt != Rotation::IDENTITY;
    (
        Run { slider, floor, friction, rate, velocity, start, tilt },
        if is_tilted { eighths.min(12) } else { eighths },
    )
}

fn assert_moves_as_on_one_box(floors: &[Floor], sliders: &[(Slider, &'static str)], count: u64, parts: i128) {
    for (kind, &floor) in floors.iter().enumerate() {
        for (which, &(slider, friction)) in sliders.iter().enumerate() {
            for case in (0..count).step_by(every(4)) {
                let mut draws = Rng::new(23).at(kind as u64, which as u64, case);
                let (run, eighths) = draw(&mut draws, slider, floor, friction);
                assert!(run.moves_as_on_one_box(eighths, parts), "{run:?} for {eighths}/8 s");
            }
        }
    }
}

/// Floors of one height.
const FLUSH: [Floor; 4] = [Floor::Equal, Floor::Thick, Floor::Oriented, Floor::Bodies];

#[test]
fn boxes_that_do_not_rotate_slide_over_seams_as_over_one_box() {
    assert_moves_as_on_one_box(&FLUSH, &[(Slider::Locked, "0")], 60, 50_000);
}

#[test]
fn boxes_with_friction_or_that_may_rotate_slide_over_seams_as_over_one_box() {
    assert_moves_as_on_one_box(&FLUSH, &[(Slider::Locked, "0.05"), (Slider::Cube, "0")], 40, 10_000);
}

#[test]
fn round_bodies_without_friction_slide_over_seams_as_over_one_box() {
    assert_moves_as_on_one_box(&FLUSH, &[(Slider::Ball, "0"), (Slider::Capsule, "0")], 40, 10_000);
}

#[test]
fn balls_roll_over_seams_as_over_one_box() {
    assert_moves_as_on_one_box(&FLUSH, &[(Slider::Ball, "0.5")], 60, 10_000);
}

/// What a round body sinks into a gap of a thousandth is a real dip.
#[test]
fn bodies_that_slide_over_small_gaps_keep_their_speed() {
    let [boxes, round] = [[Slider::Locked, Slider::Cube], [Slider::Ball, Slider::Capsule]];
    assert_moves_as_on_one_box(&[Floor::Apart], &boxes.map(|slider| (slider, "0")), 40, 10_000);
    assert_moves_as_on_one_box(&[Floor::Apart], &round.map(|slider| (slider, "0")), 40, 500);
}

/// The gap at rest of the cube is 1/512; what is higher by less is none.
#[test]
fn a_step_stops_a_box_only_above_the_gap_at_rest() {
    let cases = [("0.0005", true), ("0.0018", true), ("0.0021", false), ("0.02", false)];
    for (lower, passes) in cases {
        for (case, rate) in (0..8).flat_map(|case| RATES.map(|rate| (case, rate))).step_by(every(3)) {
            let mut draws = Rng::new(29).at(case, rate.into(), 0);
            let speed = Scalar::from_bits(draws.between(1 << 31, 3 << 32));
            let start = Vec3::new(Scalar::from_bits(draws.between(-3 << 31, -1 << 31)), s("0"), s("-1"));
            let velocity = Vec3::new(speed, s("0"), s("0"));
            let run = Run {
                slider: Slider::Locked,
                floor: Floor::Lower(lower),
                friction: "0",
                rate,
                velocity,
                start,
                tilt: Rotation::IDENTITY,
            };
            // From an even tile over an odd one, of two units, to the next.
            let eighths = 8 * 4 * (1 << 24) / (speed.to_bits() >> 8) as u32;
            let [x, ..] = run.after(eighths).velocity().raw();
            let before = velocity.raw()[0] / i64::from(rate);
            let is_as_said = if passes { (before - x).abs() <= before >> 13 } else { x == 0 };
            assert!(is_as_said, "{run:?} for {eighths}/8 s: {x} of {before}");
        }
    }
}

/// The gap at rest and the gap of touches belong to what moves: it leaves no tile that it is over.
#[test]
fn a_body_that_slides_over_tiles_of_any_thickness_touches_one_all_the_way() {
    for (case, rate) in (0..4).flat_map(|case| RATES.map(|rate| (case, rate))).step_by(every(3)) {
        let mut draws = Rng::new(31).at(case, rate.into(), 0);
        let slider = [Slider::Locked, Slider::Cube, Slider::Ball, Slider::Capsule][case as usize];
        let (run, eighths) = draw(&mut draws, slider, Floor::Thick, "0");
        let run = Run { tilt: Rotation::IDENTITY, rate, ..run };
        let (mut world, mut report) = (run.world(), TickReport::default());
        let (slider, id) = (slider_shape(slider, run.tilt).0, world.bodies().next().unwrap().0);
        let gap = touch_gap((&slider, BodyType::Dynamic), (&run.tile(true).0, BodyType::Static));
        let mut touched = Vec::new();
        for tick in 0..rate * eighths / 8 {
            world.step(&mut report);
            world.query_view().contacts(id, gap, &QueryFilter::ALL, &mut touched).unwrap();
            assert!(!touched.is_empty() || tick < rate / 8, "{run:?}: in the air at tick {tick}");
        }
    }
}

/// Two crates side by side, each four times as heavy as what slides over both.
#[test]
fn bodies_slide_from_one_crate_to_the_next() {
    let sliders = [Slider::Locked, Slider::Cube, Slider::Ball];
    for (case, rate) in (0..12).flat_map(|case| [60, 120, 240].map(|rate| (case, rate))).step_by(every(3)) {
        let mut draws = Rng::new(37).at(case, rate.into(), 0);
        let slider = sliders[case as usize % 3];
        let speed = draws.between(3 << 30, 3 << 32);
        let start = Vec3::new(Scalar::from_bits(draws.between(-3 << 31, -1 << 31)), s("1.0025"), s("0.2"));
        let velocity = Vec3::from_raw([speed, 0, 0]);
        let tilt = Rotation::IDENTITY;
        let run = Run { slider, floor: Floor::Slab, friction: "0", rate, velocity, start, tilt };
        let mut world = run.world();
        let crates = [-1, 1].map(|side| {
            // As far from each other, and from the slab, as they rest.
            let at = Vec3::from_raw([(side << 32) + (side << 22), (1 << 31) + (1 << 23), 0]);
            Command::Spawn(Spawn { mass: 4, ..Spawn::new(ShapeId(2), at) })
        });
        world.apply(&crates).accepted().unwrap();
        let (mut report, ticks) = (TickReport::default(), (i64::from(rate) << 33) / speed);
        for _ in 0..ticks {
            world.step(&mut report);
            assert_eq!(overlaps(&world), 0, "{run:?}");
        }
        let body = world.bodies().next().unwrap().1;
        let (kept, before) = (body.velocity().raw()[0], speed / i64::from(rate));
        assert!((kept - before).abs() <= before >> 10, "{run:?}: {kept} of {before}");
        assert!(body.position.x > run.start.x + s("1.5"), "{run:?}: it is over the other one");
    }
}
