//! Several bodies that hit one at the same instant: the order of ids and the sides do not matter, and no
//! energy is gained.

use bitstep::{
    World,
    geom::Vec3,
    num::Scalar,
    shape::Shape,
    state::{Body, Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::support::{HALF, assert_clean, every, overlaps, s, step};

/// The directions of the starts, all at the same distance from the middle: images of each other, so that all
/// arrive at the same instant to the bit.
const FROM: [&[[i64; 3]]; 5] = [
    &[[5, 0, 0], [-5, 0, 0], [0, 5, 0]],
    &[[5, 0, 0], [-5, 0, 0], [0, 5, 0], [0, -5, 0]],
    &[[3, 4, 0], [-3, 4, 0], [3, -4, 0]],
    &[[3, 4, 0], [-3, 4, 0], [3, -4, 0], [-3, -4, 0]],
    &[[3, 4, 0], [4, 0, -3], [0, -3, 4], [-3, 4, 0]],
];

/// The restitutions of the one in the middle and of the others.
const BOUNCES: [[&str; 5]; 5] =
    [["0"; 5], ["0.5"; 5], ["1"; 5], ["0", "1", "0.5", "0", "0.75"], ["0", "0", "1", "1", "0"]];

const MASSES: [[u32; 5]; 4] = [[1; 5], [4, 1, 1, 1, 1], [3, 1, 4, 2, 7], [1, 50, 3, 20, 1]];

/// The one in the middle and the others.
fn spawns(shape: ShapeId, from: &[[i64; 3]], masses: [u32; 5], mirror: bool) -> Vec<Spawn> {
    let side = |[x, y, z]: [i64; 3]| Vec3::from_raw([if mirror { -x } else { x }, y, z]);
    let middle = Spawn { mass: masses[0], velocity: Vec3::ZERO, ..Spawn::new(shape, Vec3::ZERO) };
    let coming = (1..).zip(from).map(|(index, &from)| {
        let position = side(from.map(|c| c * s("0.3").to_bits()));
        let velocity = side(from.map(|c| -c * s("0.2").to_bits()));
        let spawn = Spawn { mass: masses[index], velocity, ..Spawn::new(ShapeId(2 * shape.0), position) };
        Spawn { material: MaterialId(index as u16), ..spawn }
    });
    std::iter::once(middle).chain(coming).collect()
}

/// Runs a tick with the bodies spawned in an order; returns them by their numbers.
fn run(spawns: &[Spawn], bounces: [&str; 5], order: &[usize]) -> Vec<Body> {
    let mut builder = SceneryBuilder::default();
    builder.shape(Shape::sphere(HALF));
    builder.shape(Shape::aabb(Vec3::splat(HALF)));
    builder.shape(Shape::aabb(Vec3::splat(s("0.25"))));
    for restitution in bounces {
        builder.material(Material::new(s(restitution)).unwrap());
    }
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let commands: Vec<_> = order.iter().map(|&which| Command::Spawn(spawns[which])).collect();
    assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_clean(&report);
    assert_eq!(overlaps(&world), 0);
    // Later impacts are not tested; nothing is left at that instant.
    let at_once = report.impacts.iter().filter(|impact| impact.toi == report.impacts[0].toi);
    assert_eq!(at_once.count(), spawns.len() - 1, "{:?}", report.impacts);
    let slot = |which| order.iter().position(|&it| it == which).unwrap();
    (0..spawns.len()).map(|which| *world.bodies().nth(slot(which)).unwrap().1).collect()
}

/// All orders of so many numbers.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for next in 0..count {
        let insert = |order: Vec<usize>| {
            (0..=order.len()).map(move |at| [&order[..at], &[next], &order[at..]].concat())
        };
        orders = orders.into_iter().flat_map(insert).collect();
    }
    orders
}

/// Twice the energy, and the momentum.
fn energy_and_momentum(bodies: &[Body]) -> (i128, [i128; 3]) {
    let energy = |body: &Body| i128::from(body.mass) * body.velocity().length_squared_wide() as i128;
    let sum = |i: usize| bodies.iter().map(|body| i128::from(body.momentum.raw()[i])).sum();
    (bodies.iter().map(energy).sum(), [0, 1, 2].map(sum))
}

/// Every body has bounced at least as its restitution says, and energy and momentum are kept.
fn assert_lawful(spawns: &[Spawn], bounces: [&str; 5], bodies: &[Body], name: &str) {
    let before: Vec<Body> = (spawns.iter())
        .map(|spawn| Body {
            mass: spawn.mass,
            momentum: spawn.velocity.map_raw(|raw| raw * i64::from(spawn.mass)),
            ..Body::new(ShapeId(0), spawn.position)
        })
        .collect();
    let (first, last) = (energy_and_momentum(&before), energy_and_momentum(bodies));
    assert_eq!(first.1, last.1, "{name}");
    // Rounding may add a raw to the component of a velocity of some 2^32.
    assert!(last.0 <= first.0 + (first.0 >> 29), "{name}: {} of {}", last.0, first.0);
    for which in 1..bodies.len() {
        let (from, speed) = (spawns[which].position, spawns[which].velocity);
        let rate = |velocity: Vec3| from.dot_wide(velocity);
        let restitution = s(bounces[0]).max(s(bounces[which]));
        let wanted = rate(-speed) / (1 << 32) * i128::from(restitution.to_bits());
        let apart = rate(bodies[which].velocity() - bodies[0].velocity());
        // A few raw of a velocity, along a vector of length 1.5.
        assert!(apart >= wanted - (16 << 32), "{name}: {which} parts at {apart} of {wanted}");
    }
}

#[test]
fn simultaneous_hits_know_no_order_of_ids_and_no_side() {
    let mirrored = |vector: Vec3| Vec3::new(-vector.x, vector.y, vector.z);
    let mut runs = 0;
    // Boxes that come along diagonals would meet each other, and so would larger ones.
    let pairs =
        FROM.map(|from| (ShapeId(0), from)).into_iter().chain([(ShapeId(1), FROM[0]), (ShapeId(1), FROM[1])]);
    for ((shape, from), bounces) in pairs.flat_map(|pair| BOUNCES.map(|bounces| (pair, bounces))) {
        for masses in MASSES.into_iter().step_by(every(2)) {
            let name = format!("{shape:?}, {from:?}, {bounces:?}, {masses:?}");
            let scene = spawns(shape, from, masses, false);
            let first = run(&scene, bounces, &(0..scene.len()).collect::<Vec<_>>());
            assert_lawful(&scene, bounces, &first, &name);
            let image = spawns(shape, from, masses, true);
            for order in orders(scene.len()) {
                assert!(run(&scene, bounces, &order) == first, "{name}, {order:?}");
                for (body, image) in first.iter().zip(run(&image, bounces, &order)) {
                    assert_eq!(mirrored(body.position), image.position, "{name}, {order:?}");
                    assert_eq!(mirrored(body.momentum), image.momentum, "{name}, {order:?}");
                }
                runs += 2;
            }
        }
    }
    println!("{runs} runs");
    assert!(runs > 10_000 / every(2), "{runs}");
}

/// With equal bodies on every side the one in the middle stays, and the others bounce as their restitution
/// says.
#[test]
fn four_of_the_same_that_hit_one_come_back_alike() {
    for (restitution, mass) in ["0", "0.5", "1"].into_iter().flat_map(|e| [1, 4, 50].map(|mass| (e, mass))) {
        for (shape, from) in [(0, FROM[1]), (0, FROM[3]), (1, FROM[1])] {
            let scene = spawns(ShapeId(shape), from, [mass, 1, 1, 1, 1], false);
            let bodies = run(&scene, [restitution; 5], &[0, 1, 2, 3, 4]);
            assert_eq!((bodies[0].momentum, bodies[0].position), (Vec3::ZERO, Vec3::ZERO));
            for (spawn, body) in scene.iter().zip(&bodies).skip(1) {
                let wanted =
                    spawn.velocity.map_raw(|raw| (-Scalar::from_bits(raw) * s(restitution)).to_bits());
                let off = (body.velocity() - wanted).raw().map(i64::abs);
                assert!(off.into_iter().all(|off| off <= 8), "{restitution}, {mass}: {off:?}");
            }
        }
    }
}
