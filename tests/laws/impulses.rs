//! The impulses of pairs are the changes of the bodies' momenta.

use std::collections::BTreeMap;

use bitstep::{
    World,
    num::{Rng, Scalar},
    state::{BodyId, BodyType, Collider, Command, Locks},
    tick::{Cause, TickReport},
};

use crate::{
    support::{every, gas, step, v},
    tumblers::{add_paddle, heap},
};

/// Differences between the change of momenta and the listed impulses, in raw.
#[derive(Default)]
struct Seen {
    pairs: usize,
    /// Number of bodies that got more than gravity and their pairs gave them, summed over the ticks.
    others: usize,
}

impl Seen {
    /// A tick in which only gravity, contacts and safety nets act.
    fn tick(&mut self, world: &mut World, report: &mut TickReport) {
        let before = world.clone();
        step(world, report);
        assert!(report.impulses.is_sorted_by_key(|it| (it.a, it.b)), "in order, each pair once");
        let mut got: BTreeMap<Collider, [i128; 3]> = BTreeMap::new();
        for it in &report.impulses {
            assert!(Collider::Body(it.a) < it.b && it.impulse.raw() != [0; 3], "{it:?}");
            for (collider, sign) in [(Collider::Body(it.a), -1), (it.b, 1)] {
                let sum = got.entry(collider).or_default();
                (0..3).for_each(|axis| sum[axis] += sign * i128::from(it.impulse.raw()[axis]));
            }
        }
        let mut rest = [0; 3];
        for (id, body) in world.bodies().filter(|(_, body)| body.body_type == BodyType::Dynamic) {
            let given = got.remove(&Collider::Body(id)).unwrap_or_default();
            let was = before.body(id).unwrap();
            let pulled = before.gravity().raw().map(|c| i128::from(c) * i128::from(body.mass));
            let other = [0, 1, 2].map(|axis: usize| {
                let change = i128::from(body.momentum.raw()[axis]) - i128::from(was.momentum.raw()[axis]);
                change - given[axis] - pulled[axis]
            });
            self.others += usize::from(other != [0; 3]);
            (0..3).for_each(|axis| rest[axis] += other[axis]);
        }
        let sum = |causes: &[Cause]| {
            [0, 1, 2].map(|axis: usize| causes.iter().map(|&cause| report.ledger[cause][axis]).sum::<i128>())
        };
        let nets = sum(&[Cause::Locks, Cause::Clamps, Cause::Holds, Cause::VelocityCorrections]);
        assert_eq!(rest, nets, "tick {}: what pairs did not give is booked", report.tick);
        let of_others = [0, 1, 2].map(|axis: usize| got.values().map(|it| it[axis]).sum::<i128>());
        assert_eq!(of_others, sum(&[Cause::Statics, Cause::Kinematics]).map(|part| -part));
        self.pairs += report.impulses.len();
    }
}

fn run(world: &mut World, ticks: usize) -> Seen {
    let (mut report, mut seen) = (TickReport::default(), Seen::default());
    world.enable_events(true);
    (0..ticks).for_each(|_| seen.tick(world, &mut report));
    seen
}

#[test]
fn impacts_are_all_that_a_body_gets_in_a_gas() {
    let seen = run(&mut gas(5, 3), 300);
    assert!(seen.pairs > 1_000 && seen.others == 0, "{} {}", seen.pairs, seen.others);
}

#[test]
fn heaps_of_rotating_bodies_have_the_rest_in_the_ledger() {
    for (rate, ticks) in [(10, 60), (20, 100), (60, 240), (120, 360)].into_iter().step_by(every(2)) {
        let mut scene = heap(rate, ("0.3", "0.5"), 36, 5);
        add_paddle(&mut scene, "2", v("0", "-2.5", "0"));
        let mut world = scene.world();
        let body = BodyId::from_parts(Rng::new(1).at(0, 0, 0).below(36) as u32, 0);
        assert!(world.apply(&[Command::SetLocks { body, locks: Locks::X }]).outcomes[0].is_ok());
        let seen = run(&mut world, ticks);
        assert!(seen.pairs > 25 * ticks, "{rate} Hz: {}", seen.pairs);
    }
}

/// A resting body is carried: its pairs give it its weight, in every tick.
#[test]
fn resting_bodies_get_their_weight_from_their_pairs() {
    use crate::shows::{Stage, place};
    use bitstep::state::Spawn;
    let mut stage = Stage::floor("0", "0.5");
    let cube = stage.block("0.5", "0.5", "0.5");
    for story in 0..3 {
        stage.add(Spawn { mass: 4, ..Spawn::new(cube, place(0, 502 + 1_004 * story, 0)) });
    }
    let (mut world, mut report) = (stage.world(60), TickReport::default());
    world.enable_events(true);
    (0..120).for_each(|_| step(&mut world, &mut report));
    let weight = -world.gravity().y.to_bits() * 4;
    let loads: Vec<i64> = report.impulses.iter().map(|it| it.impulse.y.to_bits()).collect();
    assert!(report.events.is_empty(), "nothing begins: {:?}", report.events);
    // The lowest on the floor, then each by the next. A has the lower id, so B gets the upward impulse,
    // except from the floor.
    assert_eq!(report.impulses.len(), 3);
    let near = |load: i64, many: i64| Scalar::from_bits((load - many * weight).abs());
    let slack = Scalar::from_bits(weight / 1_000);
    let [by_second, by_floor, by_third] = [loads[0], -loads[1], loads[2]];
    assert!(
        near(by_floor, 3) <= slack && near(by_second, 2) <= slack && near(by_third, 1) <= slack,
        "{loads:?} {weight}"
    );
}
