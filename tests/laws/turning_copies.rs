//! A snapshot is the whole state of a world of rotating bodies: a copy continues as the uninterrupted run.

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, rng::Draws},
    snapshot,
    state::{BodyId, BodyType, Command},
    tick::TickReport,
};

use crate::{
    piles::RATES,
    support::{every, v},
    tumblers::{add_paddle, any_rotation, heap},
};

/// A command about an existing body.
fn command(world: &World, draws: &mut Draws) -> Command {
    let slots = world.state().slots.len() as u64;
    let body = BodyId::from_parts(draws.below(slots) as u32, 0);
    let here = world.body(body).unwrap();
    let mut vector = |bits: u32| Vec3::from_raw([(); 3].map(|()| draws.between(-1 << bits, 1 << bits)));
    let mass = i64::from(here.mass);
    let impulse = vector(26).map_raw(|raw| raw * mass);
    let (arm, angular, place) = (vector(30), vector(28), vector(33));
    match draws.below(5) {
        0 => Command::ApplyImpulseAt { body, impulse, point: here.position + arm },
        1 => Command::ApplyAngularImpulse { body, angular_impulse: impulse },
        2 => {
            let orientation = any_rotation(draws);
            Command::Teleport {
                body,
                position: place,
                orientation: Some(orientation),
                allow_overlap: draws.below(4) == 0,
            }
        }
        3 if here.body_type == BodyType::Kinematic => Command::SetVelocity { body, velocity: impulse },
        _ => Command::SetAngularVelocity { body, angular_velocity: angular },
    }
}

fn commands(world: &World, tick: u64, seed: u64) -> Vec<Command> {
    let mut draws = Rng::new(seed).at(5, tick, 0);
    (0..draws.below(4).saturating_sub(1)).map(|_| command(world, &mut draws)).collect()
}

fn restored(world: &World) -> World {
    let mut restored = snapshot::decode(&snapshot::encode(world), world.scenery()).unwrap();
    restored.enable_events(world.events_enabled());
    restored
}

#[test]
fn every_tick_goes_on_from_a_copy_as_it_would_have() {
    let (mut accepted, mut impacts) = (0, 0);
    for (seed, rate) in (30..).zip(RATES).step_by(every(2)) {
        let mut scene = heap(rate, ("0.3", "0.5"), 18, seed);
        add_paddle(&mut scene, "1.5", v("0.1", "0.2", "0"));
        let mut world = scene.world();
        let mut report = TickReport::default();
        world.enable_events(true);
        // Copies that were taken every 16 ticks, and go on to the end.
        let mut copies: Vec<World> = Vec::new();
        let mut other = TickReport::default();
        for tick in 0..80 {
            let commands = commands(&world, tick, seed);
            copies.push(restored(&world));
            copies.push(world.clone());
            let _ = world.tick(&commands, &mut report);
            let bytes = snapshot::encode(&world);
            for (index, copy) in copies.iter_mut().enumerate() {
                let _ = copy.tick(&commands, &mut other);
                assert!(other == report, "{rate} Hz, tick {tick}, copy {index}: {other:?}\n{report:?}");
                assert!(snapshot::encode(copy) == bytes, "{rate} Hz, tick {tick}, copy {index}");
            }
            if tick % 16 != 0 {
                copies.truncate(copies.len() - 2);
            }
            accepted += report.outcomes.iter().filter(|outcome| outcome.is_ok()).count();
            impacts += report.impacts.len();
        }
    }
    println!("{accepted} commands, {impacts} impacts");
    assert!(accepted > 200 / every(2) && impacts > 500 / every(2), "{accepted} {impacts}");
}

/// As peers that roll back: they go some ticks on, back, and on again.
#[test]
fn a_world_that_goes_back_comes_to_the_same() {
    for (rate, distance) in [(20, 1), (60, 3), (60, 8), (120, 5)].into_iter().step_by(every(2)) {
        let mut scene = heap(rate, ("0.2", "0.8"), 14, 40);
        add_paddle(&mut scene, "3", v("0", "0", "0"));
        let mut world = scene.world();
        let mut report = TickReport::default();
        world.enable_events(true);
        let mut known: Vec<(Vec<u8>, TickReport)> = Vec::new();
        for tick in 0..120_u64 {
            let _ = world.tick(&commands(&world, tick, 41), &mut report);
            known.push((snapshot::encode(&world), report.clone()));
            let Some(back) = (tick as usize).checked_sub(distance) else { continue };
            world = snapshot::decode(&known[back].0, world.scenery()).unwrap();
            world.enable_events(true);
            for (again, (bytes, told)) in known.iter().enumerate().skip(back + 1) {
                let _ = world.tick(&commands(&world, again as u64, 41), &mut report);
                assert!(snapshot::encode(&world) == *bytes, "{rate} Hz, tick {again}");
                assert!(report == *told, "{rate} Hz, the report of tick {again}");
            }
        }
    }
}
