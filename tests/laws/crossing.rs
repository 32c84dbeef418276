//! A strategy game's crowd: two thousand walkers cross hills, and a crater appears among them (`crossing.ron`).

use bitstep::{
    World,
    geom::Vec3,
    num::Scalar,
    snapshot::{self, checksum},
    state::StaticId,
    tick::TickReport,
};
use bitstep_scene::Scene;

use crate::support::s;

const SCENE: &str = include_str!("crossing.ron");
/// The tick after which the crater is there.
const CRATER: u64 = 60;

/// The number of walkers whose centers are near the ground or below it, and of all that are over it.
fn buried(world: &World) -> (usize, usize) {
    let heights = world.scenery().heights(StaticId(0)).unwrap();
    let above = |place: Vec3| Some(place.y - heights.height_at(place.x, place.z)?);
    let all: Vec<Scalar> = world.bodies().filter_map(|(_, body)| above(body.position)).collect();
    (all.iter().filter(|height| **height < s("0.5")).count(), all.len())
}

/// A debug build has eighty walkers.
fn scene() -> Scene {
    let few = SCENE
        .replace("count: (40, 1, 50)", "count: (10, 1, 8)")
        .replace("step: (1.1, 0, 1.15)", "step: (4.4, 0, 6.9)");
    Scene::parse(if cfg!(debug_assertions) { &few } else { SCENE }).unwrap()
}

#[test]
fn walkers_cross_hills_and_a_crater() {
    let mut scene = scene();
    let mut world = scene.initial_state;
    let (count, level, mut report) = (world.bodies().count(), world.scenery().clone(), TickReport::default());
    let (mut impacts, mut in_crater, mut restored) = (0, 0, None::<World>);
    for tick in 1..=scene.ticks {
        let commands = scene.timeline.commands(tick, &world);
        assert!(world.tick(&commands, &mut report).0.iter().all(Result::is_ok), "tick {tick}");
        let nets = (report.impact_limited.len(), report.reverted.len(), report.overlapping);
        assert_eq!(nets, (0, 0, 0), "tick {tick}");
        impacts += report.impacts.len();
        if let Some(restored) = &mut restored {
            restored.step(&mut TickReport::default());
            assert!(world.state() == restored.state(), "tick {tick}");
        }
        if tick == CRATER {
            restored = Some(snapshot::decode(&snapshot::encode(&world), &level).unwrap());
        }
        let (below, over) = buried(&world);
        assert_eq!(below, 0, "tick {tick}");
        assert!(over > count * 9 / 10, "tick {tick}: {over} of {count}");
        in_crater += world.bodies().filter(|(_, body)| body.position.y < s("-2.5")).count();
    }
    assert!(impacts > 3 * count && in_crater > 0, "{impacts} {in_crater}");
    if !cfg!(debug_assertions) {
        assert_eq!(checksum(&world).to_string(), "a54cbc50081d6e344d873ad6dff8cbcf");
    }
}
