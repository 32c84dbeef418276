//! Character movement: along walls, up steps, down slopes, on lifts; never inside anything, and in a mirror
//! as its image.

use bitstep::{
    World,
    character::{CharacterMove, CharacterSettings},
    geom::{Normal, Rotation, Vec3},
    num::{Scalar, lit},
    overlap::overlap_shapes,
    shape::Shape,
    state::{
        BodyId, BodyType, Collider, Command, Face, Limits, Material, MaterialId, Refusal, SceneryBuilder,
        ShapeId, Spawn, StaticId,
    },
    tick::TickReport,
};

use crate::support::{s, v};

pub const BOX: ShapeId = ShapeId(0);
pub const ROD: ShapeId = ShapeId(1);
pub const BALL: ShapeId = ShapeId(2);
pub const SLAB: ShapeId = ShapeId(3);
pub const CRATE: ShapeId = ShapeId(4);
pub const WHO: [ShapeId; 3] = [BOX, ROD, BALL];

/// The fall of a character in a tick: given in every move.
pub const FALL: &str = "-0.1";

pub fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

/// A floor whose top is at y = 0, and what is added to it; shapes of walkers first.
pub struct Ground {
    pub builder: SceneryBuilder,
}

impl Ground {
    pub fn new() -> Self {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::aabb(v("0.4", "0.9", "0.4")));
        builder.shape(Shape::capsule(v("0", "0.5", "0"), s("0.4")));
        builder.shape(Shape::sphere(s("0.4")));
        builder.shape(Shape::aabb(v("1", "0.1", "1")));
        builder.shape(Shape::aabb(v("0.5", "0.5", "0.5")));
        let mut ground = Self { builder };
        ground.solid(Shape::aabb(v("40", "1", "40")), v("0", "-1", "0"));
        ground
    }

    pub fn solid(&mut self, shape: Shape, at: Vec3) -> StaticId {
        let shape = self.builder.shape(shape);
        self.builder.fixed(shape, MaterialId(0), at)
    }

    /// A ramp that rises along x, so that its upper face goes through a point.
    pub fn ramp(&mut self, (w, z): (&str, &str), at: Vec3) -> StaticId {
        let turn = Rotation::from_quaternion(s(w), s("0"), s("0"), s(z)).unwrap();
        let half = v("8", "0.5", "8");
        let down = turn.turn_nearest(v("0", "-0.5", "0"));
        self.solid(Shape::obb(half, turn), at + down)
    }

    pub fn world(self, spawns: &[Spawn]) -> World {
        self.world_in_steps(1, spawns)
    }

    /// A world whose ticks have several steps each.
    pub fn world_in_steps(self, substeps: u8, spawns: &[Spawn]) -> World {
        let mut limits = Limits::new(60);
        limits.substeps = substeps;
        let mut world = World::new(limits, self.builder.build().unwrap()).unwrap();
        let applied = world.apply(&spawns.iter().copied().map(Command::Spawn).collect::<Vec<_>>());
        assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
        world
    }
}

pub fn walker(shape: ShapeId, x: &str, y: &str) -> Spawn {
    Spawn { body_type: BodyType::Kinematic, mass: 80, ..Spawn::new(shape, v(x, y, "0")) }
}

pub fn half_height(shape: ShapeId) -> Scalar {
    if shape == BALL { lit("0.4") } else { lit("0.9") }
}

/// Moves the first body for a tick.
pub fn go(world: &mut World, way: Vec3, walker: &CharacterSettings) -> CharacterMove {
    let walk = world.move_character(id(0), way, walker).unwrap();
    assert_eq!(walk, world.clone().move_character(id(0), way, walker).unwrap(), "nothing is remembered");
    let mut report = TickReport::default();
    world.tick(&[walk.command(id(0))], &mut report).accepted().unwrap();
    assert_eq!(report.outcomes.len(), 1);
    assert!(report.outcomes[0].is_ok(), "{:?}", report.outcomes);
    walk
}

pub fn place(world: &World, slot: u32) -> Vec3 {
    world.body(id(slot)).unwrap().position
}

/// True if a kinematic body overlaps a static or another kinematic body, by the exact predicates.
pub fn is_inside(world: &World, slot: u32) -> bool {
    let (scenery, own) = (world.scenery(), world.body(id(slot)).unwrap());
    let form = own.form(scenery);
    let open = |shape: ShapeId| scenery.open_face(shape).is_some();
    let statics = scenery.statics().iter().filter(|fixed| !open(fixed.shape)).any(|fixed| {
        overlap_shapes(&form, &scenery.shapes()[usize::from(fixed.shape.0)], fixed.position - own.position)
    });
    let mut lifts =
        world.bodies().filter(|(other, body)| *other != id(slot) && body.body_type != BodyType::Dynamic);
    statics || lifts.any(|(_, body)| overlap_shapes(&form, &body.form(scenery), body.position - own.position))
}

#[test]
fn a_step_is_climbed_up_to_its_height_and_none_above() {
    let usual = CharacterSettings::USUAL;
    for (shape, height) in
        WHO.into_iter().flat_map(|shape| ["0.05", "0.2", "0.3", "0.31", "0.5"].map(|height| (shape, height)))
    {
        let height = s(height);
        let half = height.to_bits() / 2;
        let mut ground = Ground::new();
        ground
            .solid(Shape::aabb(Vec3::from_raw([4 << 32, half, 4 << 32])), Vec3::from_raw([6 << 32, half, 0]));
        let up = half_height(shape) + lit("0.01");
        let mut world = ground.world(&[walker(shape, "0", &up.to_string())]);
        let (mut climbed, mut hit_wall) = (Scalar::ZERO, false);
        for tick in 0..80 {
            let walk = go(&mut world, v("0.07", FALL, "0"), &usual);
            assert!(!is_inside(&world, 0) && !walk.is_crushed);
            assert!(tick == 0 || walk.ground.is_some(), "{shape:?} {height} tick {tick}");
            climbed += walk.step;
            hit_wall |= !walk.walls.is_empty();
        }
        let (x, y) = (place(&world, 0).x, place(&world, 0).y - half_height(shape));
        // A ball rolls up a step that is low enough for its side to be no steeper than a walkable slope.
        let is_climbed = height <= usual.step_height;
        assert_eq!(x > lit("3"), is_climbed, "{shape:?} {height}: {x} {y}");
        assert!(!is_climbed || (y - height).abs() < lit("0.01"), "{shape:?} {height}: {y}");
        assert_eq!(hit_wall, !is_climbed, "{shape:?} {height}");
        assert!(shape != BOX || (climbed > Scalar::ZERO) == is_climbed, "{climbed}");
    }
}

/// Stairs up and down, at every speed: it stays on the ground.
#[test]
fn stairs_are_walked_up_and_down() {
    for (shape, speed) in
        WHO.into_iter().flat_map(|shape| ["0.02", "0.11", "0.4"].map(|speed| (shape, speed)))
    {
        let mut ground = Ground::new();
        for step in 1..=5_i64 {
            // Each is a quarter high, and reaches to the same end.
            let (half, x) = (step << 29, 2 * step);
            let shape = Shape::aabb(Vec3::from_raw([(20 - x) << 31, half, 3 << 32]));
            ground.solid(shape, Vec3::from_raw([(20 + x) << 31, half, 0]));
        }
        let up = half_height(shape) + lit("0.01");
        let mut world = ground.world(&[walker(shape, "0", &up.to_string())]);
        let speed = s(speed);
        let ticks = (12 << 32) / speed.to_bits();
        for way in [speed, -speed] {
            for tick in 0..ticks {
                let walk = go(&mut world, Vec3::new(way, s(FALL), Scalar::ZERO), &CharacterSettings::USUAL);
                assert!(!is_inside(&world, 0));
                assert!(walk.ground.is_some() || tick == 0, "{shape:?} {speed} tick {tick}: {walk:?}");
            }
            let y = place(&world, 0).y - half_height(shape);
            let top = if way > 0 { lit("1.25") } else { lit("0") };
            assert!((y - top).abs() < lit("0.01"), "{shape:?} {speed}: {y}");
        }
    }
}

/// As fast along the level on a slope as on level ground, up and down, and always on it; a slope that is too
/// steep is a wall.
#[test]
fn slopes_are_walked_unless_they_are_too_steep() {
    // About 20 and 40 degrees, and 50.
    for (shape, turn, is_steep) in WHO.into_iter().flat_map(|shape| {
        [(("0.985", "0.174"), false), (("0.94", "0.342"), false), (("0.906", "0.423"), true)]
            .map(|(turn, is_steep)| (shape, turn, is_steep))
    }) {
        let mut ground = Ground::new();
        ground.ramp(turn, v("5", "0", "0"));
        let up = half_height(shape) + lit("0.01");
        let mut world = ground.world(&[walker(shape, "-1", &up.to_string())]);
        let mut x = place(&world, 0).x;
        for tick in 0..120 {
            let walk = go(&mut world, v("0.08", FALL, "0"), &CharacterSettings::USUAL);
            assert!(
                !is_inside(&world, 0) && (walk.ground.is_some() || tick == 0),
                "{shape:?} {turn:?} {tick}: {walk:?}"
            );
            let moved = place(&world, 0).x - x;
            x += moved;
            assert!(is_steep || moved > lit("0.0799"), "{shape:?} {turn:?} {tick}: {moved}");
        }
        assert_eq!(x < lit("6"), is_steep, "{shape:?} {turn:?} {x}");
        let high = place(&world, 0).y;
        assert!(is_steep || high > lit("1.5"), "{high}");
        for tick in 0..130 {
            let walk = go(&mut world, v("-0.08", FALL, "0"), &CharacterSettings::USUAL);
            assert!(
                !is_inside(&world, 0) && walk.ground.is_some(),
                "{shape:?} {turn:?} down {tick}: {walk:?}"
            );
        }
        assert!((place(&world, 0).y - half_height(shape)).abs() < lit("0.01"));
    }
}

/// Along a wall with the component of the move along it; in a corner it stands still to the raw.
#[test]
fn walls_are_slid_along_and_corners_hold() {
    let turn = Rotation::from_quaternion(s("0.966"), s("0"), s("0.259"), s("0")).unwrap(); // about 30 degrees
    for shape in WHO {
        let mut ground = Ground::new();
        ground.solid(Shape::aabb(v("1", "3", "20")), v("4", "3", "0"));
        ground.solid(Shape::aabb(v("20", "3", "1")), v("0", "3", "8"));
        ground.solid(Shape::obb(v("9", "3", "0.5"), turn), v("-2", "3", "-8"));
        let up = half_height(shape) + lit("0.01");
        let mut world = ground.world(&[walker(shape, "0", &up.to_string())]);
        for tick in 0..140 {
            let before = place(&world, 0);
            let walk = go(&mut world, v("0.1", FALL, "0.06"), &CharacterSettings::USUAL);
            let moved = place(&world, 0) - before;
            assert!(!is_inside(&world, 0) && (walk.ground.is_some() || tick == 0));
            if (40..105).contains(&tick) {
                assert_eq!((moved.x, moved.z), (Scalar::ZERO, s("0.06")), "{shape:?} tick {tick}");
                assert_eq!(walk.walls.len(), 1);
            }
        }
        let corner = place(&world, 0);
        for _ in 0..40 {
            let walk = go(&mut world, v("0.1", FALL, "0.06"), &CharacterSettings::USUAL);
            assert_eq!((place(&world, 0), walk.walls.len()), (corner, 2), "{shape:?} stands still");
        }
        // Into the wedge between the slanting wall and the other one, and out of it again.
        let mut last = Vec3::ZERO;
        for tick in 0..400 {
            go(&mut world, v("0.05", FALL, "-0.1"), &CharacterSettings::USUAL);
            assert!(!is_inside(&world, 0));
            let now = place(&world, 0);
            assert!(tick < 350 || now == last, "{shape:?} shakes at {tick}: {now:?} {last:?}");
            last = now;
        }
        for _ in 0..20 {
            go(&mut world, v("-0.1", FALL, "0.1"), &CharacterSettings::USUAL);
        }
        assert!(place(&world, 0).x < last.x - lit("1.5"), "{shape:?} gets out");
    }
}

/// Up, down and sideways on a lift; pushed by its side; and between it and a wall there is no room.
#[test]
fn lifts_carry_and_push() {
    for (shape, steps) in WHO.into_iter().flat_map(|shape| [(shape, 1), (shape, 3), (shape, 16)]) {
        let up = half_height(shape);
        let on = Spawn { body_type: BodyType::Kinematic, ..Spawn::new(SLAB, v("0", "0.2", "0")) };
        let start = up + lit("0.31");
        let mut world = Ground::new().world_in_steps(steps, &[walker(shape, "0", &start.to_string()), on]);
        go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL);
        for (velocity, ticks) in [("0.05", 40), ("-0.04", 40), ("0.2", 10), ("0", 9)]
            .into_iter()
            .flat_map(|(way, ticks)| [(v("0", way, "0"), ticks), (v(way, "0", "0.03"), ticks)])
        {
            // Of a step; a command names the place after the tick.
            let of_a_step = velocity.map_raw(|raw| raw / i64::from(steps));
            world.apply(&[Command::SetVelocity { body: id(1), velocity: of_a_step }]).accepted().unwrap();
            for tick in 0..ticks {
                if tick > ticks / 2 {
                    let position = place(&world, 1) + velocity;
                    world.apply(&[Command::MoveKinematic { body: id(1), position }]).accepted().unwrap();
                }
                let before = place(&world, 0) - place(&world, 1);
                let walk = go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL);
                let moved = (place(&world, 0) - place(&world, 1) - before).raw();
                assert!(moved.iter().all(|raw| raw.abs() < 1 << 23), "{shape:?} {velocity:?} {moved:?}");
                assert_eq!(walk.carried_by, (velocity != Vec3::ZERO).then_some(id(1)));
                assert_eq!(walk.ground.unwrap().collider, Collider::Body(id(1)));
                assert!(!is_inside(&world, 0));
            }
        }
    }
    for shape in WHO {
        let mut ground = Ground::new();
        ground.solid(Shape::aabb(v("1", "3", "20")), v("4", "3", "0"));
        let up = half_height(shape) + lit("0.01");
        let push = Spawn {
            body_type: BodyType::Kinematic,
            velocity: v("0.05", "0", "0"),
            ..Spawn::new(CRATE, v("-3", "0.6", "0"))
        };
        let mut world = ground.world(&[walker(shape, "0", &up.to_string()), push]);
        let mut was_crushed = false;
        for _ in 0..130 {
            let walk = go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL);
            was_crushed |= walk.is_crushed;
            if was_crushed {
                break;
            }
            assert!(!is_inside(&world, 0), "{shape:?}");
            let apart = place(&world, 0).x - place(&world, 1).x;
            assert!(apart >= lit("0.9"), "{shape:?} {apart}");
            let walls: Vec<_> = walk.walls.iter().map(|wall| wall.collider).collect();
            let pushes = apart < lit("0.91");
            assert_eq!(walls.contains(&Collider::Body(id(1))), pushes, "{shape:?} {apart}");
        }
        assert!(was_crushed, "{shape:?}");
    }
}

/// A light body is pushed by the tick, a heavy one is a wall, and both can be stood on.
#[test]
fn light_bodies_are_pushed_and_heavy_ones_are_walls() {
    for (mass, is_pushed) in [(10, true), (11, false)] {
        let crate_at = Spawn { mass, ..Spawn::new(CRATE, v("3", "0.52", "0")) };
        let mut world = Ground::new().world(&[walker(BOX, "0", "0.91"), crate_at]);
        let gravity = world.limits().gravity_nearest_even(v("0", "-10", "0"));
        world.apply(&[Command::SetGravity { gravity }]).accepted().unwrap();
        let pushes = CharacterSettings { push_mass_max: 10, ..CharacterSettings::USUAL };
        let mut walls = 0;
        for _ in 0..60 {
            walls += go(&mut world, v("0.06", FALL, "0"), &pushes).walls.len();
        }
        assert_eq!((place(&world, 1).x > lit("3.5"), walls == 0), (is_pushed, is_pushed));
    }
    let below = Spawn { mass: 2, ..Spawn::new(CRATE, v("0", "0.52", "0")) };
    let mut world = Ground::new().world(&[walker(BOX, "0", "2.37"), below]);
    let pushes = CharacterSettings { push_mass_max: 10, ..CharacterSettings::USUAL };
    for tick in 0..20 {
        let walk = go(&mut world, v("0", FALL, "0"), &pushes);
        let gap = place(&world, 0).y - place(&world, 1).y - lit("1.4");
        assert!(gap > lit("0") && (tick < 5 || (gap < lit("0.01") && walk.ground.is_some())), "{tick} {gap}");
    }
    assert!(place(&world, 1).y > lit("0.5"));
}

/// It jumps up through a platform that is open at the top, stands on it, and drops through it by a command that
/// ignores the pair; a ceiling stops it.
#[test]
fn platforms_and_ceilings_are_what_they_are_to_others() {
    let mut ground = Ground::new();
    let ledge = ground.builder.shape(Shape::aabb(v("1.5", "0.1", "1.5")));
    ground.builder.one_way(ledge, Face::PlusY);
    let platform = ground.builder.fixed(ledge, MaterialId(0), v("0", "2.6", "0"));
    let ceiling = ground.solid(Shape::aabb(v("5", "0.5", "5")), v("0", "6.5", "0"));
    let mut world = ground.world(&[walker(BOX, "0", "0.91")]);
    let mut rise = s("0.25");
    let mut stood = false;
    for _ in 0..80 {
        let walk = go(&mut world, Vec3::new(Scalar::ZERO, rise, Scalar::ZERO), &CharacterSettings::USUAL);
        rise = if walk.ground.is_some() { s("-0.01") } else { rise - s("0.008") };
        stood |= walk.ground.is_some_and(|met| met.collider == Collider::Static(platform));
        assert!(walk.walls.is_empty() && walk.ceiling.is_none());
    }
    assert!(stood && place(&world, 0).y > lit("3.59"), "{}", place(&world, 0).y);
    let mut hit = None;
    for _ in 0..10 {
        hit = go(&mut world, v("0", "0.4", "0"), &CharacterSettings::USUAL).ceiling.or(hit);
    }
    assert_eq!(hit.unwrap().collider, Collider::Static(ceiling));
    assert!(place(&world, 0).y < lit("5.1") && !is_inside(&world, 0));
    let drop = Command::IgnorePair { a: id(0), b: Collider::Static(platform), ticks: 60 };
    assert!(world.apply(&[drop]).outcomes[0].is_ok());
    for _ in 0..60 {
        go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL);
    }
    assert!(place(&world, 0).y < lit("1"));
}

#[test]
fn a_body_that_is_no_character_is_refused() {
    let world = Ground::new().world(&[walker(BOX, "0", "0.91"), Spawn::new(CRATE, v("3", "0.52", "0"))]);
    let refused = |body, way, walker: CharacterSettings| {
        world.move_character(body, way, &walker).unwrap_err().to_string()
    };
    let usual = CharacterSettings::USUAL;
    let kind = Refusal::BodyType { body: id(1), body_type: BodyType::Dynamic }.to_string();
    assert_eq!(refused(id(1), Vec3::ZERO, usual), kind);
    assert_eq!(refused(id(9), Vec3::ZERO, usual), "no body 9");
    assert!(refused(id(0), v("9999", "0", "0"), usual).starts_with("velocity.x is 9999"));
    let steep = CharacterSettings { slope_max: s("16.5"), ..usual };
    assert!(refused(id(0), Vec3::ZERO, steep).starts_with("slope_max is 16.5"));
    let down = CharacterSettings { snap: s("-1"), ..usual };
    assert_eq!(refused(id(0), Vec3::ZERO, down), "snap: it is not negative");
    let nowhere = CharacterSettings { up: Normal::new(0, 0, 0), ..usual };
    assert_eq!(refused(id(0), Vec3::ZERO, nowhere), "up: it is zero, or longer than a normal may be");
}
