//! The decisions of a character move, case by case: ground, carrying and pushing, and obstacles.

use bitstep::{
    World,
    character::{CharacterMove, CharacterSettings},
    geom::{Rotation, Vec3},
    num::{Scalar, lit},
    shape::{Mesh, Shape},
    state::{BodyType, ChildShape, Collider, Command, Face, MaterialId, Rule, ShapeId, Spawn},
};

use crate::{
    support::{s, v},
    walks::{BALL, BOX, CRATE, FALL, Ground, SLAB, WHO, go, half_height, id, is_inside, place, walker},
};

/// A layer that collides with nothing.
const AIR: u8 = 3;

fn apply(world: &mut World, commands: &[Command]) {
    let applied = world.apply(commands);
    assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
}

fn lift(shape: ShapeId, at: Vec3, velocity: Vec3) -> Spawn {
    Spawn { body_type: BodyType::Kinematic, velocity, ..Spawn::new(shape, at) }
}

fn walls(walk: &CharacterMove) -> Vec<Collider> {
    walk.walls.iter().map(|wall| wall.collider).collect()
}

fn x(world: &World) -> Scalar {
    place(world, 0).x
}

/// A ground with a step of a given height, from x = 1 on.
fn step_of(height: &str, start: Vec3) -> World {
    let mut ground = Ground::new();
    let half = s(height).to_bits() / 2;
    ground.solid(Shape::aabb(Vec3::from_raw([4 << 32, half, 4 << 32])), Vec3::from_raw([5 << 32, half, 0]));
    ground.world(&[Spawn { body_type: BodyType::Kinematic, ..Spawn::new(BOX, start) }])
}

// ------------------------------------------------------------------------------------- ground

/// A character that glides a tenth of a unit above the ground, or jumps up from it, meets the side of a step.
#[test]
fn a_character_in_the_air_climbs_no_step() {
    for (height, way, climbs) in [
        ("0.9011", v("0.1", "0", "0"), true),
        ("1", v("0.1", "0", "0"), false),
        ("0.9011", v("0.1", "0.02", "0"), false),
    ] {
        let mut world = step_of("0.25", v("0.55", height, "0"));
        let walk = go(&mut world, way, &CharacterSettings::USUAL);
        assert_eq!((walk.step > lit("0"), walk.walls.is_empty()), (climbs, climbs), "{height} {way}");
        assert_eq!(x(&world) > lit("0.6"), climbs);
    }
}

/// Down to ground that is no farther than its search distance, also where it climbs no steps.
#[test]
fn ground_is_found_as_far_below_as_is_said() {
    for (snap, finds) in [("2.6", true), ("2.4", false)] {
        let mut world = step_of("2.5", v("1.1", "3.401", "0"));
        let walker = CharacterSettings { step_height: lit("0"), snap: s(snap), ..CharacterSettings::USUAL };
        assert!(go(&mut world, v("-0.3", "0", "0"), &walker).ground.is_some());
        let walk = go(&mut world, v("-0.3", "0", "0"), &walker);
        assert_eq!((walk.ground.is_some(), place(&world, 0).y < lit("0.91")), (finds, finds), "{snap}");
    }
}

/// A slope that is too steep is no ground to be brought down to, nor to climb a step onto, however high steps
/// may be.
#[test]
fn steep_slopes_are_no_ground() {
    // 55 degrees, down from a ledge whose edge is at the origin, and up from the floor.
    let turn = ("0.887", "0.4617");
    for shape in WHO {
        let mut ground = Ground::new();
        ground.ramp(turn, v("2", "0", "0"));
        let up = half_height(shape) + lit("0.01");
        let mut world = ground.world(&[walker(shape, "0.5", &up.to_string())]);
        let high = CharacterSettings { step_height: lit("0.9"), ..CharacterSettings::USUAL };
        for _ in 0..60 {
            assert_eq!(go(&mut world, v("0.05", FALL, "0"), &high).step, lit("0"), "{shape:?}");
        }
        assert!(place(&world, 0).y < up + lit("0.1") && x(&world) < lit("2"), "{shape:?}");
    }
    let mut ground = Ground::new();
    ground.solid(Shape::aabb(v("4", "4", "8")), v("-4", "6", "0"));
    ground.ramp(("0.887", "-0.4617"), v("0", "10", "0"));
    let mut world = ground.world(&[walker(BALL, "-0.5", "10.41")]);
    let mut y = place(&world, 0).y;
    for tick in 0..40 {
        let walk = go(&mut world, v("0.05", "-0.01", "0"), &CharacterSettings::USUAL);
        let down = y - place(&world, 0).y;
        y -= down;
        assert!(down < lit("0.02"), "it is not brought down: {tick} {down}");
        assert!(tick < 20 || walk.ground.is_none());
    }
}

/// A character that comes down on a walkable slope stays where it came down.
#[test]
fn a_character_that_lands_on_a_slope_does_not_slide() {
    for shape in WHO {
        let mut ground = Ground::new();
        ground.ramp(("0.94", "0.342"), v("0", "0", "0"));
        let mut world = ground.world(&[walker(shape, "2", "6")]);
        for _ in 0..80 {
            go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL);
            assert_eq!(x(&world), lit("2"), "{shape:?}");
        }
        assert!(place(&world, 0).y < lit("4"));
    }
}

/// A wall that leans over is a wall, and a surface is a ceiling if it points down more than sideways.
#[test]
fn overhangs_are_walls_or_ceilings() {
    for ((w, z), is_ceiling) in [(("0.966", "0.259"), false), (("0.819", "0.574"), true)] {
        let mut ground = Ground::new();
        // Upright, and turned so that its side looks down by 30 and by 70 degrees.
        let turn = Rotation::from_quaternion(s(w), s("0"), s("0"), s(z)).unwrap();
        ground.solid(Shape::obb(v("0.5", "9", "9"), turn), v("1", "4", "0"));
        let mut world = ground.world(&[walker(BALL, "-1", "1")]);
        let mut met = (false, false);
        for _ in 0..30 {
            let walk = go(&mut world, v("0", "0.2", "0"), &CharacterSettings::USUAL);
            met = (met.0 || !walk.walls.is_empty(), met.1 || walk.ceiling.is_some());
        }
        assert_eq!(met, (!is_ceiling, is_ceiling), "{w}");
    }
}

// ------------------------------------------------------------------------------- carrying and pushing

/// Carried toward a wall it goes as far as there is room, slowly or by several units in a tick.
#[test]
fn a_character_that_is_carried_to_a_wall_comes_up_to_it() {
    for (speed, far) in [("0.05", "0.53"), ("5", "4.5")] {
        let mut ground = Ground::new();
        ground.solid(Shape::aabb(v("1", "2", "9")), Vec3::new(s(far) + lit("1"), lit("2.6"), lit("0")));
        let under = lift(SLAB, v("0", "0.2", "0"), Vec3::new(s(speed), lit("0"), lit("0")));
        let mut world = ground.world(&[walker(BOX, "0", "1.2011"), under]);
        for _ in 0..if speed == "5" { 1 } else { 3 } {
            let walk = go(&mut world, v("0", "-0.0001", "0"), &CharacterSettings::USUAL);
            assert_eq!(walk.carried_by, Some(id(1)));
            assert!(!is_inside(&world, 0) && !walk.is_crushed);
        }
        let room = s(far) - lit("0.4") - x(&world);
        assert!(room > lit("0") && room < lit("0.002"), "{speed}: {room}");
    }
}

/// A frozen body carries no other, whatever velocity it has.
#[test]
fn a_frozen_lift_carries_no_character() {
    let velocity = v("0.05", "0", "0");
    let mut world =
        Ground::new().world(&[walker(BOX, "0", "1.2011"), lift(SLAB, v("0", "0.2", "0"), velocity)]);
    apply(&mut world, &[Command::Freeze { body: id(1), ticks: 2 }]);
    for frozen in [true, true, false] {
        let before = x(&world);
        let walk = go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL);
        assert_eq!((walk.carried_by.is_none(), x(&world) == before), (frozen, frozen));
    }
}

/// Carried away from a body that comes after it, it is pushed by the difference of the speeds; and by the
/// whole displacement of one that comes from afar.
#[test]
fn a_pushed_character_goes_no_farther_than_it_must() {
    let under = lift(SLAB, v("0", "0.2", "0"), v("0.05", "0", "0"));
    let comes = lift(CRATE, v("-0.91", "1", "0"), v("0.08", "0", "0"));
    let mut world = Ground::new().world(&[walker(BOX, "0", "1.2011"), under, comes]);
    for _ in 0..4 {
        let walk = go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL);
        let apart = x(&world) - place(&world, 2).x - lit("0.9");
        assert!(apart > lit("0") && apart < lit("0.003"), "{apart}");
        assert_eq!(walls(&walk), [Collider::Body(id(2))]);
    }
    for speed in ["8", "7.5", "6.9"] {
        let comes = lift(CRATE, v("-7.5", "0.6", "0"), Vec3::new(s(speed), lit("0"), lit("0")));
        let mut world = Ground::new().world(&[walker(BOX, "0", "0.9011"), comes]);
        let walk = go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL);
        assert_eq!(walls(&walk), [Collider::Body(id(1))], "{speed}");
        let apart = x(&world) - place(&world, 1).x - lit("0.9");
        assert!(apart > lit("0") && apart < lit("0.003"), "{speed} {apart}");
    }
}

// ------------------------------------------------------------------------------- obstacles

/// Of bodies as of statics it passes those that it ignores, and a lift that is open at the top from
/// below.
#[test]
fn bodies_are_passed_as_statics_are() {
    let post = lift(CRATE, v("2", "0.6", "0"), Vec3::ZERO);
    for ticks in [0, 60] {
        let mut world = Ground::new().world(&[walker(BOX, "0", "0.9011"), post]);
        apply(&mut world, &[Command::IgnorePair { a: id(0), b: Collider::Body(id(1)), ticks }]);
        let met: usize = (0..50)
            .map(|_| go(&mut world, v("0.08", FALL, "0"), &CharacterSettings::USUAL).walls.len())
            .sum();
        assert_eq!((met == 0, x(&world) > lit("3.9")), (ticks > 0, ticks > 0));
    }
    let mut ground = Ground::new();
    let open = ground.builder.shape(Shape::aabb(v("1", "0.1", "1")));
    ground.builder.one_way(open, Face::PlusY);
    let mut world =
        ground.world(&[walker(BOX, "0", "0.9011"), lift(open, v("0", "2.2", "0"), v("0", "0.001", "0"))]);
    for tick in 0..60 {
        let walk =
            go(&mut world, v("0", if tick < 20 { "0.2" } else { FALL }, "0"), &CharacterSettings::USUAL);
        assert!(walk.ceiling.is_none() && walk.walls.is_empty(), "{tick}");
    }
    assert_eq!(go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL).carried_by, Some(id(1)));
}

/// A platform of two triangles that is open on its front is passed from below, and walked on.
#[test]
fn open_meshes_are_passed_from_below_and_walked_on() {
    let corners = [v("-2", "2.2", "-2"), v("-2", "2.2", "2"), v("2", "2.2", "-2"), v("2", "2.2", "2")];
    let mesh = Mesh::new(&corners, &[[0, 1, 2], [2, 1, 3]]).unwrap();
    let mut ground = Ground::new();
    let open = ground.builder.shape(Shape::Mesh(mesh));
    ground.builder.one_way(open, Face::Front);
    ground.builder.fixed(open, MaterialId(0), Vec3::ZERO);
    let mut world = ground.world(&[walker(BOX, "0", "0.9011")]);
    for tick in 0..60 {
        let way = v("0.02", if tick < 20 { "0.2" } else { FALL }, "0");
        let walk = go(&mut world, way, &CharacterSettings::USUAL);
        assert!(walk.ceiling.is_none() && walk.walls.is_empty(), "{tick}");
    }
    assert!(go(&mut world, v("0", FALL, "0"), &CharacterSettings::USUAL).ground.is_some());
    assert!((lit("3.1")..lit("3.11")).contains(&place(&world, 0).y) && x(&world) > lit("1.1"));
}

/// Compounds walk, and are obstacles, with their solid child shapes, at their offsets.
#[test]
fn sets_meet_with_their_solid_parts() {
    let mut ground = Ground::new();
    let beside = |x, layer| ChildShape { offset: v(x, "0", "0"), layer, ..ChildShape::new(CRATE) };
    // A crate whose arm reaches far to the right, and child shapes that only others collide with to the left.
    let set =
        ground.builder.compound(vec![beside("0", None), beside("1.5", None), beside("-1.5", Some(AIR))]);
    let set = ShapeId::of_compound(set, false);
    ground.solid(Shape::aabb(v("1", "3", "9")), v("6", "3.5", "0"));
    ground.solid(Shape::aabb(v("1", "3", "9")), v("-6", "3.5", "0"));
    let mut world = ground.world(&[walker(set, "0", "0.5011")]);
    nothing_in_the_air(&mut world);
    for (way, end) in [("0.1", "3"), ("-0.1", "-4.5")] {
        let mut met = 0;
        for _ in 0..90 {
            let walk = go(&mut world, v(way, FALL, "0"), &CharacterSettings::USUAL);
            met += walk.walls.len();
            assert!(walk.ground.is_some() && !walk.is_crushed);
        }
        assert!(met > 0 && (x(&world) - s(end)).abs() < lit("0.003"), "{way}: {}", x(&world));
    }

    let mut ground = Ground::new();
    let set =
        ground.builder.compound(vec![beside("0", None), beside("1.5", None), beside("-1.5", Some(AIR))]);
    let set = ShapeId::of_compound(set, false);
    for (from, way, end, part) in [("6", "-0.1", "2.4", 1), ("-6", "0.1", "-0.9", 0)] {
        let ground = Ground { builder: ground.builder.clone() };
        let mut world =
            ground.world(&[walker(BOX, from, "0.9011"), lift(set, v("0", "0.6", "0"), Vec3::ZERO)]);
        nothing_in_the_air(&mut world);
        let mut met = Vec::new();
        for _ in 0..90 {
            met = go(&mut world, v(way, FALL, "0"), &CharacterSettings::USUAL).walls;
        }
        assert!((x(&world) - s(end)).abs() < lit("0.003"), "{way}: {}", x(&world));
        assert_eq!(
            met.iter().map(|wall| (wall.collider, wall.child)).collect::<Vec<_>>(),
            [(Collider::Body(id(1)), part)]
        );
    }
}

fn nothing_in_the_air(world: &mut World) {
    for other in [0, AIR] {
        apply(world, &[Command::SetLayers { a: AIR, b: other, rule: Rule::Ignore, allow_overlap: false }]);
    }
}
