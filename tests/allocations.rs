//! What rollback does every frame asks the allocator for nothing.
#![allow(missing_docs)]

#[path = "support/mod.rs"]
#[allow(dead_code)]
mod support;

use bitstep::{
    snapshot,
    tick::TickReport,
    world::{BodyId, Command},
};
use support::gas;

#[test]
fn copies_and_snapshots_into_warm_memory_allocate_nothing() {
    let (mut world, mut report) = (gas(5, 1), TickReport::default());
    let removals: Vec<Command> =
        (10..40).map(|slot| Command::Remove { body: BodyId { slot, generation: 0 } }).collect();
    world.tick(&removals, &mut report);
    let (mut copy, mut bytes) = (world.clone(), snapshot::encode(&world));
    for _ in 0..5 {
        world.step(&mut report);
        let copied = allocation_counter::measure(|| copy.clone_from(&world));
        let encoded = allocation_counter::measure(|| snapshot::encode_into(&world, &mut bytes));
        assert_eq!((copied.count_total, encoded.count_total), (0, 0));
        assert!(snapshot::diff(&world, &copy).is_empty());
    }
    let fresh = allocation_counter::measure(|| drop(world.clone()));
    assert!(fresh.count_total > 0, "the counter counts");
}
