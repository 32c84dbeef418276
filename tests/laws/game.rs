//! A seeded game of every command, with every kind of body, under every law at once.

use bitstep::{
    geom::Vec3,
    num::{Rng, rng::Draws},
    shape::Shape,
    snapshot,
    tick::TickReport,
    world::{BodyId, Command, Kind, Limits, Locks, Rule, ShapeId, Spawn, World},
};

use crate::{
    support::{closed_box, overlaps, s, step},
    tick_laws::assert_sound,
};

/// A list of commands for a world: most are accepted, some are not.
fn commands(world: &World, draws: &mut Draws, count: u64) -> Vec<Command> {
    (0..count).map(|_| command(world, draws)).collect()
}

fn command(world: &World, draws: &mut Draws) -> Command {
    let slots = world.state().slots.len() as u64;
    let body = BodyId { slot: draws.below(slots + 2) as u32, generation: draws.below(2) as u32 };
    let known = world.bodies().nth(draws.below(slots + 1) as usize).map_or(body, |(id, _)| id);
    let (body, layer) = (if draws.below(8) == 0 { body } else { known }, draws.below(5) as u8);
    let position = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-3 << 32, 3 << 32)));
    let velocity = position.map_raw(|raw| raw / 16);
    match draws.below(16) {
        0 => Command::Remove { body },
        1 => Command::Teleport { body, position, allow_overlap: false },
        2 | 3 => Command::SetVelocity { body, velocity },
        4 | 5 => Command::Push { body, impulse: velocity },
        6 | 7 => {
            let here = world.body(body).map_or(position, |body| body.position);
            Command::MoveTo { body, position: here + velocity }
        }
        8 => Command::SetShape { body, shape: ShapeId(draws.below(4) as u16), allow_overlap: false },
        9 => Command::SetFilter { body, layer, group: group(draws), allow_overlap: false },
        10 => {
            let rule = match draws.below(12) {
                0 => Rule::Ignore,
                1 => Rule::Report,
                _ => Rule::Solid,
            };
            Command::SetLayers { a: layer, b: draws.below(5) as u8, rule, allow_overlap: false }
        }
        11 => Command::SetLocks { body, locks: locks(draws) },
        12 => Command::SetDamping { body, damping_q16: draws.below(2_000) as u16 },
        13 => Command::SetUser { body, user: draws.bits() },
        _ => Command::Spawn(spawn(draws, position, velocity)),
    }
}

fn locks(draws: &mut Draws) -> Locks {
    let bits = if draws.below(4) == 0 { draws.below(8) as u8 } else { 0 };
    Locks::try_from(bits).unwrap()
}

/// Mostly none.
fn group(draws: &mut Draws) -> u16 {
    draws.below(12).saturating_sub(9) as u16
}

fn spawn(draws: &mut Draws, position: Vec3, velocity: Vec3) -> Spawn {
    let kind = match draws.below(10) {
        0 => Kind::Static,
        1 | 2 => Kind::Kinematic,
        _ => Kind::Dynamic,
    };
    let locks = locks(draws);
    let velocity = if kind == Kind::Static { Vec3::ZERO } else { locks.free_part(velocity) };
    let (layer, group) = (draws.below(5) as u8, group(draws));
    let damping_q16 = if draws.below(2) == 0 { 0 } else { draws.below(500) as u16 };
    let mass = 1 + draws.below(60) as u32;
    let plain =
        Spawn { kind, locks, velocity, layer, group, damping_q16, mass, ..Spawn::new(ShapeId(0), position) };
    Spawn { shape: ShapeId(draws.below(3) as u16), user: draws.bits(), ..plain }
}

#[test]
fn a_game_of_thousands_of_commands_keeps_every_law() {
    let (mut accepted, mut refused, mut impacts, mut blocked) = (0, 0, 0, 0);
    let mut lines = [0; 7];
    for (seed, rate) in [(1, 10), (2, 20), (3, 60), (4, 120), (5, 60)] {
        let solids = [Shape::sphere(s("0.4")), Shape::sphere(s("0.7")), Shape::aabb(Vec3::splat(s("0.45")))];
        let limits = Limits { bodies_max: 70, speed_max: s("0.5"), budget: 6, ..Limits::new(rate) };
        let mut world = World::new(limits, closed_box("0.6", &solids, "3.5")).unwrap();
        let gravity = limits.gravity_nearest_even(Vec3::new(s("0.5"), s("-9.81"), s("0")));
        world.apply(&[Command::SetGravity { gravity }]);
        let (mut report, mut again) = (TickReport::default(), TickReport::default());
        for tick in 0..400 {
            let mut draws = Rng::new(71).at(seed, tick, 0);
            let list = commands(&world, &mut draws, if tick == 0 { 150 } else { 4 });
            let momentum = world.momentum_wide();
            let applied = world.apply(&list);
            let gained: Vec<i128> =
                world.momentum_wide().iter().zip(momentum).map(|(after, before)| after - before).collect();
            assert_eq!(gained, applied.momentum, "the line of the commands, tick {tick} of game {seed}");
            accepted += applied.outcomes.iter().filter(|outcome| outcome.is_ok()).count();
            refused += applied.outcomes.iter().filter(|outcome| outcome.is_err()).count();
            assert_eq!(overlaps(&world), 0, "after the commands of tick {tick} of game {seed}: {list:?}");
            let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
            let before = world.clone();
            step(&mut world, &mut report);
            restored.step(&mut again);
            assert_eq!(report, again, "tick {tick} of game {seed}");
            assert_eq!(snapshot::encode(&world), snapshot::encode(&restored));
            assert_eq!(overlaps(&world), 0, "tick {tick} of game {seed}");
            world.bodies().for_each(|(id, body)| assert_sound(body, before.body(id)));
            let ledger = &report.ledger;
            let all = [
                ledger.gravity,
                ledger.damping,
                ledger.statics,
                ledger.kinematics,
                ledger.locks,
                ledger.clamps,
                ledger.holds,
            ];
            for (count, line) in lines.iter_mut().zip(all) {
                *count += usize::from(line != [0; 3]);
            }
            impacts += report.impacts.len();
            blocked += report.blocked.len();
        }
    }
    println!("{accepted} accepted, {refused} refused, {impacts} impacts, {blocked} blocked, lines {lines:?}");
    assert!(accepted > 3_000 && refused > 1_000, "{accepted} accepted, {refused} refused");
    // Who lies on something has no impacts.
    assert!(impacts > 1_500 && blocked > 30, "{impacts} impacts, {blocked} blocked");
    assert!(lines.iter().all(|&count| count > 20), "how often each line had something: {lines:?}");
}
