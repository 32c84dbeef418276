//! Worlds whose ticks have several substeps, in bytes.

use bitstep::{
    World, snapshot,
    state::{Limits, SceneryBuilder},
};

fn world(limits: Limits) -> World {
    World::new(limits, SceneryBuilder::default().build().unwrap()).unwrap()
}

#[test]
fn substeps_are_one_byte_of_the_state() {
    let plain = Limits::new(10).with_flat(true);
    let (one, six) = (world(plain), world(plain.with_substeps(6)));
    let lines: Vec<_> = snapshot::diff(&one, &six).iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["limits.substeps: 1 | 6"]);
    let (one, six) = (snapshot::encode(&one), snapshot::encode(&six));
    let changed: Vec<_> = (0..one.len()).filter(|&at| one[at] != six[at]).collect();
    assert_eq!((changed, six[32], six.len()), (vec![32], 6, one.len()));
    let scenery = SceneryBuilder::default().build().unwrap();
    assert_eq!(snapshot::decode(&six, &scenery).unwrap().limits().substeps, 6);
}
