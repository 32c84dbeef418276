//! Ids are names for rotating bodies, too: the order of spawning changes nothing else.

use bitstep::{
    World,
    num::Rng,
    state::{Body, BodyId},
    tick::TickReport,
};

use crate::{
    piles::RATES,
    support::every,
    tumblers::{Scene, heap},
};

/// A world whose bodies were spawned in another order.
struct Run {
    world: World,
    /// The number of the spawn of each body, by slot.
    numbers: Vec<usize>,
    report: TickReport,
}

impl Run {
    fn of(scene: &Scene, numbers: Vec<usize>) -> Self {
        let spawns = numbers.iter().map(|&number| scene.spawns[number]).collect();
        let world = Scene { spawns, ..scene.clone() }.world();
        Self { world, numbers, report: TickReport::default() }
    }

    fn bodies(&self) -> Vec<Body> {
        let mut bodies: Vec<_> =
            self.world.bodies().map(|(id, body)| (self.numbers[id.slot() as usize], *body)).collect();
        bodies.sort_unstable_by_key(|&(number, _)| number);
        bodies.into_iter().map(|(_, body)| body).collect()
    }

    /// The part of the report that does not depend on the order of ids.
    fn told(&self) -> String {
        let named = |ids: &[BodyId]| {
            let mut named: Vec<_> = ids.iter().map(|id| self.numbers[id.slot() as usize]).collect();
            named.sort_unstable();
            named
        };
        let TickReport {
            ledger, impact_limited: held, velocity_corrected, unresolved, speed_clamped, ..
        } = &self.report;
        let mut tois: Vec<_> = self.report.impacts.iter().map(|it| (it.toi, it.closing)).collect();
        tois.sort_unstable();
        format!(
            "{ledger:?} {:?} {:?} {unresolved} {speed_clamped} {tois:?}",
            named(held),
            named(velocity_corrected)
        )
    }
}

#[test]
fn permuting_the_ids_of_a_heap_permutes_the_result() {
    let mut ticks = 0;
    for (rate, seed) in
        RATES.into_iter().flat_map(|rate| (60..63).step_by(every(3)).map(move |seed| (rate, seed)))
    {
        for bouncy in [("0.2", "0.5"), ("0.9", "0"), ("0", "1")].into_iter().step_by(every(2)) {
            let scene = heap(rate, bouncy, 20, seed);
            let count = scene.spawns.len();
            let mut shuffled: Vec<usize> = (0..count).collect();
            let mut draws = Rng::new(seed).at(9, 0, 0);
            (1..count).for_each(|end| shuffled.swap(end, draws.below(end as u64 + 1) as usize));
            let orders = [(0..count).collect(), (0..count).rev().collect(), shuffled];
            let mut runs = orders.map(|order| Run::of(&scene, order));
            for tick in 0..150 {
                for run in &mut runs {
                    run.world.step(&mut run.report);
                }
                ticks += 1;
                let [first, others @ ..] = &runs;
                for other in others {
                    let place = format!("{rate} Hz, seed {seed}, {bouncy:?}, tick {tick}");
                    assert_eq!(other.told(), first.told(), "{place}");
                    assert!(other.bodies() == first.bodies(), "{place}");
                }
            }
        }
    }
    assert_eq!(ticks, 4 * (3 / every(3)) * 3_usize.div_ceil(every(2)) * 150);
}
