//! A body that meets several child shapes at once, or one far from its compound's center, meets them as it
//! would meet separate bodies, to the bit.

use bitstep::{
    World,
    geom::Vec3,
    shape::{Obb, Shape},
    state::{
        Body, BodyType, ChildShape, Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn,
    },
    tick::TickReport,
};

use crate::support::{s, v};

/// The shapes of the children, and those of the bodies that meet them.
const POST: ShapeId = ShapeId(0);
const BALL: ShapeId = ShapeId(1);
const BOARD: ShapeId = ShapeId(2);
const BRICK: ShapeId = ShapeId(3);
const ROD: ShapeId = ShapeId(4);

fn child(shape: ShapeId, x: &str, y: &str, z: &str) -> ChildShape {
    ChildShape { offset: v(x, y, z), ..ChildShape::new(shape) }
}

/// A case: the child shapes of a static body in the middle, and bodies that come before it.
struct Case<'a> {
    children: &'a [ChildShape],
    bodies: &'a [Spawn],
    friction: &'a str,
    restitution: &'a str,
    rate: u32,
}

impl Case<'_> {
    /// The static compound as one body or as one for each child, before all others or after them.
    fn world(&self, is_apart: bool, is_first: bool) -> World {
        let mut builder = SceneryBuilder::default();
        let material = Material::new(s(self.restitution)).unwrap().with_friction(s(self.friction)).unwrap();
        builder.material(material);
        let brick = |x, y, z| Shape::Obb(Obb::along_axes(v(x, y, z)));
        builder.shape(Shape::aabb(v("0.125", "0.5", "6")));
        builder.shape(Shape::sphere(s("0.25")));
        builder.shape(brick("1.5", "0.125", "0.5"));
        builder.shape(brick("0.25", "0.125", "0.25"));
        builder.shape(Shape::capsule(v("0.5", "0", "0"), s("0.125")));
        let set = builder.compound(self.children.to_vec());
        let limits = Limits::new(self.rate);
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let bodies = self.bodies.iter().map(|spawn| {
            let velocity = limits.velocity_nearest(spawn.velocity);
            let angular_velocity = limits.velocity_nearest(spawn.angular_velocity);
            Command::Spawn(Spawn { velocity, angular_velocity, ..*spawn })
        });
        let fixed = |shape, place| {
            Command::Spawn(Spawn {
                body_type: BodyType::Static,
                material: MaterialId(0),
                ..Spawn::new(shape, place)
            })
        };
        let thing: Vec<_> = if is_apart {
            self.children.iter().map(|child| fixed(child.shape, child.offset)).collect()
        } else {
            vec![fixed(ShapeId::of_compound(set, false), Vec3::ZERO)]
        };
        let gravity = limits.gravity_nearest_even(v("0", "-9.8", "0"));
        let mut commands = vec![Command::SetGravity { gravity }];
        if is_first {
            commands.extend(thing);
            commands.extend(bodies);
        } else {
            commands.extend(bodies);
            commands.extend(thing);
        }
        let outcomes = world.apply(&commands).outcomes;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        world
    }

    /// Plays both worlds, in both orders of bodies; returns the last one in which the compound is one body,
    /// and the children that were met.
    fn alike(&self, ticks: u32) -> (World, Vec<bool>) {
        self.alike_in_order(ticks, true);
        self.alike_in_order(ticks, false)
    }

    fn alike_in_order(&self, ticks: u32, is_first: bool) -> (World, Vec<bool>) {
        let [mut whole, mut apart] = [self.world(false, is_first), self.world(true, is_first)];
        let mut reports = [TickReport::default(), TickReport::default()];
        whole.enable_events(true);
        apart.enable_events(true);
        let mut met = vec![false; self.children.len()];
        for tick in 0..ticks {
            whole.step(&mut reports[0]);
            apart.step(&mut reports[1]);
            let free = |world: &World| -> Vec<Body> {
                world
                    .bodies()
                    .map(|(_, body)| *body)
                    .filter(|body| body.body_type == BodyType::Dynamic)
                    .collect()
            };
            assert_eq!(free(&whole), free(&apart), "tick {tick}");
            assert_eq!(reports[0].ledger, reports[1].ledger, "tick {tick}");
            assert_eq!(reports[0].angular, reports[1].angular, "tick {tick}");
            assert_eq!(reports[0].impacts.len(), reports[1].impacts.len(), "tick {tick}");
            for event in &reports[0].events {
                met[usize::from(event.children[usize::from(!is_first)])] = true;
            }
        }
        (whole, met)
    }
}

fn turning(shape: ShapeId, place: Vec3) -> Spawn {
    Spawn { rotates: true, mass: 3, ..Spawn::new(shape, place) }
}

#[test]
fn a_board_slides_and_turns_on_two_rails_of_one_body() {
    let rails = [child(POST, "-1", "0", "0"), child(POST, "1", "0", "0")];
    for (friction, speed, spin) in
        [("0", v("0", "0", "4"), "0"), ("0.2", v("0", "0", "5"), "0"), ("0.1", v("0.5", "0", "3"), "0.7")]
    {
        for rate in [20, 60] {
            let board = Spawn {
                velocity: speed,
                angular_velocity: v("0", spin, "0"),
                ..turning(BOARD, v("0.25", "0.63", "-4"))
            };
            let case = Case { children: &rails, bodies: &[board], friction, restitution: "0", rate };
            let (world, met) = case.alike(rate * 3 / 2);
            assert_eq!(met, [true; 2]);
            let (_, board) = world.bodies().next().unwrap();
            let is_on = board.position.y > s("0.62") && board.position.z > s("-2");
            assert!(is_on || spin != "0", "{}", board.position);
        }
    }
}

#[test]
fn every_child_of_many_holds_what_falls_on_it() {
    let children: Vec<ChildShape> = ["-3.5", "-2.5", "-1.5", "-0.5", "0.5", "1.5", "2.5", "3.5"]
        .map(|x| child(POST, x, if x.contains("2.5") { "0.5" } else { "0" }, "0"))
        .to_vec();
    let mut bodies = Vec::new();
    for (number, place) in (0..).zip(&children) {
        let above = place.offset + v("0.05", "1.125", "0.25") + v("0", "0.125", "0").map_raw(|c| c * number);
        let shape = [BRICK, BALL, ROD][number as usize % 3];
        bodies.push(Spawn { velocity: v("0", "-1", "0.5"), ..turning(shape, above) });
    }
    for (friction, restitution) in [("0.5", "0"), ("0", "0.5"), ("0.3", "0.7")] {
        let case = Case { children: &children, bodies: &bodies, friction, restitution, rate: 60 };
        let (_, met) = case.alike(60);
        assert!(met.iter().all(|&met| met), "{met:?}");
    }
}

#[test]
fn an_impact_on_a_child_far_from_the_center_turns_as_one_on_a_body_there() {
    let children = [child(BALL, "0", "-5", "0"), child(BRICK, "9", "2", "-7"), child(POST, "-8", "0", "1")];
    let fast = |shape, place, velocity| Spawn { velocity, ..turning(shape, place) };
    let bodies = [
        fast(ROD, v("9.25", "3", "-7.125"), v("0", "-9", "3")),
        fast(BRICK, v("-7", "0.25", "2"), v("-12", "2", "-1")),
        fast(BOARD, v("0.75", "-4", "0.25"), v("0", "-6", "0")),
    ];
    for (friction, restitution, rate) in [("0", "0.5", 60), ("0.4", "0.8", 60), ("0.8", "0", 20)] {
        let case = Case { children: &children, bodies: &bodies, friction, restitution, rate };
        let (world, met) = case.alike(rate);
        assert_eq!(met, [true; 3]);
        let spins = world.bodies().take(3).filter_map(|(_, body)| body.spin);
        let turned = spins.filter(|spin| spin.angular_momentum != Vec3::ZERO).count();
        assert!(turned >= 1, "{turned} are turned by what they hit");
    }
}
