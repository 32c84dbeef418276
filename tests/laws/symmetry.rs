//! Space is fair: a mirrored, permuted or translated world is the mirror image, bit for bit.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Rng, rng::Draws},
    shape::{Hull, Obb, Shape},
    state::{BodyType, Command, Limits, Locks, Material, Rule, Scenery, SceneryBuilder, ShapeId, Spawn},
    tick::{Cause, ContactImpulse, Impact, TickReport},
};

use crate::support::{change::Change, every, s, v};

/// The bodies that fall about: balls and boxes.
fn balls_and_boxes() -> Vec<Shape> {
    vec![Shape::sphere(s("0.4")), Shape::aabb(v("0.3", "0.45", "0.2"))]
}

/// A walled yard with a slope and a slanted block, where solids fall about; capsules about a standing one.
fn yard(restitution: &str, solids: &[Shape]) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let lively = builder.material(Material::new(s(restitution)).unwrap());
    let slanted = Rotation::from_quaternion(s("3"), s("1"), s("-2"), s("0.5")).unwrap();
    for solid in solids {
        builder.shape(solid.clone());
    }
    let mut plane = |x, y, z| {
        builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::new(x, y, z)).unwrap()))
    };
    let planes = [
        (plane(0, 1, 0), v("0", "-5", "0")),
        (plane(1, 0, 0), v("-5", "0", "0")),
        (plane(-1, 0, 0), v("5", "0", "0")),
        (plane(0, 0, 1), v("0", "0", "-5")),
        (plane(0, 0, -1), v("0", "0", "5")),
        (plane(0, -1, 0), v("0", "5", "0")),
        (plane(1, 5, 2), v("0", "-4.7", "0")),
    ];
    let block = builder.shape(Shape::Obb(Obb::new(v("1", "0.5", "1.5"), slanted)));
    let post = builder.shape(Shape::aabb(v("0.5", "1", "0.5")));
    for (shape, position) in planes {
        builder.fixed(shape, lively, position);
    }
    builder.fixed(block, lively, v("-1", "0.25", "0.125"));
    builder.fixed(post, lively, v("2.5", "-2", "-2.5"));
    if solids.iter().any(|solid| matches!(solid, Shape::Capsule(_))) {
        let bar = builder.shape(Shape::capsule(v("1.5", "0.5", "-1"), s("0.25")));
        builder.fixed(bar, lively, v("-1.5", "-2.5", "1.5"));
    }
    builder.build().unwrap()
}

/// The bodies that fall about: dynamic ones only, or every kind, with locks, damping, layers and groups.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Cast {
    Plain,
    Mixed,
}

impl Cast {
    fn of(self, spawn: Spawn, draws: &mut Draws) -> Spawn {
        if self == Self::Plain {
            return spawn;
        }
        let kinds =
            [BodyType::Dynamic, BodyType::Dynamic, BodyType::Dynamic, BodyType::Kinematic, BodyType::Static];
        let kind = kinds[draws.below(5) as usize];
        let locks = Locks::try_from([0, 0, 0, 0, 1, 2, 4, 5][draws.below(8) as usize]).unwrap();
        let velocity = if kind == BodyType::Static { Vec3::ZERO } else { locks.free_part(spawn.velocity) };
        let (layer, group) = (draws.below(3) as u8, draws.below(4) as u16);
        let damping_q16 = draws.below(300) as u16;
        Spawn { body_type: kind, locks, velocity, layer, group, damping_q16, ..spawn }
    }
}

/// A world, and the commands before its first tick.
struct Scene {
    rate: u32,
    scenery: Arc<Scenery>,
    commands: Vec<Command>,
}

impl Scene {
    /// A yard where bodies fly about.
    fn yard(cast: Cast, solids: &[Shape]) -> Self {
        let kinds = solids.len() as u64;
        let spawns = (0..60).map(|index| {
            let mut draws = Rng::new(3).at(0, index, 0);
            let position = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-4 << 32, 4 << 32)));
            let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 31, 1 << 31)));
            let (shape, mass) = (ShapeId(draws.below(kinds) as u16), 1 + draws.below(9) as u32);
            let spawn = Spawn { mass, velocity, ..Spawn::new(shape, position) };
            Command::Spawn(cast.of(spawn, &mut draws))
        });
        let mut commands: Vec<Command> = spawns.collect();
        commands.push(Command::SetLayers { a: 1, b: 2, rule: Rule::Ignore, allow_overlap: false });
        commands.push(Command::SetGravity { gravity: Vec3::from_raw([2_000_000, -11_000_000, 400_000]) });
        Self { rate: 60, scenery: yard("0.8", solids), commands }
    }

    /// The same yard, inelastic, where bodies fall on each other and rest; one in `clashes` of them may begin
    /// inside others.
    fn heap(rate: u32, cast: Cast, clashes: u64, solids: &[Shape]) -> Self {
        let kinds = solids.len() as u64;
        let limits = Limits::new(rate);
        let gravity = limits.gravity_nearest_even(v("1", "-9", "0.5"));
        let mut commands = vec![Command::SetGravity { gravity }];
        commands.extend((0..60_i64).map(|index| {
            let mut draws = Rng::new(4).at(0, index as u64, 0);
            let cell = [index % 4 - 2, index / 16 - 3, index / 4 % 4 - 2];
            let allow_overlap = draws.below(clashes) == 1;
            let aside = if allow_overlap { 3 << 30 } else { 1 << 28 };
            let position = Vec3::from_raw(cell.map(|c| (c << 32) + draws.between(-aside, aside)));
            let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 26, 1 << 26)));
            let (shape, mass) = (ShapeId(draws.below(kinds) as u16), 1 + draws.below(9) as u32);
            let spawn = Spawn { mass, velocity, allow_overlap, ..Spawn::new(shape, position) };
            Command::Spawn(cast.of(spawn, &mut draws))
        }));
        Self { rate, scenery: yard("0", solids), commands }
    }

    fn world(&self, change: &Change) -> World {
        let mut world = World::new(Limits::new(self.rate), change.scenery(&self.scenery)).unwrap();
        let commands: Vec<Command> = self.commands.iter().map(|command| changed(command, change)).collect();
        let _ = world.apply(&commands);
        world
    }
}

/// The command in the changed world that corresponds to a command.
pub fn changed(command: &Command, change: &Change) -> Command {
    match *command {
        Command::Spawn(spawn) => Command::Spawn(Spawn {
            position: change.point(spawn.position),
            velocity: change.vector(spawn.velocity),
            locks: change.locks(spawn.locks),
            orientation: change.rotation(spawn.orientation),
            angular_velocity: change.turning(spawn.angular_velocity),
            ..spawn
        }),
        Command::SetGravity { gravity } => Command::SetGravity { gravity: change.vector(gravity) },
        other => other,
    }
}

/// The report of the changed world that corresponds to a report.
fn image(report: &TickReport, change: &Change) -> TickReport {
    let turned = |line: [i128; 3]| {
        let part = |axis: usize| i128::from(change.signs[axis]) * line[change.axes[axis]];
        [part(0), part(1), part(2)]
    };
    let turn = |impact: &Impact| Impact { normal: change.normal(impact.normal), ..*impact };
    let given = |it: &ContactImpulse| ContactImpulse { impulse: change.vector(it.impulse), ..*it };
    let impacts = report.impacts.iter().map(turn).collect();
    let mut image = report.clone();
    (image.impacts, image.impulses) = (impacts, report.impulses.iter().map(given).collect());
    for &cause in Cause::ALL {
        image.ledger[cause] = turned(report.ledger[cause]);
    }
    image
}

/// Statistics of the yard.
#[derive(Default, Debug)]
struct Seen {
    impacts: usize,
    overlapping: u32,
    blocked: usize,
    velocity_corrected: usize,
    /// Bodies under gravity that moved little or not at all in a tick, summed over the ticks.
    lying: usize,
}

/// Runs the scene and the changed scene side by side and compares everything in every tick.
fn assert_unnoticed(scene: &Scene, change: &Change, ticks: u32) -> Seen {
    let (mut here, mut there) = (scene.world(&Change::NONE), scene.world(change));
    let (mut ours, mut theirs) = (TickReport::default(), TickReport::default());
    here.enable_events(true);
    there.enable_events(true);
    let mut seen = Seen::default();
    for tick in 0..ticks {
        let before = here.clone();
        here.step(&mut ours);
        there.step(&mut theirs);
        assert_eq!(theirs, image(&ours, change), "tick {tick} of {change:?}");
        assert!(here.bodies().count() == there.bodies().count());
        for ((id, ours), (_, theirs)) in here.bodies().zip(there.bodies()) {
            assert_eq!(theirs.position, change.point(ours.position), "{id}, tick {tick} of {change:?}");
            assert_eq!(theirs.momentum, change.vector(ours.momentum), "{id}, tick {tick} of {change:?}");
        }
        seen.impacts += ours.impacts.len();
        seen.overlapping += ours.overlapping;
        seen.blocked += ours.blocked.len();
        seen.velocity_corrected += ours.velocity_corrected.len();
        let lies = |(id, body): (_, &bitstep::state::Body)| {
            let moved = body.position - before.body(id).unwrap().position;
            body.body_type == BodyType::Dynamic && body.locks == Locks::NONE && moved.within(s("0.0001"))
        };
        seen.lying += here.bodies().filter(|(id, body)| lies((*id, *body))).count();
    }
    seen
}

fn changes() -> impl Iterator<Item = Change> {
    Change::all(Change::ORDERS).step_by(every(5))
}

#[test]
fn a_mirrored_or_permuted_world_is_the_image_bit_for_bit() {
    let solids = balls_and_boxes();
    let (plain, mixed) = (Scene::yard(Cast::Plain, &solids), Scene::yard(Cast::Mixed, &solids));
    for change in changes() {
        assert!(assert_unnoticed(&plain, &change, 60).impacts > 250);
        assert!(assert_unnoticed(&mixed, &change, 60).impacts > 100);
    }
}

#[test]
fn a_mirrored_or_permuted_heap_is_the_image_bit_for_bit() {
    let solids = balls_and_boxes();
    let [plain, mixed] = [Cast::Plain, Cast::Mixed].map(|cast| Scene::heap(10, cast, 1, &solids));
    let clashing = Scene::heap(20, Cast::Mixed, 4, &solids);
    for change in changes() {
        let seen = assert_unnoticed(&plain, &change, 60);
        assert!(seen.impacts > 100 && seen.lying > 500, "{seen:?}");
        let seen = assert_unnoticed(&mixed, &change, 60);
        assert!(seen.impacts > 30 && seen.lying > 100, "{seen:?}");
        let seen = assert_unnoticed(&clashing, &change, 60);
        assert!(seen.impacts > 100 && seen.overlapping > 30 && seen.blocked > 10, "{seen:?}");
    }
}

#[test]
fn a_translated_world_is_the_image_bit_for_bit() {
    let solids = balls_and_boxes();
    for shift in [v("1000", "-2000", "0.5"), v("-16000", "16000", "0.0000000003")] {
        let change = Change { shift, ..Change::NONE };
        assert!(assert_unnoticed(&Scene::yard(Cast::Plain, &solids), &change, 120).impacts > 500);
        assert!(assert_unnoticed(&Scene::yard(Cast::Mixed, &solids), &change, 120).impacts > 200);
        for rate in [10, 20, 60, 120] {
            for cast in [Cast::Plain, Cast::Mixed] {
                let seen = assert_unnoticed(&Scene::heap(rate, cast, 4, &solids), &change, 3 * rate);
                println!("{rate} Hz, {cast:?}: {seen:?}");
                assert!(seen.impacts > 50 && seen.overlapping > 30, "{seen:?}");
            }
        }
    }
}

/// Capsules that lean, stand, and are short, among a ball and a box.
fn capsules() -> Vec<Shape> {
    let rods =
        [(v("0.3", "0.4", "-0.2"), "0.15"), (v("0", "0.3", "0"), "0.25"), (v("-0.05", "0", "0.02"), "0.3")];
    let rods = rods.map(|(half_axis, radius)| Shape::capsule(half_axis, s(radius)));
    rods.into_iter().chain(balls_and_boxes()).collect()
}

#[test]
fn mirrored_and_permuted_capsules_are_the_image_bit_for_bit() {
    let solids = capsules();
    let (plain, mixed) = (Scene::yard(Cast::Plain, &solids), Scene::yard(Cast::Mixed, &solids));
    let heap = Scene::heap(10, Cast::Plain, 1, &solids);
    let clashing = Scene::heap(20, Cast::Mixed, 4, &solids);
    for change in changes() {
        assert!(assert_unnoticed(&plain, &change, 40).impacts > 150);
        assert!(assert_unnoticed(&mixed, &change, 40).impacts > 50);
        let seen = assert_unnoticed(&heap, &change, 50);
        assert!(seen.impacts > 80 && seen.lying > 200, "{seen:?}");
        let seen = assert_unnoticed(&clashing, &change, 40);
        assert!(seen.impacts > 60 && seen.overlapping > 15, "{seen:?}");
    }
}

/// Hulls of all kinds among a ball and a box.
fn hulls() -> Vec<Shape> {
    crate::hulls::hulls().into_iter().chain(balls_and_boxes()).collect()
}

#[test]
fn mirrored_and_permuted_hulls_are_the_image_bit_for_bit() {
    let solids = hulls();
    let (plain, mixed) = (Scene::yard(Cast::Plain, &solids), Scene::yard(Cast::Mixed, &solids));
    let heap = Scene::heap(10, Cast::Plain, 1, &solids);
    let clashing = Scene::heap(20, Cast::Mixed, 4, &solids);
    for change in changes() {
        assert!(assert_unnoticed(&plain, &change, 40).impacts > 150);
        assert!(assert_unnoticed(&mixed, &change, 40).impacts > 50);
        let seen = assert_unnoticed(&heap, &change, 50);
        assert!(seen.impacts > 80 && seen.lying > 100, "{seen:?}");
        let seen = assert_unnoticed(&clashing, &change, 40);
        assert!(seen.impacts > 40 && seen.overlapping > 8, "{seen:?}");
    }
}

#[test]
fn translated_capsules_are_the_image_bit_for_bit() {
    let solids = capsules();
    let change = Change { shift: v("-16000", "16000", "0.0000000003"), ..Change::NONE };
    assert!(assert_unnoticed(&Scene::yard(Cast::Mixed, &solids), &change, 120).impacts > 200);
    for rate in [10, 20, 60, 120] {
        let seen = assert_unnoticed(&Scene::heap(rate, Cast::Mixed, 4, &solids), &change, 2 * rate);
        assert!(seen.impacts > 30 && seen.overlapping > 15, "{seen:?}");
    }
}

/// Drawn hulls in both frames: the principal axes of the image are the images of the axes.
#[test]
fn images_of_hulls_have_the_images_of_their_corners() {
    let rng = Rng::new(23);
    for case in 0..60 {
        let mut draws = rng.at(1, case, 0);
        let size = 1_i64 << draws.between(12, 36);
        let count = draws.between(4, 20);
        let points: Vec<Vec3> =
            (0..count).map(|_| Vec3::from_raw([(); 3].map(|()| draws.between(-size, size)))).collect();
        for hull in [Hull::of(&points), Hull::upright(&points)].into_iter().flatten() {
            let shape = Shape::hull(hull);
            for change in Change::all(Change::ORDERS) {
                let image = change.shape(&shape); // which compares the corners
                let (Shape::Hull(form), Shape::Hull(changed)) = (&shape, &image) else {
                    unreachable!("hulls")
                };
                assert_eq!(changed.hull().volume_q64(), form.hull().volume_q64());
                assert_eq!(changed.hull().center(), change.vector(form.hull().center()));
                assert_eq!(changed.hull().axes(), change.rotation(form.hull().axes()));
            }
        }
    }
}
