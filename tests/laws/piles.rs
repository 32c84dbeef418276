//! Rest and impact: boxes and balls on floors, on each other and in heaps, at four tick rates.

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::{Rng, Scalar},
    shape::Shape,
    snapshot,
    state::{Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::{Cause, TickReport},
};

use crate::support::{assert_clean, change::Change, every, overlaps, s, step, v};

pub const RATES: [u32; 4] = [10, 20, 60, 120];

/// A scene under construction: all of one material, speeds in units per second.
pub struct Scene {
    builder: SceneryBuilder,
    material: MaterialId,
    spawns: Vec<Spawn>,
}

impl Scene {
    pub fn new(restitution: &str) -> Self {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::new(s(restitution)).unwrap());
        Self { builder, material, spawns: Vec::new() }
    }

    pub fn plane(&mut self, normal: Normal, at: Vec3) {
        self.fixed(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap()), at);
    }

    pub fn fixed(&mut self, solid: Shape, at: Vec3) {
        let shape = self.builder.shape(solid);
        self.builder.fixed(shape, self.material, at);
    }

    /// A floor at y = 0.
    pub fn floor(restitution: &str) -> Self {
        let mut scene = Self::new(restitution);
        scene.plane(Normal::Y, Vec3::ZERO);
        scene
    }

    /// A floor and four walls, `half` from the middle.
    pub fn well(restitution: &str, half: &str) -> Self {
        let (mut scene, far) = (Self::floor(restitution), format!("-{half}"));
        scene.plane(Normal::X, v(&far, "0", "0"));
        scene.plane(-Normal::X, v(half, "0", "0"));
        scene.plane(Normal::Z, v("0", "0", &far));
        scene.plane(-Normal::Z, v("0", "0", half));
        scene
    }

    pub fn shape(&mut self, solid: Shape) -> ShapeId {
        self.builder.shape(solid)
    }

    pub fn add(&mut self, shape: ShapeId, mass: u32, position: Vec3, velocity: Vec3) {
        let material = self.material;
        self.spawns.push(Spawn { material, mass, velocity, ..Spawn::new(shape, position) });
    }

    /// The world at a rate, under 9.8 units per second squared.
    pub fn world(self, rate: u32) -> World {
        let limits = Limits::new(rate);
        let mut world = World::new(limits, self.builder.build().unwrap()).unwrap();
        let gravity = limits.gravity_nearest_even(v("0", "-9.8", "0"));
        let mut commands = vec![Command::SetGravity { gravity }];
        commands.extend(self.spawns.iter().map(|spawn| {
            Command::Spawn(Spawn { velocity: limits.velocity_nearest(spawn.velocity), ..*spawn })
        }));
        let outcomes = world.apply(&commands).outcomes;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        world
    }
}

/// A height from a number of thousandths.
pub fn milli(thousandths: i64) -> Scalar {
    Scalar::from_bits((thousandths << 32) / 1000)
}

/// The result of a run.
pub struct Seen {
    pub impacts: usize,
    /// The impacts of the last second.
    pub late: usize,
    /// The mean displacement of bodies in the last tick, in units per second.
    pub motion: Scalar,
    /// The same without the fastest twentieth of the bodies.
    pub quiet: Scalar,
    pub velocity_corrected: usize,
}

/// Twice the energy by which bodies at rest may be lifted:
/// pairs that are nearer than at rest are pushed to their rest gap, 1/256 of half an extent for each
/// body that is below, and to no more than that.
fn lift_at_most(world: &World) -> i128 {
    let gravity = i128::from(-world.gravity().y.to_bits());
    let half = |body: &bitstep::state::Body| {
        let shape = &world.scenery().shapes()[usize::from(body.shape.0)];
        shape.half_extent().unwrap().raw().into_iter().fold(0, i64::max)
    };
    let gaps: i128 = world.bodies().map(|(_, body)| i128::from(half(body) / 256 + 64)).sum();
    world.bodies().map(|(_, body)| 2 * gravity * i128::from(body.mass) * gaps).sum()
}

/// Runs for some seconds and checks every tick.
pub fn run(world: &mut World, seconds: u32, name: &str) -> Seen {
    let rate = world.limits().tick_rate;
    let mut report = TickReport::default();
    let (mut seen, mut least) = (
        Seen { impacts: 0, late: 0, motion: s("0"), quiet: s("0"), velocity_corrected: 0 },
        world.energy_twice_wide(),
    );
    let first = least;
    let (lift, ticks) = (lift_at_most(world), seconds * rate);
    for tick in 0..ticks {
        let before: Vec<Vec3> = world.bodies().map(|(_, body)| body.position).collect();
        step(world, &mut report);
        assert_clean(&report);
        assert_eq!(overlaps(world), 0, "{name}, tick {tick} at {rate} Hz");
        let energy = world.energy_twice_wide();
        let gain = energy - least;
        // Positions keep clear of where momenta would take a body, which costs up to 1/100 of the energy that
        // impacts have taken before.
        let most = lift + (first - least) / 100;
        assert!(gain <= most, "{name}, tick {tick} at {rate} Hz: {gain} of {most} gained");
        least = least.min(energy);
        seen.impacts += report.impacts.len();
        seen.late += if tick + rate >= ticks { report.impacts.len() } else { 0 };
        seen.velocity_corrected += report.velocity_corrected.len();
        let mut moved: Vec<i64> = (world.bodies().zip(&before))
            .map(|((_, body), before)| {
                let way = (body.position - *before).raw();
                way.into_iter().map(i64::abs).fold(0, i64::max) * i64::from(rate)
            })
            .collect();
        moved.sort_unstable();
        let quiet = moved.len() - moved.len() / 20;
        let mean = |moved: &[i64]| Scalar::from_bits(moved.iter().sum::<i64>() / moved.len() as i64);
        (seen.motion, seen.quiet) = (mean(&moved), mean(&moved[..quiet]));
    }
    println!(
        "{name} at {rate} Hz: {} impacts, {} late, {} corrected, motion {} {}",
        seen.impacts, seen.late, seen.velocity_corrected, seen.motion, seen.quiet
    );
    seen
}

/// Runs a scene at every rate; at the end it is at rest.
fn comes_to_rest(name: &str, seconds: u32, scene: impl Fn() -> Scene) {
    for rate in RATES {
        let mut world = scene().world(rate);
        let seen = run(&mut world, seconds, name);
        assert!(seen.motion < s("0.001"), "{name} at {rate} Hz: {}", seen.motion);
        assert_eq!(seen.late, 0, "{name} at {rate} Hz");
    }
}

fn cube(half: &str) -> Shape {
    Shape::aabb(v(half, half, half))
}

#[test]
fn boxes_and_balls_come_to_rest_on_floors_on_each_other_in_corners_and_between_walls() {
    comes_to_rest("floor", 6, || {
        let mut scene = Scene::well("0.5", "2");
        let (ball, block) = (scene.shape(Shape::sphere(s("0.25"))), scene.shape(cube("0.3")));
        // In the open, in a corner, and on each other.
        scene.add(ball, 1, v("0", "0.25", "0"), Vec3::ZERO);
        scene.add(block, 2, v("1", "1.5", "0.5"), Vec3::ZERO);
        scene.add(ball, 3, v("1.75", "0.26", "1.75"), Vec3::ZERO);
        scene.add(block, 4, v("-1.7", "0.3", "-1.7"), Vec3::ZERO);
        scene.add(ball, 1, v("-1.7", "1.5", "-1.7"), Vec3::ZERO);
        scene.add(block, 9, v("1", "3", "0.7"), Vec3::ZERO);
        scene
    });
    comes_to_rest("between walls", 6, || {
        let mut scene = Scene::well("0.2", "0.51");
        let (ball, block) = (scene.shape(Shape::sphere(s("0.5"))), scene.shape(cube("0.5")));
        for index in 0..6 {
            let height = milli(600 + 1_300 * index);
            scene.add(
                [ball, block][index as usize % 2],
                1 + index as u32,
                Vec3::new(s("0"), height, s("0")),
                Vec3::ZERO,
            );
        }
        scene
    });
}

#[test]
fn a_column_of_ten_boxes_and_a_pyramid_of_55_stand() {
    comes_to_rest("ten boxes", 5, || {
        let mut scene = Scene::floor("0.2");
        let block = scene.shape(cube("0.5"));
        for index in 0..10 {
            let (x, y) = (milli(100 * (index % 2)), milli(510 + 1_010 * index));
            scene.add(block, 10 - index as u32, Vec3::new(x, y, s("0")), Vec3::ZERO);
        }
        scene
    });
    comes_to_rest("pyramid", 4, || {
        let mut scene = Scene::floor("0.2");
        let block = scene.shape(cube("0.5"));
        for (row, place) in (0..10).flat_map(|row| (0..10 - row).map(move |place| (row, place))) {
            let (x, y) = (milli(1_020 * place + 510 * row), milli(510 + 1_010 * row));
            scene.add(block, 1, Vec3::new(x, y, s("0")), Vec3::ZERO);
        }
        scene
    });
}

/// The load of a column goes down in one guess, whatever the masses: no velocity has to be clamped.
#[test]
fn forty_boxes_of_mass_1_and_30_stand_and_no_velocity_is_corrected() {
    for rate in RATES {
        let mut scene = Scene::floor("0.2");
        let block = scene.shape(cube("0.5"));
        for index in 0..40 {
            let at = Vec3::new(s("0"), milli(502 + 1_002 * index), s("0"));
            scene.add(block, [1, 30][index as usize % 2], at, Vec3::ZERO);
        }
        let seen = run(&mut scene.world(rate), 2, "forty boxes of mass 1 and 30");
        assert_eq!((seen.impacts, seen.velocity_corrected, seen.motion), (0, 0, s("0")), "{rate} Hz");
    }
}

fn column(count: i64, restitution: &str) -> (Scene, ShapeId) {
    let mut scene = Scene::floor(restitution);
    let ball = scene.shape(Shape::sphere(s("0.25")));
    for index in 0..count {
        scene.add(ball, 1, Vec3::new(s("0"), milli(251 + 501 * index), s("0")), Vec3::ZERO);
    }
    (scene, ball)
}

#[test]
fn a_column_of_ten_stands_and_takes_a_ball_that_drops_on_it() {
    comes_to_rest("column", 4, || column(10, "0.2").0);
    for rate in RATES {
        let (mut scene, ball) = column(10, "0.2");
        scene.add(ball, 1, v("0", "8", "0"), Vec3::ZERO);
        let mut world = scene.world(rate);
        let seen = run(&mut world, 6, "a ball on a column");
        assert!(seen.impacts > 0 && seen.motion < s("0.001"), "{rate} Hz: {} {}", seen.impacts, seen.motion);
        // No body has been pushed aside.
        assert!(world.bodies().all(|(_, body)| body.position.x == 0 && body.position.z == 0));
    }
}

#[test]
fn balls_on_a_floor_that_are_hit_from_above() {
    for (count, restitution) in [3, 5].into_iter().flat_map(|n| ["0", "0.2", "0.8"].map(|e| (n, e))) {
        for rate in RATES {
            let (mut scene, ball) = column(count, restitution);
            let height = milli(500 * count + 2_000);
            scene.add(ball, 1, Vec3::new(s("0.02"), height, s("0.01")), v("0", "-8", "0"));
            let mut world = scene.world(rate);
            let seen = run(&mut world, 4, &format!("{count} balls hit, e {restitution}"));
            assert!(seen.impacts > 0);
        }
    }
}

/// A heap in a well: balls of one size, or balls and boxes of several.
fn heap(count: i64, mixed: bool, seed: u64) -> Scene {
    let mut scene = Scene::well(if mixed { "0.5" } else { "0.2" }, "1.57");
    let solids = if mixed {
        vec![
            (Shape::sphere(s("0.15")), 3),
            (Shape::sphere(s("0.3")), 27),
            (Shape::aabb(v("0.2", "0.15", "0.2")), 8),
        ]
    } else {
        vec![(Shape::sphere(s("0.25")), 1)]
    };
    let kinds: Vec<_> = solids.into_iter().map(|(solid, mass)| (scene.shape(solid), mass)).collect();
    for index in 0..count {
        let mut draws = Rng::new(seed).at(3, index as u64, 0);
        let (shape, mass) = kinds[draws.below(kinds.len() as u64) as usize];
        let cell = [index % 4, index / 4 % 4];
        let [x, z] = cell.map(|c| milli(-1_150 + 767 * c + draws.between(-60, 60)));
        scene.add(shape, mass, Vec3::new(x, milli(400 + 650 * (index / 16)), z), Vec3::ZERO);
    }
    scene
}

/// There is no friction: a ball that lies loose on a heap slides on, so the fastest twentieth do not
/// count.
#[test]
fn heaps_come_to_rest() {
    let heaps = [(60, true, 1), (60, true, 3), (150, false, 1), (150, false, 2)];
    for (count, mixed, seed) in heaps.into_iter().step_by(every(2)) {
        for rate in RATES.into_iter().step_by(every(2)) {
            let name = format!("{count} bodies, seed {seed}");
            let seen = run(&mut heap(count, mixed, seed).world(rate), 15, &name);
            assert!(seen.quiet < s("0.001"), "{name} at {rate} Hz: {} {}", seen.quiet, seen.motion);
            assert_eq!(seen.late, 0, "{name} at {rate} Hz");
        }
    }
}

/// A ball that lies at the edge of a box, which is pushed toward it from behind, is in contact with both.
#[test]
fn a_heap_in_which_a_box_is_pushed_past_another_one_has_hardly_an_impact() {
    let seen = run(&mut heap(60, true, 2).world(120), 15, "60 bodies, seed 2");
    assert!(seen.late <= 8 && seen.motion < s("0.002"), "{} late, {}", seen.late, seen.motion);
}

/// A changed well with a heap in it.
fn heap_image(change: &Change) -> World {
    let mut scene = Scene::new("0.3");
    let walls = [[0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]];
    let places = [Vec3::ZERO, v("-1", "0", "0"), v("1", "0", "0"), v("0", "0", "-1"), v("0", "0", "1")];
    for ([x, y, z], at) in walls.into_iter().zip(places) {
        scene.plane(change.normal(Normal::new(x, y, z)), change.point(at));
    }
    let shapes = [Shape::sphere(s("0.25")), Shape::aabb(v("0.2", "0.15", "0.25"))]
        .map(|solid| scene.shape(change.shape(&solid)));
    for index in 0..40 {
        let mut draws = Rng::new(4).at(4, index as u64, 0);
        let cell = [index % 2, index / 2 % 2];
        let [x, z] = cell.map(|c| milli(-500 + 1_000 * c + draws.between(-200, 200)));
        let place = Vec3::new(x, milli(400 + 650 * (index / 4)), z);
        let shape = shapes[draws.below(2) as usize];
        scene.add(shape, 1 + draws.below(7) as u32, change.point(place), Vec3::ZERO);
    }
    let mut world = scene.world(60);
    let gravity = change.vector(world.limits().gravity_nearest_even(v("0", "-9.8", "0")));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    world
}

#[test]
fn a_heap_mirrored_permuted_or_translated_is_the_image_bit_for_bit() {
    let mut changes = vec![Change { shift: v("1000", "-2000", "0.5"), ..Change::NONE }];
    for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for signs in [[1, 1, 1], [-1, 1, 1], [1, -1, 1], [-1, -1, -1]] {
            changes.push(Change { axes, signs, shift: Vec3::ZERO });
        }
    }
    for change in changes.into_iter().step_by(every(5)) {
        let (mut here, mut there) = (heap_image(&Change::NONE), heap_image(&change));
        let (mut ours, mut theirs) = (TickReport::default(), TickReport::default());
        for tick in 0..200 {
            step(&mut here, &mut ours);
            step(&mut there, &mut theirs);
            let meetings = |report: &TickReport| -> Vec<_> {
                report.impacts.iter().map(|it| (it.toi, it.a, it.b, it.closing)).collect()
            };
            assert_eq!(meetings(&ours), meetings(&theirs), "tick {tick}, {change:?}");
            assert_eq!(ours.velocity_corrected, theirs.velocity_corrected);
            for ((id, ours), (_, theirs)) in here.bodies().zip(there.bodies()) {
                assert_eq!(change.point(ours.position), theirs.position, "{id}, tick {tick}, {change:?}");
                assert_eq!(change.vector(ours.momentum), theirs.momentum, "{id}, tick {tick}, {change:?}");
            }
        }
    }
}

#[test]
fn a_heap_restored_at_any_tick_goes_on_the_same() {
    let mut world = heap(60, true, 3).world(60);
    let (mut report, mut again) = (TickReport::default(), TickReport::default());
    let (mut impacts, mut quiet) = (0, 0);
    for tick in 0..240 {
        let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        step(&mut world, &mut report);
        restored.step(&mut again);
        assert_eq!(report, again, "tick {tick}");
        assert_eq!(snapshot::encode(&world), snapshot::encode(&restored), "tick {tick}");
        impacts += report.impacts.len();
        quiet += usize::from(report.impacts.is_empty() && report.ledger[Cause::Statics] != [0; 3]);
    }
    assert!(impacts > 100 && quiet > 10, "{impacts} impacts, {quiet} ticks without any");
}
