//! Worlds whose ticks have several steps, in bytes.

use bitstep::{
    World, snapshot,
    state::{Limits, SceneryBuilder},
};

fn world(limits: Limits) -> World {
    World::new(limits, SceneryBuilder::default().build().unwrap()).unwrap()
}

#[test]
fn a_world_of_several_steps_has_a_byte_more() {
    let plain = Limits::new(10).with_flat(true);
    let [one, six, both] = [plain, plain.with_substeps(6), plain.with_substeps(6).with_sleep_after(9)]
        .map(|limits| snapshot::encode(&world(limits)));
    assert_eq!((one[80], six[80], six[81], six.len()), (1, 9, 6, one.len() + 1));
    assert_eq!(both[80..83], [11, 9, 6]);
    assert_eq!(six[..80], one[..80]);
    assert_eq!(six[82..], one[81..]);
    let scenery = SceneryBuilder::default().build().unwrap();
    for (bytes, limits) in [(&six, (6, 0)), (&both, (6, 9)), (&one, (1, 0))] {
        let back = snapshot::decode(bytes, &scenery).unwrap();
        assert_eq!((back.limits().substeps, back.limits().sleep_after), limits);
        assert_eq!(snapshot::encode(&back), **bytes);
    }
    let paths = |bytes: &[u8]| -> Vec<String> {
        let world = snapshot::decode(bytes, &scenery).unwrap();
        snapshot::fields(&world).into_iter().map(|field| field.path).collect()
    };
    let added: Vec<String> = paths(&six).into_iter().filter(|path| !paths(&one).contains(path)).collect();
    assert_eq!(added, ["limits.steps"]);
}

#[test]
fn bytes_that_no_world_has_are_refused() {
    let bytes = snapshot::encode(&world(Limits::new(10).with_substeps(6)));
    let scenery = SceneryBuilder::default().build().unwrap();
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        snapshot::decode(&bytes, &scenery).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(with(81, 0), "snapshot state: limit substeps is 0, must be in 1..=16");
    assert!(with(81, 1).contains("limits.flat"), "one encoding per value: {}", with(81, 1));
    assert_eq!(with(81, 17), "snapshot state: limit substeps is 17, must be in 1..=16");
    assert!(with(80, 0).contains("not decodable"), "{}", with(80, 0));
    assert!(with(80, 16).contains("limits.flat"), "{}", with(80, 16));
}
