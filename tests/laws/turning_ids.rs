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
pub struct Run {
    world: World,
    /// The number of the spawn of each body, by slot.
    numbers: Vec<usize>,
    report: TickReport,
}

impl Run {
    pub fn of(scene: &Scene, numbers: Vec<usize>) -> Self {
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

/// Runs worlds and compares them after every tick.
///
/// # Panics
///
/// If one is not the first with other ids.
pub fn assert_alike(name: &str, runs: &mut [Run], ticks: u64) {
    for tick in 0..ticks {
        runs.iter_mut().for_each(|run| run.world.step(&mut run.report));
        let [first, others @ ..] = &runs else { panic!("no worlds") };
        for other in others {
            assert_eq!(other.told(), first.told(), "{name}, tick {tick}");
            assert!(other.bodies() == first.bodies(), "{name}, tick {tick}");
        }
    }
}

/// The first order of spawning, the last first, and a drawn one.
pub fn orders(count: usize, seed: u64) -> [Vec<usize>; 3] {
    let mut shuffled: Vec<usize> = (0..count).collect();
    let mut draws = Rng::new(seed).at(9, 0, 0);
    (1..count).for_each(|end| shuffled.swap(end, draws.below(end as u64 + 1) as usize));
    [(0..count).collect(), (0..count).rev().collect(), shuffled]
}

#[test]
fn permuting_the_ids_of_a_heap_permutes_the_result() {
    let mut ticks = 0;
    for (rate, seed) in
        RATES.into_iter().flat_map(|rate| (60..63).step_by(every(3)).map(move |seed| (rate, seed)))
    {
        for bouncy in [("0.2", "0.5"), ("0.9", "0"), ("0", "1")].into_iter().step_by(every(2)) {
            let scene = heap(rate, bouncy, 20, seed);
            let mut runs = orders(scene.spawns.len(), seed).map(|order| Run::of(&scene, order));
            assert_alike(&format!("{rate} Hz, seed {seed}, {bouncy:?}"), &mut runs, 150);
            ticks += 150;
        }
    }
    assert_eq!(ticks, 4 * (3 / every(3)) * 3_usize.div_ceil(every(2)) * 150);
}
